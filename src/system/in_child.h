#pragma once

#include <functional>
#include <string>

namespace speclab {

/// Calls f in a copy of this process, whose output is nowhere, so that a crash or an exit in f is
/// none of this process. Its results are lost. Where the copy cannot be made nothing is called.
/// @returns what ended the copy before f returned: "ends the program by signal 7 (Bus error)"; ""
/// where f returned
/// @throws Error with ExitCode::interrupted once a signal was received
std::string fault_in_child(const std::function<void()>& f);

}  // namespace speclab
