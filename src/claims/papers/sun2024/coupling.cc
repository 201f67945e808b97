// Sun, Ro, Beirami, Suresh: "Optimal Block-Level Draft Verification for Accelerating Speculative
// Decoding" (2024): from drafts to couplings and back, and what sections 3 and 4 say besides the
// optimum.
#include "claims/papers/sun2024/coupling.h"

#include <fmt/format.h>

#include <algorithm>

#include "claims/engine/ingredient.h"
#include "claims/engine/optimum.h"
#include "claims/engine/outcomes.h"
#include "claims/engine/row.h"
#include "theory/sun2024.h"

namespace speclab {
namespace sun2024_coupling {
namespace {

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .random = {4, 12, 40}};
constexpr SearchSpace kTwoContexts{.tokens = 2, .gammas = 2, .denominator = 2, .states = 2};

/// E[tau] of greedy-block with X drawn from the target, as printed, or from the draft.
Comparisons lemma3(const Instance& instance, bool printed) {
  Budget budget;
  const Rational minima = ingredient(
      "sun2024.lemma3.formula",
      expectation(greedy_tail(*instance.rows, start_law(*instance.rows), instance.gamma, budget)));
  Rational mean(0);
  for (const Start& start : instance.pair().start()) {
    for (const BlockOutcome& outcome : outcomes("greedy-block", instance, start.state)) {
      const PathLaws laws = follow(*instance.rows, start.state, outcome.draft);
      const Rational share = printed ? Rational(laws.target / laws.draft) : Rational(1);
      mean += start.probability * outcome.weight * share * outcome.accepted;
    }
  }
  return {{fmt::format("E[tau] of greedy-block, X ~ the {}, against sum min(D, T)",
                       printed ? "target" : "draft"),
           mean, Order::equal, minima}};
}

constexpr ClaimRow kLemma3{
    .id = "sun2024.lemma3",
    .source = "sun2024 Lemma 3",
    .statement = "E_{X ~ T^gamma}[tau] of greedy-block = sum_{i=1..gamma} sum_x min(D, T)",
    .hypotheses = "supp t within supp d, so that tau is defined where X ~ T",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return lemma3(at, true); },
    .places = {Place(SearchSpace{.tokens = 2, .gammas = 2, .denominator = 4}).only(kCovered),
               NamedPair{kToy, 1}, NamedPair{kToy, 2}},
    .correction = {"with X ~ D^gamma, from which Algorithm 3 is given its block",
                   [](const Instance& at) { return lemma3(at, false); },
                   {kBattery, kTwoContexts}},
    .bites = {{raised("sun2024.lemma3.formula"), replaced("greedy-block", "token")}},
};

/// P(tau = l | X^gamma = x) of token verification, l = 0 .. gamma.
Comparisons lemma4(const Instance& instance) {
  Comparisons says;
  for (const Start& start : instance.pair().start()) {
    std::map<TokenPath, std::map<int, Rational>> masses;
    for (const BlockOutcome& outcome : outcomes("token", instance, start.state)) {
      masses[outcome.draft][outcome.accepted] += outcome.weight;
    }
    for (auto& [draft, of_tau] : masses) {
      Rational kept(1);
      State state = start.state;
      const Rational whole = follow(*instance.rows, start.state, draft).draft;
      for (std::size_t l = 0; l < draft.size(); ++l) {
        const auto x = static_cast<std::size_t>(draft[l]);
        const Rational rate =
            min_one<Rational>(instance.rows->target(state)[x] / instance.rows->draft(state)[x]);
        says.equal(of_tau[static_cast<int>(l)] / whole,
                   ingredient("sun2024.lemma4.formula", Rational(kept * (1 - rate))),
                   "P(tau = {} | X = {}) of token", l, path_text(draft));
        kept *= rate;
        state = instance.rows->next(state, draft[l]);
      }
      says.equal(ingredient("sun2024.lemma4.whole", Rational(of_tau[instance.gamma] / whole)), kept,
                 "P(tau = gamma | X = {}) of token", path_text(draft));
    }
  }
  return says;
}

constexpr ClaimRow kLemma4{
    .id = "sun2024.lemma4",
    .source = "sun2024 Lemma 4",
    .statement = "P(tau = l | X = x) of token = prod_{i<=l} min(1, t/d) (1 - min(1, t/d) at l + 1)",
    .hypotheses = "D(x) > 0; at l = gamma without the last factor",
    .check = lemma4,
    .places = {kBattery, kTwoContexts},
    .bites = {{replaced("token", "block"), raised("sun2024.lemma4.formula"),
               zeroed("sun2024.lemma4.whole")}},
};

/// Remark 1: what is accepted is no sample of the target; with the correction it is.
Comparisons remark1(const Instance& instance) {
  Rational zero_accepted(0);
  Rational one_accepted(0);
  Rational zero(0);
  for (const BlockOutcome& outcome : outcomes("token", instance, instance.start())) {
    if (outcome.accepted == 1) {
      (outcome.draft.front() == 0 ? zero_accepted : one_accepted) += outcome.weight;
    }
    if (outcome.defined() && outcome.tokens.front() == 0) zero += outcome.weight;
  }
  return {{"P(0 is accepted)", zero_accepted, Order::equal, Rational(0)},
          {"P(1 is accepted)", one_accepted, Order::equal, Rational(1, 2)},
          {"P(the first token is 0), correction included", ingredient("sun2024.remark1.zero", zero),
           Order::equal, Rational(1, 2)}};
}

constexpr ClaimRow kRemark1{
    .id = "sun2024.remark1",
    .source = "sun2024 Remark 1",
    .statement =
        "Ber(1) drafts, Ber(1/2) target, L=1: 1 is accepted with 1/2, 0 never; corrected to 0 the "
        "output is Ber(1/2)",
    .hypotheses = "the remark's pair",
    .check = remark1,
    .places = {NamedPair{"bernoulli(draft=1,target=1/2)", 1}},
    .bites = {{replaced("token", "token-listing-printed"), raised("sun2024.remark1.zero")}},
};

/// The first token that is added is never the draft's: beta(X, Y) = tau.
Comparisons beta_is_tau(const Instance& instance) {
  Comparisons says;
  for (const std::string_view verifier : {"token", "block", "greedy-block"}) {
    Rational alike(0);
    for (const Start& start : instance.pair().start()) {
      for (const BlockOutcome& outcome : outcomes(verifier, instance, start.state)) {
        const auto tau = static_cast<std::size_t>(outcome.accepted);
        if (outcome.defined() && tau < outcome.draft.size() &&
            outcome.tokens[tau] == outcome.draft[tau]) {
          alike += outcome.weight;
        }
      }
    }
    says.equal(ingredient("sun2024.beta.alike", alike), Rational(0), "P(Y = X_(tau+1)) of {}",
               verifier);
  }
  return says;
}

constexpr ClaimRow kBeta{
    .id = "sun2024.appendixA.beta",
    .source = "sun2024 appendix A, first paragraph",
    .statement = "the corrected token is never the draft's: beta(X, Y) = tau",
    .hypotheses = "token, and block and greedy-block too",
    .check = beta_is_tau,
    .places = {kBattery, kTwoContexts},
    .bites = {{raised("sun2024.beta.alike"), replaced("block", "wrong-first-failure")}},
};

/// The coupling of X ~ D^gamma and Y ~ T^gamma that lays both laws along [0, 1) in the order of
/// their blocks.
std::vector<CoupledBlocks> along_a_line(const Instance& instance, State start) {
  const std::vector<PathLaws> paths = whole_paths(*instance.rows, start, instance.gamma);
  std::vector<CoupledBlocks> shared;
  auto output = paths.begin();
  Rational left = output->target;
  for (const PathLaws& path : paths) {
    Rational mass = path.draft;
    while (mass > 0) {
      while (left == 0) left = (++output)->target;
      const Rational part = lesser(mass, left);
      shared.push_back({path.tokens, output->tokens, part});
      mass -= part;
      left -= part;
    }
  }
  return shared;
}

/// P_pi(beta = l | X = x) at each x and l, beta the common prefix of the two blocks.
std::map<std::pair<TokenPath, int>, Rational> prefix_law(const std::vector<CoupledBlocks>& pi) {
  std::map<std::pair<TokenPath, int>, Rational> law;
  std::map<TokenPath, Rational> drafted;
  for (const CoupledBlocks& blocks : pi) {
    const auto differ =
        std::mismatch(blocks.draft.begin(), blocks.draft.end(), blocks.output.begin()).first;
    law[{blocks.draft, static_cast<int>(differ - blocks.draft.begin())}] += blocks.mass;
    drafted[blocks.draft] += blocks.mass;
  }
  for (auto& [key, mass] : law) mass /= drafted[key.first];
  return law;
}

/// Verify_pi returns tau = l with P_pi(beta = l | X): on the coupling that a verifier makes it is
/// that verifier's own law of tau. On any coupling E[tau] = E_pi[beta] is at most the optimum.
Comparisons from_coupling(const Instance& instance) {
  Comparisons says;
  Rational mean(0);
  for (const Start& start : instance.pair().start()) {
    for (const std::string_view verifier : {"token", "block"}) {
      auto law = prefix_law(made_coupling(verifier, instance, start.state));
      std::map<std::pair<TokenPath, int>, Rational> of_tau;
      for (const BlockOutcome& outcome : outcomes(verifier, instance, start.state)) {
        of_tau[{outcome.draft, outcome.accepted}] +=
            outcome.weight / follow(*instance.rows, start.state, outcome.draft).draft;
      }
      for (const auto& [key, mass] : of_tau) law.try_emplace(key, 0);
      for (const auto& [key, mass] : law) {
        says.equal(ingredient("sun2024.section3.prefix", mass), of_tau[key],
                   "P(beta = {} | X = {}) of the coupling of {} against its P(tau | X)", key.second,
                   path_text(key.first), verifier);
      }
    }
    for (const auto& [key, mass] : prefix_law(along_a_line(instance, start.state))) {
      mean += start.probability * follow(*instance.rows, start.state, key.first).draft * mass *
              key.second;
    }
  }
  says.at_most(mean, best_coupling(instance),
               "E[tau] of the verifier made from a coupling against the optimum");
  return says;
}

constexpr ClaimRow kFromCoupling{
    .id = "sun2024.section3.verifier",
    .source = "sun2024 section 3, from coupling to draft verification",
    .statement =
        "tau ~ P_pi(beta = l | X): from the coupling of token or block tau has the law of that "
        "verifier, and from any coupling E[tau] is at most the optimum",
    .hypotheses = "any coupling: the one that lays D^gamma and T^gamma along one line",
    .check = from_coupling,
    .places =
        {Place(BatteryShape{.tokens = 3, .gammas = {2, 2, 3}, .random = {4, 12, 40}}).only(kSmall)},
    .bites = {{lowered("sun2024.section3.prefix"), replaced("token", "wrong-first-failure"),
               halved("coupling-program.reward")}},
};

/// X^gamma and Y^gamma = (X^tau, Y, Z) of token verification: both margins.
Comparisons to_coupling(const Instance& instance) {
  Comparisons says;
  for (const Start& start : instance.pair().start()) {
    compare_margins(says, "token", instance, start.state);
  }
  return says;
}

constexpr ClaimRow kToCoupling{
    .id = "sun2024.section3.coupling",
    .source = "sun2024 section 3, from draft verification to a coupling; equations (2), (4), (5)",
    .statement = "token makes a coupling of X ~ D^gamma and Y = (X^tau, Z) ~ T^gamma",
    .hypotheses = "Z: the corrected token, then plain target tokens",
    .check = to_coupling,
    .places = {kBattery, kTwoContexts},
    .bites = {{replaced("token", "wrong-first-failure"), replaced("token", "greedy-block")}},
};

constexpr ClaimRow kClaims[] = {kRemark1, kFromCoupling, kToCoupling, kLemma3, kLemma4, kBeta};

}  // namespace
}  // namespace sun2024_coupling

std::vector<CoupledBlocks> made_coupling(std::string_view verifier, const Instance& instance,
                                         State start) {
  const auto length = static_cast<std::size_t>(instance.gamma);
  std::vector<CoupledBlocks> coupling;
  for (const BlockOutcome& outcome : outcomes(verifier, instance, start)) {
    const State after = follow(*instance.rows, start, outcome.tokens).state;
    const int rest = std::max(instance.gamma - static_cast<int>(outcome.tokens.size()), 0);
    for (const PathLaws& tail : whole_paths(*instance.rows, after, rest)) {
      TokenPath whole = outcome.tokens;
      whole.insert(whole.end(), tail.tokens.begin(), tail.tokens.end());
      whole.resize(length);
      coupling.push_back({outcome.draft, std::move(whole), outcome.weight * tail.target});
    }
  }
  return coupling;
}

void compare_margins(Comparisons& says, std::string_view verifier, const Instance& instance,
                     State start) {
  std::map<TokenPath, Rational> drafted, output;
  for (const CoupledBlocks& blocks : made_coupling(verifier, instance, start)) {
    drafted[blocks.draft] += blocks.mass;
    output[blocks.output] += blocks.mass;
  }
  for (const PathLaws& path : whole_paths(*instance.rows, start, instance.gamma)) {
    const std::string text = path_text(path.tokens);
    says.equal(drafted[path.tokens], path.draft, "P(X = {})", text);
    says.equal(output[path.tokens], path.target, "P(Y = {})", text);
  }
}

Claims sun2024_coupling_claims() { return sun2024_coupling::kClaims; }

}  // namespace speclab
