#pragma once

namespace speclab {

/// For a host process that uses speclab as a library: while an instance lives, SIGINT raises the
/// flag of interrupted() (system/interrupt.h) and then calls the handler that was installed before,
/// and no number of signals ends the process. The destructor restores that handler and clears the
/// flag.
///
/// Instances may overlap, in several threads too: the first one constructed installs the handler
/// and the last one destroyed restores it.
class InterruptScope {
 public:
  InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;
  ~InterruptScope();
};

/// Raises the flag of interrupted(), as a signal does.
void raise_interrupt();

}  // namespace speclab
