#pragma once

namespace speclab {

/// Sets the function called when a second signal ends the process at once (system/interrupt.h), for
/// example to erase a line on a terminal. It must be async-signal-safe. nullptr: none.
void set_last_act(void (*act)());

}  // namespace speclab
