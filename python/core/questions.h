#pragma once

#include <pybind11/pybind11.h>

namespace speclab::python {

/// Optima, advice, proofs, claims and rules: each returns a Report, which is JSON of schema 2 and
/// text for reading.
void bind_questions(pybind11::module_& module);

}  // namespace speclab::python
