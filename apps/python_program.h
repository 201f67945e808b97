#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace speclab {

/// A folder for Python modules and the modules that are needed.
struct PythonNeeds {
  std::vector<std::string> modules;  ///< such as "matplotlib"
  std::string folder;                ///< put before those that Python searches; "" for none
  std::string_view what;             ///< of messages: "plot needs"
  std::string_view get;  ///< how to get the module: "apt-get install python3-matplotlib"
};

/// A Python that has the modules: the one that SPECLAB_PYTHON names, or else the first of python3
/// on PATH and the system's own, which need not be the same.
/// @throws InputError that says what to install, or which variable to set
std::string find_python(const PythonNeeds& needs);

/// Replaces this process by Python with these arguments: messages and exit code are Python's.
/// @param folder  as in PythonNeeds
/// @throws InputError where it does not start
[[noreturn]] void become_python(const std::string& python, std::vector<std::string> arguments,
                                const std::string& folder = {});

/// Runs Python with these arguments and returns its exit code; messages are Python's. A signal is
/// handed on to it as SIGTERM, and it is killed where this process is.
/// @throws Error with ExitCode::interrupted where a signal ends it, InputError where another does
ExitCode run_python(const std::string& python, std::vector<std::string> arguments);

/// The folder of the running program.
std::string program_folder();

}  // namespace speclab
