#pragma once

#include <span>
#include <string>
#include <vector>

#include "claims/engine/instance.h"

namespace speclab {

using TokenPath = std::vector<Token>;

/// "(0,1)".
std::string path_text(std::span<const Token> path);

/// What is known of a path of tokens from a start.
struct PathLaws {
  TokenPath tokens;
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

/// Those of 1 .. gamma tokens that the draft takes.
std::vector<PathLaws> drafted_paths(const Instance& instance, State start);

/// The path `x` from `state`.
PathLaws follow(const Rows<Rational>& rows, State state, std::span<const Token> x);

}  // namespace speclab
