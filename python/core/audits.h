#pragma once

#include <pybind11/pybind11.h>

namespace speclab::python {

/// Functions audit and audit_cases.
void bind_audits(pybind11::module_& module);

}  // namespace speclab::python
