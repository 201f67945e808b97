#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "audit/parity/samples.h"
#include "base/random.h"

namespace speclab {

/// A prompt whose outputs are in two groups.
struct TwoGroups {
  std::vector<const ServedOutput*> first, second;
};

/// Each prompt's outputs with and without speculation.
std::vector<TwoGroups> both_sides(const ServedSamples& samples);

// Two-sample statistics of outputs, by prompt. Equal outputs of a prompt are one item, so that a
// sample is a count of each item, on each of the two sides. With P_u and Q_u the shares of outputs
// that begin with u,
//   prefix of L tokens   sum over u of L tokens of (P_u - Q_u)^2, without bias (maximum mean
//                        discrepancy with the kernel "the first L tokens are equal")
//   first difference     sum over L of the same: the kernel is the length of the common prefix
//   tokens, lengths      the differences of the mean counts of each token among the first ones, and
//                        of the distribution functions of the length, squared and added up
// Prompts are added up with the weights m n / (m + n). Under exchangeable sides each is as likely
// large for any assignment of a prompt's outputs to the sides.
class OutputStatistics {
 public:
  /// @param longest  tokens of the longest prefix
  OutputStatistics(const std::vector<TwoGroups>& prompts, int longest);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::size_t items() const { return items_; }
  /// Counts of the items, as observed.
  [[nodiscard]] const std::vector<double>& first() const { return first_; }
  [[nodiscard]] const std::vector<double>& second() const { return second_; }

  /// Every statistic of a sample. @param first,second  counts by item
  /// @param to  as many as names()
  void evaluate(std::span<const double> first, std::span<const double> second,
                std::span<double> to) const;

  /// An assignment of each prompt's outputs to the sides, as many to each as observed.
  void permute(Stream& stream, std::vector<double>& first, std::vector<double>& second) const;

  /// The items of a prompt, and what simulations ask of them.
  struct Prompt {
    std::size_t begin = 0, end = 0;  ///< its items
    double m = 0, n = 0;             ///< outputs of the first and of the second group
    std::vector<std::size_t> nodes;  ///< by level: how many prefixes
  };
  [[nodiscard]] const std::vector<Prompt>& prompts() const { return prompts_; }
  [[nodiscard]] const ServedOutput& output(std::size_t item) const { return *outputs_[item]; }

 private:
  void add_prompt(const TwoGroups& groups);
  void add_lengths();

  std::vector<std::size_t> levels_;  ///< tokens of each prefix; the last is the whole output
  std::size_t longest_;
  std::vector<std::string> names_;
  std::size_t items_ = 0;
  std::vector<Prompt> prompts_;
  std::vector<const ServedOutput*> outputs_;       ///< by item
  std::vector<std::vector<std::uint32_t>> nodes_;  ///< [level][item]: the number of its prefix
  std::vector<std::uint32_t> lengths_;             ///< by item: the bucket of its length
  std::size_t length_buckets_ = 0;
  struct TokenCount {
    std::uint32_t token;
    float count;
  };
  std::vector<std::vector<TokenCount>> tokens_;  ///< by item, of the first tokens
  std::vector<double> token_totals_;
  std::vector<double> first_, second_;
};

}  // namespace speclab
