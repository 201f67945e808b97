#pragma once

#include <pybind11/pybind11.h>

namespace speclab::python {

/// Functions audit, audit_cases and vectors.
void bind_audits(pybind11::module_& module);

}  // namespace speclab::python
