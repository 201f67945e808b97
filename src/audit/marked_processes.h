#pragma once

#include <string>

namespace speclab {

/// Kills every process of this user whose environment, as it was when the process was started,
/// holds `mark` ("NAME=value"): so that what a program has started in other sessions is found too.
/// Does nothing on systems without /proc.
void kill_marked(const std::string& mark) noexcept;

}  // namespace speclab
