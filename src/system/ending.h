#pragma once

#include <memory>

namespace speclab {

/// Whether a signal came and this process is a program, which now ends: not a host (see
/// system/interrupt_scope.h), which lives on.
bool ending();

/// From now on ending() may be true: this process is a program.
void end_with_signals();

/// Leaves it to the system, which takes all memory of a process back at once: to let go of millions
/// of fractions one by one takes seconds. Only where ending().
void leave(std::shared_ptr<void> held);

}  // namespace speclab
