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

bool without_weight(const std::vector<ProofOutcomes::Pause>& pauses) {
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

void check_induction(const Theorem& theorem, const ProofOutcomes& node, const ProofOutcomes& forced,
                     const ProofOutcomes& last, const Number& ratio) {
  if (!(forced.some_accepted == last.some_accepted)) {
    refuse(theorem, "how often it refuses a prefix depends on how many drafts are left");
  }
  if (without_weight(node.pauses) && without_weight(forced.pauses)) return;
  const auto check = [&theorem](const ProofOutcomes::Pause& pause) {
    if (pause.weight < 0 || pause.weight > 1) {
      refuse(theorem, "the weight of a prefix is outside [0, 1]");
    }
  };
  std::for_each(node.pauses.begin(), node.pauses.end(), check);
  std::for_each(forced.pauses.begin(), forced.pauses.end(), check);
  for (const ProofOutcomes::Pause& pause : forced.pauses) {
    if (pause.length == 1 && !(pause.weight == ratio)) {
      refuse(theorem, "the weight of a prefix that the draft is certain of is not its ratio t/d");
    }
  }
}

}  // namespace speclab
