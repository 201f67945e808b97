#include "prove/theorem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/text.h"
#include "prove/programs.h"

namespace speclab {
namespace {

Outcomes outcomes_of(const Theorem& theorem, const Verifier& verifier, const Rows<Number>& rows) {
  Outcomes outcomes;
  const ProofEntry* entry =
      theorem.entry != nullptr ? theorem.entry : proof_program(*verifier.info).entry;
  entry->iteration(verifier.program.get(), rows, theorem.family.gamma(),
                   theorem.property == Property::lossless, outcomes);
  return outcomes;
}

std::vector<Goal> lossless_goals(const Theorem& theorem, const Rows<Number>& rows) {
  const Outcomes outcomes = outcomes_of(theorem, theorem.verifier, rows);
  std::vector<Goal> goals{{outcomes.undefined.function(), kZero, "the probability of a 0/0"}};
  std::map<std::vector<Token>, Number> target;
  std::vector<Token> tokens;
  go_on(PairView<Number>(rows), State{0}, tokens, Number(1),
        static_cast<std::size_t>(theorem.family.gamma()) + 1, target);
  std::map<std::vector<Token>, Number> differences = target;
  for (auto& [sequence, probability] : differences) probability = Number(0) - probability;
  for (const auto& [sequence, probability] : outcomes.law) differences[sequence] += probability;
  for (const auto& [sequence, difference] : differences) {
    goals.push_back({difference.function(), kZero,
                     fmt::format("the probability of the tokens ({})", fmt::join(sequence, ","))});
  }
  return goals;
}

}  // namespace

std::string Theorem::property_text() const {
  switch (property) {
    case Property::equals:
      return "equals:" + other->name;
    case Property::at_least:
      return "at-least:" + other->name;
    case Property::lossless:
      break;
  }
  return "lossless";
}

void read_property(const std::string& text, Theorem& theorem) {
  const auto colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (text == "lossless") {
    theorem.property = Property::lossless;
  } else if ((kind == "equals" || kind == "at-least") && !rest.empty()) {
    theorem.property = kind == "equals" ? Property::equals : Property::at_least;
    theorem.other = make_verifier(rest);
  } else {
    throw InputError("'" + abbreviate(text) +
                     "' is no property; there are lossless, equals:VERIFIER and at-least:VERIFIER");
  }
}

bool symmetric(const Theorem& theorem) {
  const auto blind = [](const Verifier& verifier) {
    return verifier.info->kind == VerifierKind::lossless && !verifier.info->lacks.token_names;
  };
  return blind(theorem.verifier) && (!theorem.other || blind(*theorem.other));
}

void check_provable(const Theorem& theorem) {
  if (theorem.entry != nullptr) return;
  const auto check = [](const Verifier& verifier) {
    const VerifierInfo& info = *verifier.info;
    const ProofProgram program = proof_program(*verifier.info);
    if (program.entry == nullptr) {
      throw InputError(fmt::format("{} cannot be proved: {}", verifier.name, program.reason));
    }
    if (!verifier.inputs.empty()) {
      throw InputError(
          fmt::format("{} cannot be proved: its file was made for one pair", verifier.name));
    }
    if (!info.exact) {
      throw InputError(
          fmt::format("{} cannot be proved: it rounds, so that it is no piecewise rational "
                      "function of the pair",
                      verifier.name));
    }
  };
  check(theorem.verifier);
  if (theorem.other) check(*theorem.other);
}

std::vector<Goal> goals_of(const Theorem& theorem) {
  const Rows<Number> rows(theorem.family);
  if (theorem.property == Property::lossless) return lossless_goals(theorem, rows);
  const Outcomes mine = outcomes_of(theorem, theorem.verifier, rows);
  const Outcomes others = outcomes_of(theorem, *theorem.other, rows);
  return {{(mine.accepted - others.accepted).function(),
           theorem.property == Property::equals ? kZero : kNotNegative,
           "the expected accepted tokens"}};
}

}  // namespace speclab
