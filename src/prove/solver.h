#pragma once

#include <memory>
#include <span>

#include "prove/cell_run.h"
#include "prove/factors.h"

namespace speclab {

/// Finds a point that meets a conjunction of polynomial conditions over the real numbers, or shows
/// that there is none.
class Solver {
 public:
  enum class Answer {
    found,    ///< a point
    none,     ///< there is no real point
    unknown,  ///< neither was shown in time
  };

  virtual ~Solver() = default;

  /// @param sample   comes with a rational value for every parameter, which those keep that the
  ///                 conditions do not contain; written where the answer is `found`. Its signs, of
  ///                 an irrational point, are good as long as the solver and the table of factors.
  /// @param seconds  the most time to spend
  virtual Answer find(std::span<const Condition> conditions, const Factors& factors, Sample& sample,
                      double seconds) = 0;
};

/// The solver this was built with, for points of so many parameters.
/// @throws LimitError where it was built without
std::unique_ptr<Solver> make_solver(std::size_t parameters);

}  // namespace speclab
