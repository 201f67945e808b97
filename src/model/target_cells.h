#pragma once

#include <utility>
#include <vector>

#include "model/rows.h"

namespace speclab {

/// Probabilities of the target's (start, sequence of `horizon` tokens) cells: a cell's number has
/// that of its start foremost and the tokens' behind it, in base V.
template <class Real>
std::vector<Real> target_cells(const Rows<Real>& rows, int horizon) {
  std::vector<std::pair<State, Real>> layer;
  const typename Rows<Real>::Reading reading(rows);
  for (const Start& start : rows.pair().start()) {
    layer.emplace_back(start.state, from_rational<Real>(start.probability));
  }
  for (int n = 0; n < horizon; ++n) {
    std::vector<std::pair<State, Real>> after;
    for (const auto& [state, mass] : layer) {
      for (Token x = 0; x < rows.vocabulary(); ++x) {
        // Where the mass is 0 the state does not matter.
        const Real reached =
            mass > 0 ? Real(mass * rows.target(state)[static_cast<std::size_t>(x)]) : Real(0);
        after.emplace_back(reached > 0 ? rows.next(state, x) : state, reached);
      }
    }
    layer = std::move(after);
  }
  std::vector<Real> cells;
  for (auto& entry : layer) cells.push_back(std::move(entry.second));
  return cells;
}

}  // namespace speclab
