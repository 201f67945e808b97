#pragma once

#include <pybind11/pybind11.h>

#include "numbers.h"

namespace speclab::python {

/// Classes Pair, Answer and Asker, and what turns answers into text of schema 2.
void bind_answers(pybind11::module_& module);

}  // namespace speclab::python
