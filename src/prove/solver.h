#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "prove/cell_run.h"
#include "prove/factors.h"

namespace speclab {

/// Finds a point that meets a conjunction of polynomial conditions over the real numbers, or shows
/// that there is none.
class Solver {
 public:
  enum class Answer {
    found,    ///< a rational point
    none,     ///< there is no real point
    unknown,  ///< neither was shown in time, or the only points found are irrational
  };

  virtual ~Solver() = default;

  /// @param point    by parameter; written where the answer is `found`, for the parameters that the
  ///                 conditions contain
  /// @param seconds  the most time to spend
  virtual Answer find(std::span<const Condition> conditions, const Factors& factors,
                      std::vector<std::optional<Rational>>& point, double seconds) = 0;
};

/// The solver this was built with, for points of so many parameters.
/// @throws LimitError where it was built without
std::unique_ptr<Solver> make_solver(std::size_t parameters);

}  // namespace speclab
