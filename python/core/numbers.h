#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "base/rational.h"
#include "base/types.h"

namespace speclab::python {

// Numbers between the two languages. A double is a float; a Rational is a fractions.Fraction, and a
// row of them a NumPy array of dtype object, so that one function serves both arithmetics. All need
// the interpreter's lock.

pybind11::object to_python(double value);
pybind11::object to_python(const Rational& value);

/// A row as a NumPy array of its own, [V].
pybind11::object row_to_python(const std::vector<double>& row);
pybind11::object row_to_python(const std::vector<Rational>& row);

/// A number of either arithmetic. A float is taken at its exact value among fractions.
/// @throws InputError "WHAT ..." where it is no finite number
template <class Real>
Real from_python(pybind11::handle number, const std::string& what);

/// The weights of a law, [V].
/// @throws InputError "WHAT ..." where they are not V finite numbers of 0 or more
template <class Real>
std::vector<Real> weights_from_python(pybind11::handle law, Token vocabulary,
                                      const std::string& what);

}  // namespace speclab::python
