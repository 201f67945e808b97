#pragma once

#include "model/lengths.h"
#include "model/rows.h"

namespace speclab {

/// What a pair's rows and tables may come to, said before they are made.
struct MemoryForecast {
  double states = 0;     ///< the most for which laws can be asked for
  double per_state = 0;  ///< bytes of the rows of one, and in doubles of its tables
  double index = 0;      ///< bytes of what is kept for all states from the start, and of the pair

  [[nodiscard]] double tables() const { return states * per_state; }
  [[nodiscard]] double bytes() const { return tables() + index; }

  /// The same of rows that forget what is over `most_kept` bytes (see Rows) and are read at most
  /// `at_once` states at a time.
  [[nodiscard]] MemoryForecast bounded(double most_kept, double at_once) const;
};

/// The most states whose laws a question of these lengths can ask for: no more than there are, and
/// no more than there are contexts, S (1 + V + ... + V^n) for S starts and n tokens. It does not
/// depend on the number of trials. Worked example: a tree of V = 2 and 8 starts, n = 2: 8 * 7 = 56.
double most_states(const Pair& pair, const Lengths& lengths);

/// Bytes of the rows and tables, in doubles, of all states that such a question can ask for.
double tables_forecast(const Pair& pair, const Lengths& lengths);

/// The most states whose laws one iteration of a window asks for: `drafts` paths, and what follows.
double states_at_once(const Lengths& lengths, int drafts);

/// A bound in doubles, where all states take the same. In rationals the numbers of the first start
/// stand for those of all states, and its rows are made for it; in doubles nothing is made.
template <class Real>
MemoryForecast forecast_memory(const Rows<Real>& rows, const Lengths& lengths);

extern template MemoryForecast forecast_memory(const Rows<double>&, const Lengths&);
extern template MemoryForecast forecast_memory(const Rows<Rational>&, const Lengths&);

}  // namespace speclab
