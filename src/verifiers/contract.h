#pragma once

#include <stdexcept>

#include "verifiers/iteration.h"

namespace speclab {

/// A verifier broke its contract (see choices.h): an error in the verifier, not in its input.
/// The message is one line; the program ends with exit code 70.
struct ContractError : std::logic_error {
  using std::logic_error::logic_error;
};

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
