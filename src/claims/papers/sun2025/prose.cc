// Sun, Mendlovic, Leviathan, Aharoni, Ro, Beirami, Suresh: "Block Verification Accelerates
// Speculative Decoding" (2025): statements of its running text about token and block verification,
// each decided for every pair.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "claims/battery/small_pairs.h"
#include "claims/engine/examination.h"
#include "claims/engine/ingredient.h"
#include "claims/engine/outcomes.h"
#include "claims/engine/vocabulary.h"
#include "theory/measure.h"

namespace speclab {
namespace sun2025_prose {
namespace {

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .random = {4, 12, 60}};
constexpr SearchSpace kMemoryless{.tokens = 2, .gammas = 2, .denominator = 4};
constexpr SearchSpace kTwoContexts{.tokens = 2, .gammas = 2, .denominator = 2, .states = 2};

// Figure 2, the text below it: tau of token verification as an arg min over its coins.

/// P(tau = i), i = 0 .. gamma, where tau is the smallest i with eta_i <= h_i (0 where none is), or
/// else one less than the smallest i with eta_i > h_i (gamma where none is). The coins of a drafted
/// path are independent.
std::vector<Rational> law_of_first(const Instance& instance, bool accepted) {
  const auto length = static_cast<std::size_t>(instance.gamma);
  std::vector<Rational> law(length + 1);
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : whole_paths(*instance.rows, start.state, instance.gamma)) {
      Rational left = start.probability * path.draft;
      State state = start.state;
      for (std::size_t i = 0; i < length && left > 0; ++i) {
        const auto x = static_cast<std::size_t>(path.tokens[i]);
        const Rational coin = ingredient(
            "sun2025.figure2.coin",
            lesser<Rational>(1, instance.rows->target(state)[x] / instance.rows->draft(state)[x]));
        const Rational ends = left * (accepted ? coin : Rational(1 - coin));
        law[accepted ? i + 1 : i] += ends;
        left -= ends;
        state = instance.rows->next(state, path.tokens[i]);
      }
      law[accepted ? 0 : length] += left;
    }
  }
  return law;
}

Comparisons compare_first(const Instance& instance, bool accepted) {
  const auto of_coins = law_of_first(instance, accepted);
  const auto found = exact_answer("token", instance).fractions(QuantityId::accepted_law);
  Comparisons says;
  for (std::size_t i = 1; i < of_coins.size(); ++i) {
    says.equal(of_coins[i], found[i], "P(tau = {}) by the arg min, against Algorithm 1", i);
  }
  return says;
}

constexpr ClaimRow kArgMin{
    .id = "sun2025.figure2.argmin",
    .source = "sun2025 section 3, below Figure 2: \"tau = arg min{eta_i <= h_i}\"",
    .statement = "tau of Algorithm 1 is the smallest i with eta_i <= h_i",
    .hypotheses = "any pair, any gamma; tau = 0 where no coin accepts",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return compare_first(at, true); },
    .places = {kMemoryless, NamedPair{kToy, 2}},
    .correction = {"with > in place of <=, less 1: tau + 1 is the smallest i with eta_i > h_i, and "
                   "tau = gamma where there is none",
                   [](const Instance& at) { return compare_first(at, false); },
                   {kMemoryless, kTwoContexts, kBattery}},
    .bites = {{halved("sun2025.figure2.coin"), replaced("token", "block")}},
};

// Section 3: "a strict improvement over the standard token verification (Theorem 2)".

/// Whether some drafted path has w_{i-1} strictly between 0 and 1 and then t > d: there block
/// recovers what token has lost.
bool recovers(const Instance& at) {
  const Rows<Rational>& rows = *at.rows;
  for (const Start& start : at.pair().start()) {
    for (const PathLaws& path : drafted_paths(at, start.state)) {
      bool lost = false;
      State state = start.state;
      for (const Token x : path.tokens) {
        const auto i = static_cast<std::size_t>(x);
        const Rational& drafted = rows.draft(state)[i];
        const Rational& wanted = rows.target(state)[i];
        if (wanted == 0) break;
        if (lost && wanted > drafted) return true;
        lost = lost || wanted < drafted;
        state = rows.next(state, x);
      }
    }
  }
  return false;
}
bool never_recovers(const Instance& at) { return !recovers(at); }

constexpr ClaimRow kStrict{
    .id = "sun2025.section3.strict",
    .source = "this project, after sun2025 section 3: \"a strict improvement\" over token",
    .statement =
        "E[tau] of block > E[tau] of token if and only if some drafted path x^i, i <= gamma, "
        "T(x^i) > 0, has a token with t < d and after it one with t > d; else they are equal",
    .hypotheses =
        "the paper has it equal at gamma = 1 and at temperature 0; where it is strict is settled "
        "here",
    .check = above(tau("block"), tau("token")).where(recovers) &&
             equal(tau("block"), tau("token")).where(never_recovers),
    .places = {kMemoryless, kTwoContexts, kBattery},
    .bites = {{replaced("block", "token"), replaced("token", "block")}},
};

// Section 6.1 says of its averages that they grow with gamma; here of every pair.

std::vector<Rational> third(int a) { return {Rational(a, 3), Rational(3 - a, 3)}; }
std::vector<Rational> half(int a) { return {Rational(a, 2), Rational(2 - a, 2)}; }

/// Three contexts and denominators of 3; no pair of fewer contexts (denominators to 8), or of three
/// and denominators of 2, was found. Then the toy pair at two positions, after which the models
/// agree, except after (0, 1), where they are disjoint.
std::vector<Instance> improvement_falls(Effort) {
  const std::vector<AutomatonState> three{
      {third(0), third(1), {1, 2}}, {third(0), third(3), {0, 0}}, {third(1), third(2), {1, 0}}};
  const std::vector<AutomatonState> toy{{third(2), third(1), {1, 2}},
                                        {third(2), third(1), {3, 4}},
                                        {third(2), third(1), {3, 3}},
                                        {third(3), third(3), {3, 3}},
                                        {third(3), third(0), {4, 4}}};
  return {listed_automaton(three, 2), listed_automaton(three, 3), listed_automaton(toy, 2),
          listed_automaton(toy, 3)};
}

Rational improvement(const Instance& at) {
  return (accepted("block", at) + 1) / (accepted("token", at) + 1) - 1;
}

Comparisons improvement_grows(const Instance& instance) {
  Instance longer = instance;
  ++longer.gamma;
  Comparisons says;
  says.at_least(ingredient("sun2025.section6.longer", improvement(longer)), improvement(instance),
                "E[N(1)] of block over that of token, less 1, at gamma + 1 against gamma");
  return says;
}

/// The second of the pairs at four lengths.
void note_improvement(Examination& examination) {
  Instance toy = improvement_falls(Effort::quick).back();
  std::string detail = "improvement at gamma = 2 .. 5:";
  for (toy.gamma = 2; toy.gamma <= 5; ++toy.gamma) detail += " " + to_text(improvement(toy));
  examination.note(toy, Method::exact, detail);
}

constexpr ClaimRow kImprovementGrows{
    .id = "sun2025.section6.improvement",
    .source = "this project, after sun2025 section 6.1, of the relative improvement along gamma",
    .statement = "E[N(1)] of block / E[N(1)] of token does not fall as gamma grows",
    .hypotheses = "every pair; the paper speaks of its averages (sun2025.figure4)",
    .recorded = ClaimVerdict::refuted,
    .check = improvement_grows,
    .places = {Family{"three contexts; the toy pair for two tokens", improvement_falls},
               SearchSpace{.tokens = 2, .gammas = {2, 3, 4}, .denominator = {4, 6, 8}},
               SearchSpace{.tokens = 2, .gammas = 2, .denominator = 2, .states = 2}},
    .extra = note_improvement,
    .bites = {{raised("sun2025.section6.longer")}},
};

/// Three contexts at gamma = 7; no pair of fewer (denominators to 4) was found, nor one of three at
/// a smaller gamma with denominators of 2; more contexts fall earlier. Then eleven, at gamma = 6.
std::vector<Instance> efficiency_falls(Effort) {
  const std::vector<Rational> zero = half(2);
  std::vector<AutomatonState> known;
  for (State i = 1; i <= 7; ++i) known.push_back({zero, zero, {i, i}});
  known.push_back({zero, half(1), {8, 9}});
  known.push_back({half(1), zero, {10, 10}});
  known.push_back({zero, half(0), {10, 10}});
  known.push_back({zero, zero, {10, 10}});
  return {
      listed_automaton(
          {{half(0), half(1), {1, 2}}, {half(0), half(2), {0, 0}}, {half(1), half(0), {0, 0}}}, 7),
      listed_automaton(std::move(known), 6)};
}

constexpr ClaimRow kEfficiencyGrows{
    .id = "sun2025.section6.efficiency",
    .source = "this project, after sun2025 section 6.1, of the block efficiency along gamma",
    .statement = "E[N(i)] of block does not fall as gamma grows, i = 1, 2",
    .hypotheses = "every pair; the paper speaks of its averages (sun2025.figure4)",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = grows_in_gamma(tokens("block", 2)),
    .places = {Family{"three contexts; eleven contexts", efficiency_falls}},
    .correction =
        {"at i = 1, where P(tau >= l) does not depend on gamma, and for pairs without context",
         grows_in_gamma(tokens("block", 1)) &&
             grows_in_gamma(tokens("block", 3)).where([](const Instance& at) {
               return at.pair().memoryless();
             }),
         {kBattery, kTwoContexts}},
    .bites = {{replaced("block", "autoregressive")}},
};

// Theorem 2 against token verification: the proof's one device. Token verification's output is the
// target's, and an output token y was a draft that was accepted with probability min(d, t)(y) /
// t(y) whatever else happened. So an iteration that starts after s tokens ends at min(the first
// refused position after s, s + gamma + 1), which is monotone in s.

/// The marks of one output: P(N(i) >= least | O = x) from a start, by the marks alone.
class MarkedOutput {
 public:
  MarkedOutput(const Instance& instance, State state, const TokenPath& output)
      : gamma_(instance.gamma) {
    for (const Token token : output) {
      const auto x = static_cast<std::size_t>(token);
      const Rational& wanted = instance.rows->target(state)[x];
      kept_.push_back(ingredient("sun2025.theorem2.mark",
                                 lesser<Rational>(1, instance.rows->draft(state)[x] / wanted)));
      state = instance.rows->next(state, token);
    }
  }

  /// P(the start after i iterations from `start` is >= least).
  [[nodiscard]] Rational reaches(int iterations, int start, int least) const {
    if (start >= least) return 1;
    if (iterations == 0) return 0;
    Rational total(0);
    Rational left(1);
    int at = start + 1;
    for (; at <= start + gamma_ && at < least; ++at) {
      const Rational& keeps = kept_[static_cast<std::size_t>(at) - 1];
      total += left * (1 - keeps) * reaches(iterations - 1, at, least);
      left *= keeps;
    }
    return total + left * reaches(iterations - 1, at, least);
  }

 private:
  int gamma_;
  std::vector<Rational> kept_;
};

Comparisons marks(const Instance& printed) {
  const Instance instance = without_end(printed);
  const int length = instance.gamma + 2;
  Comparisons says;
  for (const Start& start : instance.pair().start()) {
    Decoding token("token", instance);
    for (const PathLaws& path : whole_paths(*instance.rows, start.state, length)) {
      if (path.target == 0) continue;
      const MarkedOutput marked(instance, start.state, path.tokens);
      for (int i = 1; i <= instance.depth; ++i) {
        for (int least = 1; least <= length; ++least) {
          const Rational reached = marked.reaches(i, 0, least);
          says.equal(token.reached(start.state, path.tokens, i, least), path.target * reached,
                     "P(O = {}, N({}) >= {}) of token against its marks", path_text(path.tokens), i,
                     least);
          says.at_least(marked.reaches(i, 1, least), reached,
                        "P(N({}) >= {} | O = {}) from the second token against the first", i, least,
                        path_text(path.tokens));
        }
      }
    }
  }
  return says;
}

void note_proof(Examination& examination) {
  examination.note(
      make_instance(kToy, 2), Method::exact,
      "proof for every i and gamma: given the output O, token's next start f(s) = min(first "
      "refused mark after s, s + gamma + 1) is monotone in s, and marks are independent; given O, "
      "N(1) of block dominates N(1) of token (Lemma 5, i = 1, where it holds); so one iteration of "
      "block and i - 1 of token decode at least as many tokens as i of token; after block's "
      "iteration the rest of O is the target's again, so induction on i replaces the others");
}

constexpr ClaimRow kMarks{
    .id = "sun2025.theorem2.token.marks",
    .source = "sun2025 Theorem 2, last line: a proof for every i",
    .statement =
        "given the output, N(i) of token is the i-th start by independent marks min(1, d/t), and "
        "it is monotone in the first start",
    .hypotheses = "any pair, any gamma",
    .check = marks,
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .denominator = 2, .states = 2},
               SearchSpace{.tokens = 3, .gammas = 2, .denominator = {2, 3, 4}}},
    .extra = note_proof,
    .depth = 3,
    .bites = {{replaced("token", "block"), halved("sun2025.theorem2.mark"),
               replaced("token", "wrong-always-accept")}},
};

constexpr ClaimRow kClaims[] = {kArgMin, kStrict, kImprovementGrows, kEfficiencyGrows, kMarks};

}  // namespace
}  // namespace sun2025_prose

Claims sun2025_prose_claims() { return sun2025_prose::kClaims; }

}  // namespace speclab
