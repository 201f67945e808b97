#pragma once

#include <span>
#include <string_view>

#include "claims/engine/paper.h"

namespace speclab {

/// Every paper of which something is held: first those that are covered whole, then those of which
/// only what is held has a row, last ("speclab") this project's own rules.
std::span<const Paper> papers();

/// The paper of that key, or null.
const Paper* find_paper(std::string_view key);

/// The paper of a claim or closed form: the one whose key stands before the dot of its id; this
/// project where there is none, as for "slot-block.lossless".
const Paper& paper_of(std::string_view id);

}  // namespace speclab
