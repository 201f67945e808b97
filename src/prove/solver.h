#pragma once

#include <memory>
#include <span>

#include "prove/cell_run.h"
#include "prove/factors.h"

namespace speclab {

/// Finds a point that satisfies a conjunction of polynomial conditions over the real numbers, or
/// shows that there is none.
class Solver {
 public:
  enum class Answer {
    found,    ///< a point
    none,     ///< there is no real point
    unknown,  ///< neither was shown in time
  };

  virtual ~Solver() = default;

  /// @param sample   input: a rational value for every parameter, kept for parameters that do not
  ///                 occur in the conditions; written where the answer is `found`. The signs of an
  ///                 irrational point are valid as long as the solver and the table of factors.
  /// @param seconds  the most time to spend
  virtual Answer find(std::span<const Condition> conditions, const Factors& factors, Sample& sample,
                      double seconds) = 0;
};

/// The solver of this build, for points with this number of parameters.
/// @throws LimitError where the build has none
std::unique_ptr<Solver> make_solver(std::size_t parameters);

}  // namespace speclab
