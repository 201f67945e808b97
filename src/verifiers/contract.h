#pragma once

#include <string>

#include "base/error.h"
#include "verifiers/iteration.h"

namespace speclab {

/// A coin or a law of a verifier is none: its numbers are no probabilities.
struct ProbabilityError : ContractError {
  using ContractError::ContractError;
};

/// Runs f; a ContractError that it throws gets the verifier's name, where it has none yet.
template <class F>
auto with_verifier_named(const std::string& verifier, const F& f) {
  try {
    return f();
  } catch (const ContractError& error) {
    const std::string message = error.what();
    if (message.starts_with(verifier + ": ")) throw;
    throw ContractError(verifier + ": " + message);
  }
}

[[noreturn]] inline void refuse_late_decision() {
  throw ContractError("a verifier made a decision after its correction, which must be the last");
}

/// Refuses an iteration that does not fit its window: a decode would run past its horizon.
template <class View>
void check_fits(const Iteration<View>& out, Window window) {
  const auto room = static_cast<std::size_t>(window.drafts) + (window.bonus ? 1 : 0);
  if (out.tokens.size() > room || out.accepted < 0 || out.accepted > window.drafts) {
    throw ContractError(
        "a verifier accepted or emitted more tokens than its window of drafts allows");
  }
}

/// Refuses an iteration that emits nothing where a decode continues: it would never end.
/// @param emitted  number of tokens
inline void check_progress(std::size_t emitted, Ending ending) {
  if (emitted == 0 && ending != Ending::undefined) {
    throw ContractError("a verifier must emit a token");
  }
}

}  // namespace speclab
