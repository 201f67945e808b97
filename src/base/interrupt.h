#pragma once

#include "base/error.h"

namespace speclab {

/// From now on SIGINT and SIGTERM only set a flag, so that finished work can be printed; a second
/// signal ends the process at once with exit code 130.
void install_interrupt_handler();

/// Whether a signal came.
bool interrupted();

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
void check_interrupted();

}  // namespace speclab
