// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// Algorithm 4, Theorem 3 and appendix D: batches of drafts, path by path.
#include <fmt/format.h>

#include "claims/papers/yin2024/decodes.h"
#include "claims/papers/yin2024/recursion.h"

namespace speclab {
namespace yin2024_rejections {
namespace {

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .drafts = 3, .random = {2, 8, 20}};

constexpr ClaimRow kAlgorithm4{
    .id = "yin2024.algorithm4",
    .source = "yin2024 Algorithm 4, Theorem 3, first part",
    .statement = "the output of Algorithm 4 as printed (batch-printed(M)) has the target's law",
    .hypotheses = "line 28 inside the loop over the drafts",
    .recorded = ClaimVerdict::refuted,
    .check =
        [](const Instance& instance) {
          return emits_target(instance, batch_of(instance, "batch-printed"));
        },
    .places = {SearchSpace{.tokens = 3, .gammas = 2, .drafts = 2, .denominator = {3, 3, 4}}},
    .bites = {{{"batch-printed", Fault::replaced, "batch"}}},
};

/// Line 28 after the loop over the drafts. What line 28 subtracts, as a share of d, is 1.
Comparisons after_loop(const Instance& instance) {
  const Rational share = ingredient("yin2024.algorithm4.line28", Rational(1));
  return {{"TV of T = gamma tokens of Algorithm 4, line 28 after the loop, M = K, to the target's",
           fates_after_loop(instance.drafts, share, instance).bias(instance, instance.gamma),
           Order::equal, Rational(0)}};
}

constexpr ClaimRow kAfterLoop{
    .id = "yin2024.algorithm4.after-loop",
    .source = "yin2024 Algorithm 4, line 28 read as the proof of Theorem 9 needs it",
    .statement =
        "the output of Algorithm 4 with line 28 after the loop over the drafts, drawing "
        "from [t^{M+1} - d]+ as printed, has the target's law",
    .hypotheses = "all M roots are tried; t^{M+1} is already what is left after M rejections",
    .recorded = ClaimVerdict::refuted,
    .check = after_loop,
    .places = {SearchSpace{
                   .tokens = 3, .gammas = 1, .least_drafts = 2, .drafts = 2, .denominator = 3},
               NamedPair{"iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])", 1, 2}},
    .bites = {{{"yin2024.algorithm4.line28", Fault::zeroed}}},
};

constexpr ClaimRow kLossless{
    .id = "yin2024.theorem3.lossless",
    .source = "yin2024 Theorem 3, first part",
    .statement = "the output of batch(M) has the target's law",
    .hypotheses = "Algorithm 4 repaired: all M roots are tried, then t^{M+1}",
    .check = [](const Instance& instance) { return emits_target(instance, batch_of(instance)); },
    .places = {kBattery},
    .simulated = {{{.verifier = "batch(M=3)",
                    .at = {"iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 3},
                    .horizon = 3}}},
    .bites = {{{"batch", Fault::replaced, "batch-printed"},
               {"batch", Fault::replaced, "wrong-without-replacement(K=2)"}}},
};

constexpr Places kRecursion{SearchSpace{.tokens = 2, .gammas = 2, .drafts = 2, .denominator = 3}};
constexpr std::string_view kRoot =
    "f(x_0) = 1: position 1 is a root, as a position after a rejection is";
constexpr Places kRecursionCorrected{
    SearchSpace{.tokens = 2, .gammas = 2, .drafts = 3, .denominator = {3, 4, 6}}, kBattery};

/// f of the verifier's own decodes, path by path, against equation (22).
Comparisons own_f(const Instance& instance, int first) {
  const Fates fates = fates_of(batch_of(instance), instance);
  Comparisons comparisons;
  for (const Weighed& path : equation22(instance, instance.drafts, Rational(first))) {
    if (path.tokens.empty()) continue;
    const Fate fate = fates.at(path.start, path.tokens);
    comparisons.push_back(
        {fmt::format("P({}, R_{} = 1) of batch, M = K, against f with f(x_0) = {}",
                     path_text(path.tokens), path.tokens.size(), first),
         fate.rejected(), Order::equal, path.f});
    comparisons.push_back({fmt::format("P({}) of batch, M = K, against t", path_text(path.tokens)),
                           fate.reached(), Order::equal, path.target});
  }
  return comparisons;
}

constexpr ClaimRow kEquation22{
    .id = "yin2024.equation22",
    .source = "yin2024 equations (21), (22)",
    .statement =
        "f(x_{1:n}) = P(x_{1:n}, R_n = 1) = h t(x_{1:n-1}) - (h - prod_m r_m t^{M+1}(x_n)) "
        "f(x_{1:n-1}) at every path, no draft being rejected before x_1",
    .hypotheses = "batch(M), gamma = inf",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& instance) { return own_f(instance, 0); },
    .places = kRecursion,
    .correction = {kRoot, [](const Instance& instance) { return own_f(instance, 1); },
                   kRecursionCorrected},
    .bites = {{{"yin2024.equation22.f", Fault::levelled},
               {"yin2024.equation22.f", Fault::raised},
               {"batch", Fault::replaced, "batch-printed"}}},
};

/// Equations (18) and (19) at every path of two tokens and more, and their sum (20).
Comparisons acceptances(const Instance& instance) {
  const Fates fates = fates_of(batch_of(instance), instance);
  Comparisons comparisons;
  for (const auto& [key, fate] : fates.paths) {
    if (key.second.size() < 2) continue;
    const TokenPath before(key.second.begin(), key.second.end() - 1);
    State state = key.first;
    for (const Token token : before) state = instance.rows->next(state, token);
    const auto x = static_cast<std::size_t>(key.second.back());
    const auto draft = instance.rows->draft(state);
    const auto target = instance.rows->target(state);
    const BatchStep step = batch_step(draft, target, instance.drafts);
    const Rational after_accepted =
        ingredient("yin2024.equation18", lesser<Rational>(draft[x], target[x]));
    const Rational after_rejected =
        ingredient("yin2024.equation19", Rational(target[x] - step.product * step.last[x]));
    const Fate parent = fates.at(key.first, before);
    const std::string path = path_text(key.second);
    comparisons.push_back({fmt::format("P({}, accepted after an accepted token), M = K, against "
                                       "min(d, t) P(before, accepted)",
                                       path),
                           fate.mass[0][0], Order::equal, after_accepted * parent.accepted()});
    comparisons.push_back({fmt::format("P({}, accepted after a rejection), M = K, against (t - "
                                       "prod_m r_m t^(M+1)) P(before, rejected)",
                                       path),
                           fate.mass[1][0], Order::equal, after_rejected * parent.rejected()});
    comparisons.push_back(
        {fmt::format("P({}, accepted), M = K, against their sum", path), fate.accepted(),
         Order::equal, after_accepted * parent.accepted() + after_rejected * parent.rejected()});
  }
  return comparisons;
}

constexpr ClaimRow kEquation20{
    .id = "yin2024.equation20",
    .source = "yin2024 equations (3) and (17) to (20)",
    .statement =
        "P(x_n accepted | x_{1:n-1}) = min(d, t) P(x_{n-1} accepted) + (t - prod_m r_m "
        "t^{M+1}) P(x_{n-1} rejected), each of the two terms as well",
    .hypotheses = "batch(M), gamma = inf, n >= 2",
    .check = acceptances,
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .drafts = 3, .random = {2, 8, 20}}},
    .bites = {{{"yin2024.equation18", Fault::raised},
               {"yin2024.equation19", Fault::raised},
               {"batch", Fault::replaced, "batch-printed"}}},
};

Comparisons theorem3(const Instance& instance, int first) {
  return {{fmt::format("E[N_rej] of batch, T = gamma, M = K, against Theorem 3 with f(x_0) = {}",
                       first),
           decode_to_horizon(batch_of(instance), instance).fraction(QuantityId::rejections),
           Order::equal, theorem3_sum(instance, instance.drafts, Rational(first))}};
}

/// The printed sum path by path, and the closed form over states, which predictions quote.
Comparisons theorem3_corrected(const Instance& instance) {
  Comparisons comparisons = theorem3(instance, 1);
  Budget budget;
  const auto terms = batch_rejections(*instance.rows, start_law(*instance.rows), instance.drafts,
                                      instance.gamma, budget);
  const auto run = decode_to_horizon(batch_of(instance), instance);
  comparisons.push_back({"E[N_rej] of batch, T = gamma, M = K, against the recursion over states",
                         run.fraction(QuantityId::rejections), Order::equal,
                         ingredient("yin2024.theorem3.states", terms.expected())});
  if (!instance.pair().end_token()) {
    comparisons.push_back(
        {"E[target calls] of batch, T = gamma, M = K, against 1 + E[sum over n < "
         "T of R_n]",
         run.fraction(QuantityId::target_calls), Order::equal, terms.target_calls()});
  }
  return comparisons;
}

constexpr ClaimRow kRejections{
    .id = "yin2024.theorem3.rejections",
    .source = "yin2024 Theorem 3, second part",
    .statement =
        "E[N_rej] = sum_n E_t[TV] - sum_n E_f[TV - prod_m r_m], no draft being rejected "
        "before x_1",
    .hypotheses = "batch(M), gamma = inf",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& instance) { return theorem3(instance, 0); },
    .places = kRecursion,
    .correction = {kRoot, theorem3_corrected, kRecursionCorrected},
    .bites = {{{"yin2024.theorem3.formula", Fault::raised},
               {"yin2024.theorem3.states", Fault::raised},
               {"batch", Fault::replaced, "batch-printed"}}},
};

constexpr ClaimRow kClaims[] = {kAlgorithm4, kAfterLoop,  kLossless,
                                kEquation22, kEquation20, kRejections};

}  // namespace
}  // namespace yin2024_rejections

Claims yin2024_rejections_claims() { return yin2024_rejections::kClaims; }

}  // namespace speclab
