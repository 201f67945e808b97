#pragma once

#include <memory>

namespace speclab {

/// Whether a signal was received and this process is a program, which now ends; a host process
/// (see system/interrupt_scope.h) continues.
bool ending();

/// Marks this process as a program: from now on ending() may be true.
void end_with_signals();

/// Keeps an object alive until the process ends, when the system frees all its memory at once:
/// freeing millions of fractions one by one takes seconds. @pre ending()
void leave(std::shared_ptr<void> object);

}  // namespace speclab
