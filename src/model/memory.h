#pragma once

#include "model/lengths.h"
#include "model/rows.h"

namespace speclab {

/// An upper bound on the memory of a pair's rows and tables, computed before they are made.
struct MemoryForecast {
  double states = 0;     ///< the most whose laws can be requested
  double per_state = 0;  ///< bytes of one state's rows, and in doubles of its tables
  double index = 0;      ///< bytes of the index over all states, and of the pair

  [[nodiscard]] double bytes() const { return states * per_state + index; }

  /// The forecast of rows that evict above `most_kept` bytes (see Rows), where at most `at_once`
  /// states are read at a time.
  [[nodiscard]] MemoryForecast bounded(double most_kept, double at_once) const;
};

/// The most states after at most n tokens: at most the number of states, and at most the number of
/// contexts, S (1 + V + ... + V^n) for S starts. Worked example: a tree of V = 2 and 8 starts,
/// n = 2: 8 * 7 = 56.
double most_contexts(const Pair& pair, double n);

/// The most states whose laws a question of these lengths can read: those after the tokens that it
/// can read, or all where one prefix may have several. It does not depend on the number of trials.
double most_states(const Pair& pair, const Lengths& lengths);

/// Bytes of the rows and tables, in doubles, of all states that such a question can read.
double tables_forecast(const Pair& pair, const Lengths& lengths);

/// The most states whose laws one iteration reads: those of `drafts` paths, and their successors.
double states_at_once(const Lengths& lengths, int drafts);

/// An upper bound. In doubles all states take the same. In rationals the first start's numbers
/// represent those of all states, and its rows are made for it; in doubles nothing is made.
template <class Real>
MemoryForecast forecast_memory(const Rows<Real>& rows, const Lengths& lengths);

extern template MemoryForecast forecast_memory(const Rows<double>&, const Lengths&);
extern template MemoryForecast forecast_memory(const Rows<Rational>&, const Lengths&);

}  // namespace speclab
