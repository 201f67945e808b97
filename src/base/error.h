#pragma once

#include <stdexcept>
#include <string>

namespace speclab {

/// Exit codes of the program; part of its interface.
enum class ExitCode : int {
  done = 0,
  verdict_differs = 1,  ///< a claim's verdict differs from the one on record
  usage = 2,            ///< the command line is wrong
  bad_input = 3,        ///< a file, a spec text or a law is wrong
  limit = 4,            ///< more work than a limit allows
  interrupted = 130,    ///< stopped by SIGINT or SIGTERM; what was finished is printed
};

/// A failure that the user can fix. The message is one line: what is wrong, where, and what to do.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// The command line is wrong (exit code 2).
struct UsageError : Error {
  explicit UsageError(const std::string& message) : Error(ExitCode::usage, message) {}
};

/// A spec text, a file or a law is wrong (exit code 3).
struct InputError : Error {
  explicit InputError(const std::string& message) : Error(ExitCode::bad_input, message) {}
};

/// The work exceeds a limit that an option raises (exit code 4).
struct LimitError : Error {
  explicit LimitError(const std::string& message) : Error(ExitCode::limit, message) {}
};

/// A verifier broke its contract (verifiers/choices.h): an error in the verifier, not in its input.
/// The message is one line; the program ends with exit code 70.
struct ContractError : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace speclab
