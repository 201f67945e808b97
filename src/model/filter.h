#pragma once

#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "base/rational.h"
#include "base/spec.h"
#include "base/types.h"

namespace speclab {

/// The filters that a sampler applies to a next-token law before it draws: vocabulary, then
/// temperature, then min-p, then top-k, then top-p, the order of vLLM. Each filter sees the result
/// of the one before it, and the final weights are normalised. The defaults change nothing.
///
///   vocabulary     keeps the listed tokens: of a draft whose vocabulary is a part of the target's;
///                  uniform on them where the law has none of them
///   temperature T  the law proportional to P^(1/T); T = 0 is one-hot on the likeliest token,
///                  ties to the lowest
///   min-p m        keeps the tokens with at least m times the largest probability
///   top-k k        keeps the tokens at least as likely as the k-th likeliest, with all ties
///   top-p p        keeps the fewest likeliest tokens whose probabilities sum to at least p, the
///                  token that crosses p included; ties to the lower token
///
/// Worked example: (1/2, 3/10, 1/10, 1/10) with m = 1/2 and p = 3/5: min-p gives (5/8, 3/8); as
/// 5/8 >= 3/5, top-p gives (1). In the opposite order the result would be (5/8, 3/8).
struct SamplingFilter {
  Rational temperature{1};
  Rational min_p{0};
  std::size_t top_k = std::numeric_limits<std::size_t>::max();
  Rational top_p{1};
  std::vector<Token> vocabulary{};  ///< sorted, each once; empty: all tokens

  /// Whether it changes no law.
  [[nodiscard]] bool idle() const;
  /// Whether it maps rational laws to rational laws.
  [[nodiscard]] bool exact() const { return temperature == 0 || temperature == 1; }
};

/// The filters of both models of a pair.
struct PairFilters {
  SamplingFilter draft;
  SamplingFilter target;
};

/// Applies a filter to a law in place. The tokens kept are decided exactly in both arithmetics: in
/// doubles by their exact values, and after a temperature by those of the resulting weights. A law
/// that loses no token at temperature 1 keeps its bits.
/// @param law  no negative entry, a sum above 0
void apply_filter(const SamplingFilter& filter, std::span<double> law);
/// @pre filter.exact()
void apply_filter(const SamplingFilter& filter, std::span<Rational> law);

/// The weights proportional to P^(1/T), the largest 1 where T is not 1; not divided by their sum.
void apply_temperature(double temperature, std::span<double> law);

/// One filter: its row in `list filters` and its form in spec text. `draft-NAME=` and
/// `target-NAME=` apply to one model and override `NAME=`, which applies to both.
struct FilterRow {
  std::string_view name;
  std::string_view prose;    ///< one line
  std::string_view exact;    ///< where rational laws stay rational
  std::string_view source;   ///< where it comes from
  std::string_view example;  ///< a spec text
  bool for_both = true;      ///< whether there is `NAME=`: a family has a vocabulary of its own
};

/// All filters, in the order in which they are applied.
std::span<const FilterRow> filter_rows();

/// Reads the filters of a pair's spec text; those that are not given are not in its name.
/// @param tempered  the family's maker has read the temperatures and applies them itself
/// @throws InputError naming the spec, the parameter and what to write
PairFilters read_filters(SpecReader& spec, bool tempered);

/// Reads the temperatures alone, for a family that applies them itself: the name always contains
/// `temperature=`, 1 where it is not given.
PairFilters read_temperatures(SpecReader& spec);

}  // namespace speclab
