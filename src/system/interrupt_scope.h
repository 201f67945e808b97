#pragma once

namespace speclab {

/// For a host that speclab is a library of: while one of these lives, SIGINT raises the flag of
/// interrupted() (system/interrupt.h) and then goes on to the handler that was there before, and no
/// number of signals ends the process. Afterwards that handler is back and the flag is down.
///
/// They may overlap, in several threads too: the first one made and the last one gone count.
class InterruptScope {
 public:
  InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;
  ~InterruptScope();
};

/// Raises the flag of interrupted() as a signal does: on behalf of another process that got one.
void raise_interrupt();

}  // namespace speclab
