#pragma once

#include <tuple>
#include <vector>

#include "verifiers/output_step.h"
#include "verifiers/window.h"

namespace speclab {

/// A verifier's output form (verifiers/output_step.h).
struct OutputForm {
  const void* program = nullptr;
  AddOutputSteps add_steps = nullptr;
  double start = 1;  ///< the memory at the first token of an iteration: its drafts
};

/// Those of token and of block verification.
OutputForm token_form();
OutputForm block_form();

/// The longest drafts of which means are taken: of longer ones as many iterations are under way at
/// a token, and coins cost less than what they add to the variance.
inline constexpr int kLongestAveraged = 8;

/// Whether drafts are that short, or go to the end of a decode.
bool averages_drafts(const Lengths& lengths);

/// What decodes of given tokens count in expectation over which of them are accepted, token by
/// token.
///
/// A dynamic program: which iterations may be under way before a token, by the drafts left to them
/// and what the verifier remembers, and the expected number of each. Worked example: token
/// verification, T = 3, gamma = 1, every token accepted with probability a: an iteration begins at
/// the first token, with probability 1 - a at the second, and at the third where one ended at the
/// second, by a bonus (a) or a correction ((1 - a)(1 - a)): 3 - 2a + a^2 calls.
class TextMeans {
 public:
  /// @param form  of a program that outlives this
  explicit TextMeans(const OutputForm& form) : form_(form) {}

  /// Before the first token of a decode.
  void begin();
  /// @param laws    where the token is
  /// @param window  of an iteration that begins with it
  void take(const Laws<double>& laws, Token y, const Window& window);

  [[nodiscard]] double calls() const { return calls_; }  ///< of the target
  [[nodiscard]] double steps() const { return steps_; }  ///< of the draft

 private:
  /// Iterations under way that have accepted all tokens since they began and are alike.
  struct UnderWay {
    int left = 0;       ///< drafts that may be accepted; of 0 the next token is the bonus
    double memory = 0;  ///< verifiers/output_step.h
    double count = 0;   ///< expected

    [[nodiscard]] auto key() const { return std::tie(memory, left, count); }
    [[nodiscard]] bool is_like(const UnderWay& other) const {
      return left == other.left && memory == other.memory;
    }
  };

  void begin_iterations(double count, const Window& window);
  /// Takes a token; returns how many iterations are expected to end with it.
  double end_iterations(const Laws<double>& laws, Token y);
  /// Goes on to the iterations of next_, those that are alike added up in an order of their own.
  void merge();

  OutputForm form_;
  double calls_ = 0, steps_ = 0;
  double beginning_ = 1;  ///< iterations that begin with the next token, expected
  std::vector<UnderWay> under_way_;
  std::vector<UnderWay> next_;             ///< scratch
  std::vector<OutputStep<double>> added_;  ///< scratch
};

}  // namespace speclab
