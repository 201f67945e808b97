#pragma once

#include "base/error.h"

namespace speclab {

/// Whether f ends because a signal came. False where it goes on to its end; another error stays
/// one.
template <class F>
bool stops(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    if (error.code() != ExitCode::interrupted) throw;
    return true;
  }
  return false;
}

}  // namespace speclab
