#include "prove/theorem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "prove/step.h"

namespace speclab {
namespace {

ProofOutcomes outcomes_of(const Theorem& theorem, const Verifier& verifier,
                          const Rows<Number>& rows, const ProofRun& run, bool law) {
  ProofOutcomes outcomes;
  const ProofProgram program = theorem.program ? *theorem.program : *verifier.runs->proof;
  run_iteration(program, verifier.program.get(), rows, run, law, outcomes);
  return outcomes;
}

void add_lossless_goals(const ProofOutcomes& outcomes, const Rows<Number>& rows,
                        const ProofRun& run, std::vector<Goal>& goals) {
  goals.push_back({outcomes.undefined.function(), kZero, "the probability of a 0/0", run});
  std::map<std::vector<Token>, Number> target;
  std::vector<Token> tokens;
  go_on(PairView<Number>(rows), run.start, tokens, Number(1),
        static_cast<std::size_t>(run.gamma) + 1, target);
  std::map<std::vector<Token>, Number> differences = target;
  for (auto& [sequence, probability] : differences) probability = Number(0) - probability;
  for (const auto& [sequence, probability] : outcomes.law) differences[sequence] += probability;
  for (const auto& [sequence, difference] : differences) {
    goals.push_back({difference.function(), kZero,
                     fmt::format("the probability of the tokens ({})", fmt::join(sequence, ",")),
                     run});
  }
}

/// Whether a goal fails at the sample of the current run.
bool fails_here(const std::vector<Goal>& goals) {
  return std::any_of(goals.begin(), goals.end(), [](const Goal& goal) {
    return (current_run().sign_here(goal.difference) & goal.wanted) == 0;
  });
}

std::vector<Goal> lossless_goals(const Theorem& theorem, const Rows<Number>& rows) {
  std::vector<Goal> goals;
  std::vector<ProofOutcomes> all;
  for (const ProofRun& run : theorem.family.runs()) {
    all.push_back(outcomes_of(theorem, theorem.verifier, rows, run, true));
    add_lossless_goals(all.back(), rows, run, goals);
  }
  if (theorem.family.every_gamma() && !fails_here(goals)) {
    const ProofOutcomes last =
        outcomes_of(theorem, theorem.verifier, rows, {AllPairs::kForced, 1}, false);
    check_induction(theorem, all.front(), all.back(), last, rows.target(AllPairs::kForced).back());
  }
  return goals;
}

}  // namespace

std::string Theorem::text() const {
  return fmt::format(
      "{}: {}, for {}, {}", verifier.name, property_text(), family.text(),
      family.every_gamma() ? "every draft length" : fmt::format("draft length {}", family.gamma()));
}

std::string Theorem::property_text() const {
  switch (property) {
    case TheoremProperty::equals:
      return "equals:" + other->name;
    case TheoremProperty::at_least:
      return "at-least:" + other->name;
    case TheoremProperty::predicts:
      return "predicts:" + std::string(form->claim);
    case TheoremProperty::lossless:
      break;
  }
  return "lossless";
}

void read_property(const std::string& text, Theorem& theorem) {
  const auto colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (text == "lossless") {
    theorem.property = TheoremProperty::lossless;
  } else if ((kind == "equals" || kind == "at-least") && !rest.empty()) {
    theorem.property = kind == "equals" ? TheoremProperty::equals : TheoremProperty::at_least;
    theorem.other = make_verifier(rest);
  } else if (kind == "predicts" && !rest.empty()) {
    theorem.property = TheoremProperty::predicts;
    theorem.form = &closed_form_of(rest, theorem.verifier);
  } else {
    throw InputError("'" + abbreviate(text) +
                     "' is not a property; give lossless, equals:VERIFIER, at-least:VERIFIER or "
                     "predicts:CLAIM");
  }
}

bool symmetric(const Theorem& theorem) {
  const auto blind = [](const Verifier& verifier) {
    return verifier.info->kind == VerifierKind::lossless && !verifier.info->lacks.token_names;
  };
  return blind(theorem.verifier) && (!theorem.other || blind(*theorem.other));
}

void check_provable(const Theorem& theorem) {
  if (theorem.family.every_gamma()) check_step(theorem);
  if (theorem.program) return;
  const auto check = [](const Verifier& verifier) {
    const VerifierInfo& info = *verifier.info;
    const ProofProgram& program = *verifier.runs->proof;
    if (!program.runs()) {
      throw InputError(fmt::format("{} cannot be proved: {}", verifier.name, program.reason));
    }
    if (!verifier.inputs.empty()) {
      throw InputError(fmt::format("{} cannot be proved: its file is for one pair", verifier.name));
    }
    if (!info.exact) {
      throw InputError(
          fmt::format("{} cannot be proved: it rounds, so that it is not a piecewise rational "
                      "function of the pair",
                      verifier.name));
    }
  };
  check(theorem.verifier);
  if (theorem.other) check(*theorem.other);
}

std::vector<Goal> goals_of(const Theorem& theorem) {
  const Rows<Number> rows(theorem.family);
  if (theorem.property == TheoremProperty::lossless) return lossless_goals(theorem, rows);
  const ProofRun run = theorem.family.runs().front();
  const ProofOutcomes mine = outcomes_of(theorem, theorem.verifier, rows, run, false);
  const Number other = theorem.property == TheoremProperty::predicts
                           ? theorem.form->accepted(rows, theorem.verifier, run.gamma)
                           : outcomes_of(theorem, *theorem.other, rows, run, false).accepted;
  return {{(mine.accepted - other).function(),
           theorem.property == TheoremProperty::at_least ? kNotNegative : kZero,
           "the expected accepted tokens", run}};
}

}  // namespace speclab
