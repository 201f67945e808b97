// Zhong, Teku, Tandon: "Speeding up Speculative Decoding via Sequential Approximate Verification"
// (SPRINTER, 2025): the law of the emitted tokens.
#include <array>
#include <map>

#include "claims/one_iteration.h"
#include "claims/registry.h"
#include "claims/simulated.h"
#include "claims/zhong2025_rates.h"

namespace speclab {
namespace {

/// The joint law of T = gamma tokens against the product of (1 - fp) t + fp d along the way.
std::vector<Compared> emitted_law(const Instance& instance) {
  std::vector<Compared> comparisons;
  const auto starts = instance.pair().start();
  if (starts.size() != 1) return comparisons;
  const Rows<Rational>& rows = *instance.rows;
  for (const Rates& rates : class_rates()) {
    const auto run = decode_of(rates.verifier(), instance, instance.gamma, true);
    std::map<TokenPath, Rational> emitted(run.law.begin(), run.law.end());
    for (const PathLaws& path : paths_from(rows, starts.front().state, instance.gamma)) {
      if (static_cast<int>(path.tokens.size()) != instance.gamma) continue;
      Rational product(1);
      State state = starts.front().state;
      for (const Token x : path.tokens) {
        const auto at = static_cast<std::size_t>(x);
        product *= (1 - rates.fp) * rows.target(state)[at] + rates.fp * rows.draft(state)[at];
        state = rows.next(state, x);
      }
      comparisons.push_back(
          {fmt::format("P({}) of {}, T = gamma, against the product of (1 - fp) t + fp d",
                       path_text(path.tokens), rates.verifier()),
           emitted[path.tokens], Order::equal, product});
    }
  }
  return comparisons;
}

std::vector<Compared> emitted_distance(const Instance& instance) {
  std::vector<Compared> comparisons;
  for (const Rates& rates : class_rates()) {
    comparisons.push_back(
        {fmt::format("TV of one token of {} against fp TV(d, t)", rates.verifier()),
         decode_of(rates.verifier(), instance).tv_to_target, Order::equal,
         rates.fp * distance_at_start(instance)});
  }
  return comparisons;
}

ClaimResult theorem31_law(const ClaimContext& context) {
  return holds_everywhere(context, emitted_law, 2);
}
ClaimResult theorem31_tv(const ClaimContext& context) {
  return holds_everywhere(context, emitted_distance);
}

/// Verifiers that pass the unacceptable token `passed` and no other, and one that passes each with
/// a rate of its own. The last rate of a list goes for all later tokens.
std::vector<std::vector<Rational>> token_rates(std::size_t tokens) {
  std::vector<std::vector<Rational>> lists;
  for (std::size_t passed = 0; passed < tokens; ++passed) {
    lists.emplace_back(tokens, Rational(0));
    lists.back()[passed] = 1;
  }
  lists.emplace_back();
  for (std::size_t x = 0; x < tokens; ++x) {
    lists.back().emplace_back(1, static_cast<long>(x) + 2);
  }
  return lists;
}

std::string token_verifier(const std::vector<Rational>& fp) {
  std::string text;
  for (const Rational& rate : fp) text += (text.empty() ? "" : ",") + to_text(rate);
  return fmt::format("sprinter(fp=[{}],tp=1)", text);
}

/// One token's TV against TV(d, t) times the verifier's false-positive rate, the probability that
/// it passes an unacceptable token: P(passed | d > t), or with `corrected` the mean of fp under the
/// law proportional to [d - t]+.
Statement token_dependent(bool corrected) {
  return [corrected](const Instance& instance) {
    std::vector<Compared> comparisons;
    if (!instance.pair().memoryless()) return comparisons;
    const auto draft = instance.rows->draft(0);
    const auto target = instance.rows->target(0);
    const Rational tv = total_variation(draft, target);
    if (tv == 0) return comparisons;
    for (const auto& fp : token_rates(draft.size())) {
      Rational passed(0);
      Rational all(0);
      for (std::size_t x = 0; x < draft.size(); ++x) {
        if (!(draft[x] > target[x])) continue;
        const Rational weight = corrected ? Rational(draft[x] - target[x]) : draft[x];
        passed += weight * fp[x];
        all += weight;
      }
      comparisons.push_back({fmt::format("TV of one token of {} against fp TV(d, t), fp = {}",
                                         token_verifier(fp), to_text(passed / all)),
                             decode_of(token_verifier(fp), instance).tv_to_target, Order::equal,
                             passed / all * tv});
    }
    return comparisons;
  };
}

void search_token_rates(Examination& examination) {
  examination.search({.tokens = 3, .gammas = 1, .denominator = 4}, token_dependent(false));
  examination.check({make_instance("iid(draft=[1/2,1/2,0],target=[1/4,3/8,3/8])")},
                    token_dependent(false));
}

ClaimResult token_rates_printed(const ClaimContext& context) {
  Examination examination(context);
  search_token_rates(examination);
  return examination.finish();
}

ClaimResult token_rates_corrected(const ClaimContext& context) {
  Examination examination(context);
  search_token_rates(examination);
  examination.search({.tokens = 3, .gammas = 1, .denominator = context.size(3, 4, 6)},
                     token_dependent(true), Reading::corrected);
  examination.check({.tokens = 4, .gammas = 1, .random = 0, .contexts = false},
                    token_dependent(true), Reading::corrected);
  return examination.finish();
}

/// A verifier without false positives leaves the target's law as it is.
ClaimResult remark32(const ClaimContext& context) {
  Examination examination(context);
  examination.check(
      {.tokens = 3, .gammas = 2, .random = context.size(4, 12, 40)}, [](const Instance& instance) {
        std::vector<Compared> comparisons;
        const int horizon = instance.gamma + 1;
        for (const char* name : {"sprinter(fp=0,tp=1)", "sprinter(fp=0,tp=1/2)"}) {
          comparisons.push_back(
              {fmt::format("TV of {} tokens of {} to the target's", horizon, name),
               decode_of(name, instance, horizon).tv_to_target, Order::equal, Rational(0)});
        }
        return comparisons;
      });
  simulate_output_law(examination, "sprinter(fp=0,tp=1/2)",
                      make_instance("iid(draft=[2/3,1/3],target=[1/3,2/3])", 3), 3);
  return examination.finish();
}

constexpr auto kHolds = ClaimVerdict::holds;
constexpr auto kRefuted = ClaimVerdict::refuted;
constexpr auto kCorrected = ClaimVerdict::holds_with_correction;

constexpr std::array kClaims{
    ClaimRow{"zhong2025.theorem3.1.law", "zhong2025 Theorem 3.1, equation (2)",
             "P(token x) = (1 - fp) t(x) + fp d(x), token after token", kByClass, kHolds, "",
             theorem31_law},
    ClaimRow{"zhong2025.theorem3.1.tv", "zhong2025 Theorem 3.1, second part",
             "TV(law of a token, t) = fp TV(d, t)", kByClass, kHolds, "", theorem31_tv},
    ClaimRow{"zhong2025.theorem3.1.token-rates", "zhong2025 Theorem 3.1",
             "TV(law of a token, t) = fp TV(d, t), fp = P(passed | d(x) > t(x))",
             "error rates that depend on the token", kRefuted, "", token_rates_printed},
    ClaimRow{"zhong2025.theorem3.1.token-rates-corrected", "zhong2025 Theorem 3.1, corrected",
             "TV(law of a token, t) = fp TV(d, t), fp = P(passed | d(x) > t(x))",
             "error rates that depend on the token", kCorrected,
             "fp = the mean of the tokens' rates under the law proportional to [d - t]+",
             token_rates_corrected},
    ClaimRow{"zhong2025.remark3.2", "zhong2025 Remark 3.2",
             "fp = 0: the output of decoding with sprinter has the target's law", "any tp", kHolds,
             "", remark32},
};

}  // namespace

std::span<const ClaimRow> zhong2025_claims() { return kClaims; }

}  // namespace speclab
