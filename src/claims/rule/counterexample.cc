#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "claims/battery/battery.h"
#include "claims/engine/paths.h"
#include "claims/rule/rule_check.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// The target's joint law of so many tokens; an output that an end-of-sequence token ends is
/// shorter.
std::map<std::vector<Token>, Rational> target_law(const Instance& instance, int horizon) {
  std::map<std::vector<Token>, Rational> law;
  const auto end = instance.pair().end_token();
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : whole_paths(*instance.rows, start.state, horizon)) {
      std::vector<Token> tokens = path.tokens;
      if (end) {
        const auto first = std::find(tokens.begin(), tokens.end(), *end);
        if (first != tokens.end()) tokens.erase(first + 1, tokens.end());
      }
      law[tokens] += start.probability * path.target;
    }
  }
  return law;
}

/// Laws of the largest denominator in the search for a smaller pair.
constexpr int kSmallDenominator = 6;

}  // namespace

Answer rule_answer(std::string_view verifier, const Instance& instance, std::optional<int> horizon,
                   int iterations, bool law) {
  constexpr double kMostPaths = 3e5;
  return instance.bench->answer(question_of(verifier, instance, horizon, iterations, law),
                                ByEnumeration{.max_paths = kMostPaths, .predictions = false});
}

bool known_wrong(std::string_view verifier, const Instance& instance, int horizon) {
  const Answer answer = rule_answer(verifier, instance, horizon);
  const Value* tv = answer.find(QuantityId::tv_to_target);
  return tv != nullptr && tv->fraction.value_or(Rational(0)) != 0;
}

RuleCounterexample describe_counterexample(std::string_view verifier, const Instance& instance,
                                           int horizon) {
  RuleCounterexample found;
  found.pair = instance.name();
  found.gamma = instance.gamma;
  for (found.horizon = 1; found.horizon < horizon; ++found.horizon) {
    if (known_wrong(verifier, instance, found.horizon)) break;
  }
  const Answer answer = rule_answer(verifier, instance, found.horizon, 0, /*law=*/true);
  found.tv = answer.fraction(QuantityId::tv_to_target);
  std::map<std::vector<Token>, std::pair<Rational, Rational>> both;
  // Where every output is undefined there is no law.
  if (const auto* law = answer.found.find(QuantityId::output_law)) {
    for (const auto& [tokens, value] : law->values) {
      both[std::vector<Token>(tokens.begin(), tokens.end())].first = *value.fraction;
    }
  }
  for (const auto& [tokens, probability] : target_law(instance, found.horizon)) {
    both[tokens].second += probability;
  }
  Rational most(0);
  for (const auto& [tokens, law] : both) {
    const Rational off = abs(Rational(law.first - law.second));
    if (off <= most) continue;
    most = off;
    found.tokens = tokens;
    found.output = law.first;
    found.target = law.second;
  }
  return found;
}

std::optional<RuleCounterexample> smaller_counterexample(std::string_view verifier,
                                                         const Instance& than, std::size_t most) {
  const auto fixed = fixed_gamma(make_verifier(verifier));
  const SearchSpace space{.tokens = than.pair().vocabulary(),
                          .least_gamma = fixed.value_or(1),
                          .gammas = than.gamma,
                          .denominator = kSmallDenominator,
                          .memoryless = true};
  std::optional<RuleCounterexample> found;
  std::size_t seen = 0;
  enumerate_pairs(space, Effort::standard, [&](const Instance& instance) {
    if (seen++ == most) return true;
    check_interrupted();
    const int horizon = instance.gamma + 2;
    if (!known_wrong(verifier, instance, horizon)) return false;
    found = describe_counterexample(verifier, instance, horizon);
    return true;
  });
  return found;
}

RuleProof prove_rule(const Verifier& verifier, std::uint64_t most_queries) {
  RuleProof proof;
  const auto fixed = fixed_gamma(verifier);
  const TheoremQuestion theorems[] = {{.verifier = verifier,
                                       .contexts = Contexts::iid,
                                       .vocabulary = 2,
                                       .gamma = fixed.value_or(2)},
                                      {.verifier = verifier,
                                       .contexts = Contexts::tree,
                                       .vocabulary = 2,
                                       .gamma = fixed.value_or(1)}};
  for (const TheoremQuestion& theorem : theorems) {
    check_interrupted();
    TheoremAnswer answer;
    try {
      answer = prove(theorem, most_queries);
    } catch (const Error& error) {
      if (error.code() == ExitCode::interrupted) throw;
      proof.verdict.reset();
      proof.detail = error.what();
      return proof;
    }
    const std::string what =
        fmt::format("{} pairs, gamma {}: {} cells", contexts_name(theorem.contexts), theorem.gamma,
                    answer.cells);
    proof.detail += (proof.detail.empty() ? "" : "; ") + what;
    if (answer.verdict == TheoremVerdict::refuted) {
      const Instance instance = make_instance(answer.counterexample, answer.gamma);
      proof.verdict = answer.verdict;
      proof.detail = answer.detail;
      const int horizon = answer.gamma + 1;
      if (known_wrong(verifier.name, instance, horizon)) {
        proof.counterexample = describe_counterexample(verifier.name, instance, horizon);
      }
      return proof;
    }
    if (answer.open > 0) proof.detail += fmt::format(", {} undecided", answer.open);
    if (!proof.verdict || answer.verdict == TheoremVerdict::undecided) {
      proof.verdict = answer.verdict;
    }
  }
  return proof;
}

}  // namespace speclab
