#pragma once

#include <string>

namespace speclab {

/// Kills every process of this user whose initial environment contains `mark` ("NAME=value"), which
/// also finds processes that a program has started in other sessions. Does nothing on systems
/// without /proc.
void kill_marked(const std::string& mark) noexcept;

}  // namespace speclab
