#include "prove/step.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "run/runs.h"

namespace speclab {
namespace {

[[noreturn]] void refuse(const Theorem& theorem, std::string_view why) {
  throw InputError(
      fmt::format("{} cannot be proved for every draft length at once: {}; give one draft length",
                  theorem.verifier.name, why));
}

bool without_weight(std::span<const ProofOutcomes::Pause> pauses) {
  return std::all_of(pauses.begin(), pauses.end(), [](const ProofOutcomes::Pause& pause) {
    return pause.weight.function() == Functions::kZeroFunction;
  });
}

}  // namespace

void check_step(const Theorem& theorem) {
  if (theorem.property != TheoremProperty::lossless) {
    refuse(theorem, "the induction is of losslessness, not of an expectation");
  }
  const bool carries =
      theorem.program ? theorem.program->plain == nullptr : theorem.verifier.runs->plain == nullptr;
  if (carries) refuse(theorem, "it changes the target of the next iteration");
  if (!theorem.program && !theorem.verifier.runs->merges) {
    refuse(theorem, "it does not say on what its decisions after a prefix depend");
  }
  if (!symmetric(theorem)) refuse(theorem, "it depends on the names of tokens");
}

void check_weights(const Theorem& theorem, std::span<const ProofOutcomes::Pause> from_node,
                   std::span<const ProofOutcomes::Pause> from_forced, const Number& ratio) {
  if (without_weight(from_node) && without_weight(from_forced)) return;
  const auto check = [&theorem](const ProofOutcomes::Pause& pause) {
    if (pause.weight < 0 || pause.weight > 1) {
      refuse(theorem, "the weight of a prefix is outside [0, 1]");
    }
  };
  std::for_each(from_node.begin(), from_node.end(), check);
  std::for_each(from_forced.begin(), from_forced.end(), check);
  for (const ProofOutcomes::Pause& pause : from_forced) {
    if (pause.length == 1 && !(pause.weight == ratio)) {
      refuse(theorem, "the weight of a prefix that the draft is certain of is not its ratio t/d");
    }
  }
}

}  // namespace speclab
