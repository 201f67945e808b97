#pragma once

#include <csignal>

#include "base/error.h"

namespace speclab {

/// From now on SIGINT and SIGTERM only set a flag, so that finished work can be printed; a second
/// signal ends the process at once with exit code 130.
void install_interrupt_handler();

/// Not 0 from a signal on; read by interrupted() alone.
extern volatile std::sig_atomic_t signals_seen;

/// Whether a signal came. It costs a load: every decision of a verifier may ask.
inline bool interrupted() { return signals_seen != 0; }

/// @throws Error with ExitCode::interrupted
[[noreturn]] void stop_interrupted();

/// Runs f to its end; false where a signal came before or meanwhile, so that what f made may be
/// half done.
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

/// @throws Error with ExitCode::interrupted once a signal came
inline void check_interrupted() {
  if (interrupted()) stop_interrupted();
}

}  // namespace speclab
