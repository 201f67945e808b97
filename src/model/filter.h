#pragma once

#include <limits>
#include <span>
#include <string_view>

#include "base/rational.h"
#include "base/spec.h"

namespace speclab {

/// What a sampler does to a next-token law before it draws: temperature, then min-p, then top-k,
/// then top-p, the order of vLLM. Each sees what the one before it left, and what the last one
/// leaves is divided by its sum. The defaults change nothing.
///
///   temperature T  the law proportional to P^(1/T); T = 0 is one-hot on the likeliest token, the
///                  lowest of equals
///   min-p m        the tokens with at least m times the largest probability stay
///   top-k k        the tokens at least as likely as the k-th likeliest stay: all equals at the cut
///   top-p p        the fewest likeliest tokens whose probabilities reach p of the whole stay, the
///                  one that crosses p with them; of equals at the cut the lower tokens
///
/// Worked example: (1/2, 3/10, 1/10, 1/10) with m = 1/2 and p = 3/5: min-p leaves (5/8, 3/8), of
/// which 5/8 reaches 3/5, so that (1) is left. Top-p first would have left (5/8, 3/8).
struct SamplingFilter {
  Rational temperature{1};
  Rational min_p{0};
  std::size_t top_k = std::numeric_limits<std::size_t>::max();
  Rational top_p{1};

  /// Whether it changes no law.
  [[nodiscard]] bool idle() const;
  /// Whether it makes laws of fractions out of laws of fractions.
  [[nodiscard]] bool exact() const { return temperature == 0 || temperature == 1; }
};

/// The filters of both models of a pair.
struct PairFilters {
  SamplingFilter draft;
  SamplingFilter target;
};

/// Applies a filter to a law in place. Which tokens stay is decided exactly in both arithmetics: in
/// doubles by their exact values, and after a temperature by those of the weights it made. A law
/// that loses no token and is not tempered keeps its bits.
/// @param law  no negative entry, a sum above 0
void apply_filter(const SamplingFilter& filter, std::span<double> law);
/// @pre filter.exact()
void apply_filter(const SamplingFilter& filter, std::span<Rational> law);

/// The weights proportional to P^(1/T), the largest 1 where T is not 1; not divided by their sum.
void apply_temperature(double temperature, std::span<double> law);

/// One filter: what `list filters` says of it, and how spec text gives it. `draft-NAME=` and
/// `target-NAME=` are of one model and go before `NAME=`, which is of both.
struct FilterRow {
  std::string_view name;
  std::string_view prose;    ///< one line
  std::string_view exact;    ///< where laws of fractions stay laws of fractions
  std::string_view source;   ///< where it comes from
  std::string_view example;  ///< a spec text
};

/// All filters, in the order in which they are applied.
std::span<const FilterRow> filter_rows();

/// Reads the filters of a pair's spec text; those that are not given are not in its name.
/// @param tempered  the family's maker has read the temperatures and applies them itself
/// @throws InputError naming the spec, the parameter and the mend.
PairFilters read_filters(SpecReader& spec, bool tempered);

/// Reads the temperatures alone, for a family that applies them itself: `temperature=` is always in
/// its name, 1 where it is not given.
PairFilters read_temperatures(SpecReader& spec);

}  // namespace speclab
