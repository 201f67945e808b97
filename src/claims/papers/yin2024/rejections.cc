// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// Algorithm 4, Theorem 3 and appendix D: batches of drafts, path by path.
#include "claims/papers/yin2024/decodes.h"
#include "claims/papers/yin2024/fates.h"
#include "claims/papers/yin2024/recursion.h"
#include "theory/yin2024.h"

namespace speclab {
namespace yin2024_rejections {
namespace {

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .drafts = 3, .random = {2, 8, 20}};

constexpr std::string_view kBatchInstead =
    "batch(M): all M drafts are tried, then the token is drawn from t^{M+1}";
constexpr Places kFew{SearchSpace{.tokens = 3, .gammas = 1, .drafts = 2, .denominator = {3, 3, 4}}};

constexpr ClaimRow kAlgorithm4{
    .id = "yin2024.algorithm4",
    .source = "yin2024 Algorithm 4, Theorem 3, first part",
    .statement = "the output of Algorithm 4 as printed (batch-printed(M)) has the target's law",
    .hypotheses = "line 28 inside the loop over the drafts",
    .recorded = ClaimVerdict::refuted,
    .check = lossless("batch-printed(M={K})", kToGamma),
    .places = {SearchSpace{.tokens = 3, .gammas = 2, .drafts = 2, .denominator = {3, 3, 4}}},
    .correction = {kBatchInstead, lossless(kBatch, kToGamma), kFew, Amends::by_replacement},
    .bites = {{replaced("batch-printed", "batch"), replaced("batch", "batch-printed")}},
};

/// Line 28 after the loop over the drafts. What line 28 subtracts, as a share of d, is 1.
Comparisons after_loop(const Instance& at) {
  const Rational share = ingredient("yin2024.algorithm4.line28", Rational(1));
  return {{"TV of T = gamma tokens of Algorithm 4, line 28 after the loop, M = K, to the target's",
           fates_after_loop(share, at).bias(), Order::equal, 0}};
}

constexpr ClaimRow kAfterLoop{
    .id = "yin2024.algorithm4.after-loop",
    .source = "yin2024 Algorithm 4, line 28 read as the proof of Theorem 9 needs it",
    .statement =
        "the output of Algorithm 4 with line 28 after the loop over the drafts, drawing from "
        "[t^{M+1} - d]+ as printed, has the target's law",
    .hypotheses = "all M roots are tried; t^{M+1} is already the residual after M rejections",
    .recorded = ClaimVerdict::refuted,
    .check = after_loop,
    .places = {SearchSpace{
                   .tokens = 3, .gammas = 1, .least_drafts = 2, .drafts = 2, .denominator = 3},
               NamedPair{"iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])", 1, 2}},
    .correction = {kBatchInstead, lossless(kBatch, kToGamma), kFew, Amends::by_replacement},
    .bites = {{zeroed("yin2024.algorithm4.line28"), replaced("batch", "batch-printed")}},
};

constexpr ClaimRow kLossless{
    .id = "yin2024.theorem3.lossless",
    .source = "yin2024 Theorem 3, first part",
    .statement = "the output of batch(M) has the target's law",
    .hypotheses = "Algorithm 4 repaired: all M roots are tried, then t^{M+1}",
    .check = lossless(kBatch, kToGamma),
    .places = {kBattery},
    .simulated = {{{.verifier = "batch(M=3)",
                    .at = {"iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 3},
                    .horizon = 3}}},
    .bites = {{replaced("batch", "batch-printed"),
               replaced("batch", "wrong-without-replacement(K=2)")}},
};

constexpr std::string_view kRoot =
    "batch(M), gamma = inf; f(x_0) = 1, which the paper leaves unstated";
constexpr Places kRecursion{
    SearchSpace{.tokens = 2, .gammas = 2, .drafts = 3, .denominator = {3, 4, 6}}, kBattery};

/// f of the verifier's own decodes, path by path, against equation (22).
Comparisons own_f(const Instance& at) {
  const Fates fates = fates_of(verifier_text(kBatch, at), at);
  Comparisons says;
  for (const Weighed& path : equation22(at, at.drafts)) {
    if (path.tokens.empty()) continue;
    const Fate fate = fates.at(path.start, path.tokens);
    const std::string text = path_text(path.tokens);
    says.equal(fate.rejected(), path.f, "P({}, R_{} = 1) of batch, M = K, against f", text,
               path.tokens.size());
    says.equal(fate.reached(), path.target, "P({}) of batch, M = K, against t", text);
  }
  return says;
}

constexpr ClaimRow kEquation22{
    .id = "yin2024.equation22",
    .source = "yin2024 equations (21), (22)",
    .statement =
        "f(x_{1:n}) = P(x_{1:n}, R_n = 1) = h t(x_{1:n-1}) - (h - prod_m r_m t^{M+1}(x_n)) "
        "f(x_{1:n-1}) at every path",
    .hypotheses = kRoot,
    .check = own_f,
    .places = kRecursion,
    .bites = {{levelled("yin2024.equation22.f"), raised("yin2024.equation22.f"),
               replaced("batch", "batch-printed")}},
};

/// Equations (18) and (19) at every path of two tokens and more, and their sum (20).
Comparisons acceptances(const Instance& at) {
  const Fates fates = fates_of(verifier_text(kBatch, at), at);
  Comparisons says;
  for (const auto& [key, fate] : fates.paths) {
    if (key.second.size() < 2) continue;
    const TokenPath before(key.second.begin(), key.second.end() - 1);
    const State state = follow(*at.rows, key.first, before).state;
    const auto x = static_cast<std::size_t>(key.second.back());
    const auto draft = at.rows->draft(state);
    const auto target = at.rows->target(state);
    const BatchStep step = batch_step(draft, target, at.drafts);
    const Fate parent = fates.at(key.first, before);
    const Rational after_accepted =
        parent.accepted() * ingredient("yin2024.equation18", lesser<Rational>(draft[x], target[x]));
    const Rational after_rejected =
        parent.rejected() *
        ingredient("yin2024.equation19", Rational(target[x] - step.product * step.last[x]));
    const std::string path = path_text(key.second);
    says.equal(
        fate.mass[0][0], after_accepted,
        "P({}, accepted after an accepted token), M = K, against min(d, t) P(before, accepted)",
        path);
    says.equal(fate.mass[1][0], after_rejected,
               "P({}, accepted after a rejection), M = K, against (t - prod_m r_m t^(M+1)) "
               "P(before, rejected)",
               path);
    says.equal(fate.accepted(), after_accepted + after_rejected,
               "P({}, accepted), M = K, against their sum", path);
  }
  return says;
}

constexpr ClaimRow kEquation20{
    .id = "yin2024.equation20",
    .source = "yin2024 equations (3) and (17) to (20)",
    .statement =
        "P(x_n accepted | x_{1:n-1}) = min(d, t) P(x_{n-1} accepted) + (t - prod_m r_m t^{M+1}) "
        "P(x_{n-1} rejected), each of the two terms as well",
    .hypotheses = "batch(M), gamma = inf, n >= 2",
    .check = acceptances,
    .places = {kBattery},
    .bites = {{raised("yin2024.equation18"), raised("yin2024.equation19"),
               replaced("batch", "batch-printed")}},
};

/// Theorem 3's sum.
constexpr NamedForm kPrinted{"Theorem 3", "yin2024.theorem3.formula", [](const Instance& at) {
                               Rational sum(0);
                               for (const Weighed& path : equation22(at, at.drafts)) {
                                 if (static_cast<int>(path.tokens.size()) == at.gamma) continue;
                                 const BatchStep step =
                                     batch_step(at.rows->draft(path.state),
                                                at.rows->target(path.state), at.drafts);
                                 sum += path.target * step.tv - path.f * (step.tv - step.product);
                               }
                               return sum;
                             }};

/// The closed form over states, which predictions quote.
Rejections<Rational> over_states(const Instance& at) {
  Budget budget;
  return batch_rejections(*at.rows, start_law(*at.rows), at.drafts, at.gamma, budget);
}
constexpr NamedForm kOverStates{"the recursion over states", "yin2024.theorem3.states",
                                [](const Instance& at) { return over_states(at).expected(); }};
constexpr NamedForm kBatchCalls{"1 + E[sum over n < T of R_n]", "yin2024.theorem3.calls",
                                [](const Instance& at) { return over_states(at).target_calls(); }};

constexpr ClaimRow kRejections{
    .id = "yin2024.theorem3.rejections",
    .source = "yin2024 Theorem 3, second part",
    .statement = "E[N_rej] = sum_n E_t[TV] - sum_n E_f[TV - prod_m r_m]",
    .hypotheses = kRoot,
    .check = equal(rejections(kBatch), kPrinted) && equal(rejections(kBatch), kOverStates) &&
             equal(calls(kBatch), kBatchCalls).where(kNoEnd.keeps),
    .places = kRecursion,
    .bites = {{raised("yin2024.theorem3.formula"), raised("yin2024.theorem3.states"),
               replaced("batch", "batch-printed")}},
};

constexpr ClaimRow kClaims[] = {kAlgorithm4, kAfterLoop,  kLossless,
                                kEquation22, kEquation20, kRejections};

}  // namespace
}  // namespace yin2024_rejections

Claims yin2024_rejections_claims() { return yin2024_rejections::kClaims; }

}  // namespace speclab
