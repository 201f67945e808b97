// The part of the package that is C++. Its callers are the modules of python/speclab, which check
// and shape what users give; users call those.

#include <pybind11/pybind11.h>

#include "answer/registration.h"
#include "answers.h"
#include "audits.h"
#include "base/error.h"
#include "questions.h"
#include "system/openmp.h"
#include "verifier.h"
#include "verifiers/contract.h"

namespace py = pybind11;

namespace speclab::python {
namespace {

PyObject* g_limit_error = nullptr;
PyObject* g_contract_error = nullptr;

/// A pending Ctrl-C is answered first: there it is the same KeyboardInterrupt, and must not come
/// twice.
void set_interrupted() {
  if (PyErr_CheckSignals() == 0) PyErr_SetNone(PyExc_KeyboardInterrupt);
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const Error& error) {
    switch (error.code()) {
      case ExitCode::interrupted:
        return set_interrupted();
      case ExitCode::limit:
        return PyErr_SetString(g_limit_error, error.what());
      case ExitCode::usage:
      case ExitCode::bad_input:
        return PyErr_SetString(PyExc_ValueError, error.what());
      default:
        return PyErr_SetString(PyExc_RuntimeError, error.what());
    }
  } catch (const ContractError& error) {
    PyErr_SetString(g_contract_error, error.what());
  }
}

}  // namespace
}  // namespace speclab::python

PYBIND11_MODULE(_core, module) {
  using namespace speclab::python;
  speclab::remove_empty_openmp_registration();
  speclab::register_all();
  module.attr("__version__") = SPECLAB_VERSION;
  g_limit_error = PyErr_NewExceptionWithDoc("speclab.LimitError", "More work than a limit allows.",
                                            PyExc_RuntimeError, nullptr);
  g_contract_error = PyErr_NewExceptionWithDoc(
      "speclab.ContractError", "A verifier broke its contract.", PyExc_RuntimeError, nullptr);
  module.attr("LimitError") = py::handle(g_limit_error);
  module.attr("ContractError") = py::handle(g_contract_error);
  py::register_exception_translator(&translate);
  bind_answers(module);
  bind_verifier(module);
  bind_audits(module);
  bind_questions(module);
}
