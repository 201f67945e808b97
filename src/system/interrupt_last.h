#pragma once

namespace speclab {

/// What is called when a second signal ends the process at once (system/interrupt.h), such as the
/// removal of a line on a terminal. It may only call what a signal handler may. nullptr: nothing.
void set_last_act(void (*act)());

}  // namespace speclab
