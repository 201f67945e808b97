#pragma once

#include <csignal>
#include <cstddef>

#include "base/error.h"

namespace speclab {

/// From now on SIGINT and SIGTERM only set a flag, so that finished work can be printed; a signal
/// that comes a second or more after the first ends the process at once with exit code 130. One
/// that comes sooner is the same request: `timeout` signals the process and then its group.
void install_interrupt_handler();

/// Sets the function called when a second signal ends the process at once, for example to erase a
/// line on a terminal. It must be async-signal-safe. nullptr: none.
void set_last_act(void (*act)());

/// Steps of a loop over tokens or states between two polls for cancellation.
inline constexpr std::size_t kPollStride = std::size_t{1} << 16;

/// Nonzero once a signal was received; read only by interrupted().
extern volatile std::sig_atomic_t signals_seen;

/// Whether a signal was received. It costs one load, so that every decision of a verifier may call
/// it.
inline bool interrupted() { return signals_seen != 0; }

/// @throws Error with ExitCode::interrupted
[[noreturn]] void stop_interrupted();

/// Runs f; false where a signal was received before or during the call, so that the result of f may
/// be incomplete.
template <class F>
bool finished(const F& f) {
  if (interrupted()) return false;
  try {
    f();
  } catch (const Error& error) {
    if (error.code() != ExitCode::interrupted) throw;
    return false;
  }
  return !interrupted();
}

/// @throws Error with ExitCode::interrupted once a signal was received
inline void check_interrupted() {
  if (interrupted()) stop_interrupted();
}

}  // namespace speclab
