#pragma once

#include <pybind11/pybind11.h>

#include "system/interrupt.h"
#include "system/interrupt_scope.h"

namespace speclab::python {

/// Runs f() without the interpreter's lock, so that other Python threads go on, and so that Ctrl-C
/// ends it: f() then throws Error with ExitCode::interrupted, which is a KeyboardInterrupt there.
/// What f() calls back into Python takes the lock itself.
template <class F>
auto long_run(const F& f) {
  const pybind11::gil_scoped_release released;
  const InterruptScope scope;
  return f();
}

}  // namespace speclab::python
