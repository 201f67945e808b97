#pragma once

#include <vector>

#include "optimum/prefix_tree.h"

namespace speclab {

/// What is known of a path of tokens from a start.
struct PathLaws {
  Prefix tokens;
  State state = 0;  ///< after the tokens
  Rational draft;   ///< joint draft probability
  Rational target;  ///< joint target probability

  [[nodiscard]] int length() const { return static_cast<int>(tokens.size()); }
};

/// Every path of 0 .. length tokens, parents before children, in the order of their tokens; those
/// that neither model ever takes are left out.
std::vector<PathLaws> paths_from(const Rows<Rational>& rows, State start, int length);

/// Those of exactly `length` tokens.
std::vector<PathLaws> whole_paths(const Rows<Rational>& rows, State start, int length);

}  // namespace speclab
