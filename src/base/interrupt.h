#pragma once

namespace speclab {

/// From now on SIGINT and SIGTERM only set a flag, so that finished work can be printed; a second
/// signal ends the process at once with exit code 130.
void install_interrupt_handler();

/// Whether a signal came.
bool interrupted();

}  // namespace speclab
