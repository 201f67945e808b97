// Sun, Mendlovic, Leviathan, Aharoni, Ro, Beirami, Suresh: "Block Verification Accelerates
// Speculative Decoding" (2025), appendix B.2: the step at which the proof of Theorem 2 breaks.
#include <fmt/format.h>

#include <algorithm>

#include "claims/engine/ingredient.h"
#include "claims/engine/outcomes.h"
#include "claims/engine/row.h"
#include "claims/papers/sun2025/weights.h"

namespace speclab {
namespace sun2025_proof {
namespace {

constexpr BatteryShape kContexts{.tokens = 2, .gammas = {2, 3, 3}, .random = {4, 6, 20}};

constexpr std::string_view kOthers[] = {"token", "lazy-block", "one-hot-block"};

/// P(O^l = x, N(i) >= l) of the verifier against block's, for every x of l tokens.
Comparisons dominated(const Instance& instance, int iterations) {
  Decoding block("block", instance);
  Comparisons says;
  // Longer outputs say no more: the smallest counterexample is seen within gamma + 3 tokens.
  const int most = std::min(iterations * (instance.gamma + 1), instance.gamma + 3);
  for (const std::string_view verifier : kOthers) {
    Decoding other(verifier, instance);
    for (const Start& start : instance.pair().start()) {
      for (const PathLaws& path : paths_from(*instance.rows, start.state, most)) {
        if (path.tokens.empty() || path.target == 0) continue;
        const int least = static_cast<int>(path.tokens.size());
        says.at_most(other.reached(start.state, path.tokens, iterations, least),
                     ingredient("sun2025.lemma5.block",
                                block.reached(start.state, path.tokens, iterations, least)),
                     "P(O = {}, N({}) >= {}) of {} against block", path_text(path.tokens),
                     iterations, least, verifier);
      }
    }
  }
  return says;
}

constexpr ClaimRow kLemma5{
    .id = "sun2025.lemma5",
    .source = "sun2025 Lemma 5, equation (16)",
    .statement = "P(O = x, N(i) >= l) of a valid verifier <= that of block, for every i, l and x",
    .hypotheses = "for token, one-hot-block and lazy-block",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return dominated(at, 2); },
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .denominator = 4}},
    .correction = {"at i = 1 (equation (19)), and at gamma = 1",
                   [](const Instance& at) { return dominated(at, at.gamma == 1 ? 3 : 1); },
                   {SearchSpace{.tokens = 2, .gammas = {2, 2, 3}, .denominator = 3}, kContexts}},
    .bites = {{replaced("block", "token"), raised("sun2025.lemma5.block")}},
};

constexpr ClaimRow kEquation19{
    .id = "sun2025.equation19",
    .source = "sun2025 section B.2, equations (19), (22), (23)",
    .statement =
        "P(O = x, N(1) >= l) of a valid verifier <= that of block, for every l and x, and so P(tau "
        ">= i | O = x)",
    .hypotheses = "for token, one-hot-block and lazy-block; T(x) > 0",
    .check = [](const Instance& at) { return dominated(at, 1); },
    .places = {SearchSpace{.tokens = 2, .gammas = {2, 2, 3}, .denominator = 3}, kContexts},
    .bites = {{replaced("block", "token"), lowered("sun2025.lemma5.block")}},
};

/// f(eta) = P(tau >= k | O = x) of block for k tokens x that both models take from a context.
Rational accepted_of_output(const std::map<TokenPath, Rational>& reach, const PathLaws& path) {
  return ingredient("sun2025.sectionB2.f", Rational(reach.at(path.tokens) / path.target));
}

/// f against p_k = w_k, or corrected against D/T w_k.
Comparisons f_is_p(const Instance& instance, bool corrected) {
  Comparisons says;
  for (const Start& start : instance.pair().start()) {
    const auto reach = reach_of("block", instance, start.state);
    for (const PathLaws& path : drafted_paths(instance, start.state)) {
      if (path.target == 0) continue;
      const Rational share = corrected ? Rational(path.draft / path.target) : Rational(1);
      says.equal(accepted_of_output(reach, path),
                 share * block_weight(instance, start.state, path.tokens),
                 "P(tau >= {} | O = {}) against {}w", path.tokens.size(), path_text(path.tokens),
                 corrected ? "D/T " : "");
    }
  }
  return says;
}

constexpr SearchSpace kSmallSpace{.tokens = 2, .gammas = 2, .denominator = {3, 4, 6}};

constexpr ClaimRow kOutputIsDraft{
    .id = "sun2025.sectionB2.f",
    .source = "sun2025 section B.2, after Lemma 7: \"by definition and Lemma 3\"",
    .statement = "f(eta) = P(tau >= k | O = x), k = l - eta - 1, of block is p_k(x)",
    .hypotheses = "D(x) > 0, T(x) > 0, k <= gamma",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return f_is_p(at, false); },
    .places = {kSmallSpace},
    .correction = {"f is D/T p_k: it conditions on the output, Lemma 3 on the draft",
                   [](const Instance& at) { return f_is_p(at, true); },
                   {kSmallSpace, kContexts}},
    .bites = {{doubled("sun2025.sectionB2.f"), halved("block-weights"),
               replaced("block", "token")}},
};

/// f(eta + 1) >= f(eta): from one token later at the same end of the output; or the same of p.
Comparisons f_increases(const Instance& instance, bool of_draft) {
  if (!instance.pair().memoryless()) return {};
  Comparisons says;
  const State start = instance.start();
  const auto reach = reach_of("block", instance, start);
  const auto value = [&](const TokenPath& x) -> Rational {
    if (x.empty()) return Rational(1);
    const PathLaws laws = follow(*instance.rows, start, x);
    if (laws.draft == 0) return Rational(0);
    if (of_draft) return ingredient("sun2025.sectionB2.p", block_weight(instance, start, x));
    return accepted_of_output(reach, laws);
  };
  for (const PathLaws& path : drafted_paths(instance, start)) {
    if (path.target == 0) continue;
    const TokenPath later(path.tokens.begin() + 1, path.tokens.end());
    says.at_least(value(later), value(path.tokens), "{} at {} against {}", of_draft ? "p" : "f",
                  path_text(later), path_text(path.tokens));
  }
  return says;
}

constexpr ClaimRow kIncreasing{
    .id = "sun2025.sectionB2.increasing",
    .source = "sun2025 section B.2: \"f is an increasing function\"",
    .statement = "P(tau >= l - eta - 1 | O = x) of block increases with eta",
    .hypotheses = "D(x) > 0, T(x) > 0; one context",
    .recorded = ClaimVerdict::refuted,
    .check = [](const Instance& at) { return f_increases(at, false); },
    .places = {kSmallSpace},
    .correction = {"the weights p_{l - eta - 1} of Lemma 3, which increase",
                   [](const Instance& at) { return f_increases(at, true); },
                   {kSmallSpace, BatteryShape{.tokens = 3, .gammas = 3, .contexts = false}},
                   Amends::by_replacement},
    .bites = {{zeroed("sun2025.sectionB2.f"), raised("sun2025.sectionB2.p"),
               replaced("block", "token")}},
};

constexpr ClaimRow kClaims[] = {kLemma5, kEquation19, kOutputIsDraft, kIncreasing};

}  // namespace
}  // namespace sun2025_proof

Claims sun2025_proof_claims() { return sun2025_proof::kClaims; }

}  // namespace speclab
