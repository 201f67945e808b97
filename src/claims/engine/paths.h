#pragma once

#include <span>
#include <string>
#include <vector>

#include "answer/optima.h"  // PathLaws
#include "claims/engine/instance.h"

namespace speclab {

using TokenPath = std::vector<Token>;

/// "(0,1)".
std::string path_text(std::span<const Token> path);

/// The paths of 1 .. gamma tokens that the draft takes.
std::vector<PathLaws> drafted_paths(const Instance& instance, State start);

/// The path `x` from `state`.
PathLaws follow(const Rows<Rational>& rows, State state, std::span<const Token> x);

}  // namespace speclab
