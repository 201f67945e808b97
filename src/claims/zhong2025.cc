// Zhong, Teku, Tandon: "Speeding up Speculative Decoding via Sequential Approximate Verification"
// (SPRINTER, 2025).
#include "theory/zhong2025.h"

#include <fmt/format.h>

#include <array>

#include "claims/examination.h"
#include "claims/one_iteration.h"
#include "claims/registry.h"
#include "claims/simulated.h"
#include "model/listed_tree.h"

namespace speclab {
namespace {

constexpr std::string_view kToy = "iid(draft=[2/3,1/3],target=[1/3,2/3])";

/// The error rates of a verifier that knows a token's class only.
struct Rates {
  Rational fp;
  Rational tp;

  [[nodiscard]] std::string verifier(std::string_view name = "sprinter") const {
    return fmt::format("{}(fp={},tp={})", name, to_text(fp), to_text(tp));
  }
};

std::vector<Rates> class_rates() {
  return {{Rational(0), Rational(1)},
          {Rational(1, 10), Rational(9, 10)},
          {Rational(1, 2), Rational(1, 3)},
          {Rational(1), Rational(0)}};
}

DecodeLaw<Rational> decode(std::string_view verifier, const Instance& instance, int horizon = 1,
                           bool law = false) {
  return *exact_result(verifier, instance, horizon, 0, law).decode;
}

/// E over the starts of TV(d, t) at position 1.
Rational distance(const Instance& instance) {
  Rational sum(0);
  for (const Start& start : instance.pair().start()) {
    sum += start.probability *
           total_variation(instance.rows->draft(start.state), instance.rows->target(start.state));
  }
  return sum;
}

/// The joint law of T = gamma tokens against the product of (1 - fp) t + fp d along the way.
std::vector<Compared> emitted_law(const Instance& instance) {
  std::vector<Compared> comparisons;
  const auto starts = instance.pair().start();
  if (starts.size() != 1) return comparisons;
  const Rows<Rational>& rows = *instance.rows;
  for (const Rates& rates : class_rates()) {
    const auto run = decode(rates.verifier(), instance, instance.gamma, true);
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
         decode(rates.verifier(), instance).tv_to_target, Order::equal,
         rates.fp * distance(instance)});
  }
  return comparisons;
}

/// A statement that holds: on the battery and on every small memoryless pair.
ClaimResult held(const ClaimContext& context, const Statement& statement, int gammas = 1) {
  Examination examination(context);
  examination.check({.tokens = 4, .gammas = gammas, .random = context.size(4, 12, 40)}, statement);
  examination.search({.tokens = 3, .gammas = 1, .denominator = context.size(3, 4, 5)}, statement);
  return examination.finish();
}

ClaimResult theorem31_law(const ClaimContext& context) { return held(context, emitted_law, 2); }
ClaimResult theorem31_tv(const ClaimContext& context) { return held(context, emitted_distance); }

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
                             decode(token_verifier(fp), instance).tv_to_target, Order::equal,
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
               decode(name, instance, horizon).tv_to_target, Order::equal, Rational(0)});
        }
        return comparisons;
      });
  simulate_output_law(examination, "sprinter(fp=0,tp=1/2)", make_instance(kToy, 3), 3);
  return examination.finish();
}

ClaimResult algorithm2(const ClaimContext& context) {
  Examination examination(context);
  const Statement statement = [](const Instance& instance) -> std::vector<Compared> {
    return {{"TV of one token of sprinter-printed(fp=0,tp=1) to the target's",
             decode("sprinter-printed(fp=0,tp=1)", instance).tv_to_target, Order::equal,
             Rational(0)}};
  };
  examination.search({.tokens = 2, .gammas = 1, .denominator = 4}, statement);
  examination.check({make_instance(kToy)}, statement);
  return examination.finish();
}

/// P(a drafted token stays), the one that the target checks included.
ClaimResult theorem_a4(const ClaimContext& context) {
  return held(context, [](const Instance& instance) {
    std::vector<Compared> comparisons;
    for (const Rates& rates : class_rates()) {
      comparisons.push_back({fmt::format("P(the drafted token stays) of {} against 1 - (1 - fp) "
                                         "TV(d, t)",
                                         rates.verifier()),
                             1 - decode(rates.verifier(), instance).rejections, Order::equal,
                             sprinter_acceptance<Rational>(distance(instance), rates.fp)});
    }
    return comparisons;
  });
}

ClaimResult remark_a6(const ClaimContext& context) {
  return held(context, [](const Instance& instance) {
    std::vector<Compared> comparisons;
    const Rational rejected = decode("token", instance).rejections;
    for (const Rates& rates : class_rates()) {
      comparisons.push_back(
          {fmt::format("P(the drafted token stays) of {} against token", rates.verifier()),
           1 - decode(rates.verifier(), instance).rejections,
           rates.fp == 0 ? Order::equal : Order::at_least, 1 - rejected});
    }
    return comparisons;
  });
}

/// Two pairs whose first r drafted tokens are acceptable and all others are not, whatever is
/// drafted: afterwards the target keeps a share of its mass for a token that is never drafted.
Instance acceptable_first(int acceptable, bool even) {
  const std::vector<Rational> draft = even
                                          ? std::vector<Rational>{Rational(1, 2), Rational(1, 2), 0}
                                          : std::vector<Rational>{Rational(1), 0, 0};
  const std::vector<Rational> target =
      even ? std::vector<Rational>{Rational(1, 4), Rational(3, 8), Rational(3, 8)}
           : std::vector<Rational>{Rational(2, 3), 0, Rational(1, 3)};
  ListedLaws drafts;
  ListedLaws targets;
  std::vector<TokenPath> level{{}};
  for (int i = 0; i <= acceptable; ++i) {
    std::vector<TokenPath> longer;
    for (const TokenPath& path : level) {
      drafts[path] = draft;
      targets[path] = i < acceptable ? draft : target;
      for (Token x = 0; x < 3; ++x) {
        longer.push_back(path);
        longer.back().push_back(x);
      }
    }
    level = std::move(longer);
  }
  auto pair = std::make_shared<ListedTreePair>(3, drafts, targets);
  pair->set_name(
      fmt::format("{} acceptable tokens, then draft={}", acceptable,
                  even ? "[1/2,1/2,0], target=[1/4,3/8,3/8]" : "[1,0,0], target=[2/3,0,1/3]"));
  return {std::make_shared<const Rows<Rational>>(pair), acceptable + 3, 1};
}

using RunStatement = std::vector<Compared> (*)(const Instance& instance, int acceptable,
                                               const Rates& rates);

ClaimResult of_runs(const ClaimContext& context, RunStatement statement) {
  Examination examination(context);
  const std::vector<Rates> all{{Rational(0), Rational(1, 2)},
                               {Rational(1, 10), Rational(9, 10)},
                               {Rational(1, 2), Rational(1, 3)},
                               {Rational(3, 4), Rational(0)}};
  for (int acceptable = 0; acceptable <= context.size(3, 4, 5); ++acceptable) {
    for (const bool even : {false, true}) {
      // Longer runs of the pair whose draft branches are left to the other.
      if (even && acceptable > 2) continue;
      examination.check({acceptable_first(acceptable, even)}, [&](const Instance& instance) {
        std::vector<Compared> comparisons;
        for (const Rates& rates : all) {
          for (Compared& one : statement(instance, acceptable, rates)) {
            comparisons.push_back(std::move(one));
          }
        }
        return comparisons;
      });
    }
  }
  return examination.finish();
}

/// P(N = i) of an iteration with room for gamma tokens; N >= gamma is one cell.
std::vector<Rational> passed_law(const Instance& instance, const Rates& rates) {
  return exact_result(rates.verifier(), instance).accepted_law;
}

/// Beyond the room of gamma >= r tokens: sum over i > gamma of P(N >= i), each term of which is
/// tp^r fp^(i - r) by the first part of Theorem 3.3.
Rational beyond_room(const Instance& instance, int acceptable, const Rates& rates) {
  return power<Rational>(rates.tp, acceptable) *
         power<Rational>(rates.fp, instance.gamma + 1 - acceptable) / (1 - rates.fp);
}

/// E[min(N, gamma)].
Rational expected_in_room(const std::vector<Rational>& law) {
  Rational sum(0);
  for (std::size_t i = 0; i < law.size(); ++i) sum += static_cast<long>(i) * law[i];
  return sum;
}

ClaimResult theorem33_law(const ClaimContext& context) {
  return of_runs(context, [](const Instance& instance, int acceptable, const Rates& rates) {
    std::vector<Compared> comparisons;
    const auto law = passed_law(instance, rates);
    for (int i = 0; i < instance.gamma; ++i) {
      comparisons.push_back(
          {fmt::format("P(N = {}) of {}, r = {}", i, rates.verifier(), acceptable),
           law.at(static_cast<std::size_t>(i)), Order::equal,
           passed_probability<Rational>(rates.fp, rates.tp, acceptable, i)});
    }
    return comparisons;
  });
}

ClaimResult theorem33_mean(const ClaimContext& context) {
  return of_runs(context, [](const Instance& instance, int acceptable, const Rates& rates) {
    const Rational reach = power<Rational>(rates.tp, acceptable);
    const Rational printed = (rates.tp - reach) / (1 - rates.tp) + reach / (1 - rates.fp);
    return std::vector<Compared>{
        {fmt::format("E[N] of {}, r = {}, against equation (3)", rates.verifier(), acceptable),
         expected_in_room(passed_law(instance, rates)) + beyond_room(instance, acceptable, rates),
         Order::equal, printed}};
  });
}

/// A run drafts every token that passes and the one that does not.
ClaimResult theorem34(const ClaimContext& context) {
  return of_runs(context, [](const Instance& instance, int acceptable, const Rates& rates) {
    const Rational step(1, 10);
    const Rational reach = power<Rational>(rates.tp, acceptable);
    const Rational printed = (1 - reach) * step / (1 - rates.tp) + reach * step / (1 - rates.fp);
    const auto law = passed_law(instance, rates);
    const Rational drafted = expected_in_room(law) + (1 - law.back()) +  // the room's own steps
                             beyond_room(instance, acceptable, rates) +
                             power<Rational>(rates.tp, acceptable) *
                                 power<Rational>(rates.fp, instance.gamma - acceptable);
    return std::vector<Compared>{
        {fmt::format("t_d E[drafted tokens of a run] of {}, r = {}, t_d = 1/10, against equation "
                     "(4)",
                     rates.verifier(), acceptable),
         step * drafted, Order::equal, printed}};
  });
}

/// Figures 5, 6: fp <= 1/2 adds at most one unacceptable token, and at most t_d of time.
ClaimResult figure5(const ClaimContext& context) {
  return of_runs(context, [](const Instance& instance, int acceptable, const Rates& rates) {
    if (rates.fp > Rational(1, 2)) return std::vector<Compared>{};
    Rational unacceptable(0);
    const auto law = passed_law(instance, rates);
    for (int i = acceptable + 1; i <= instance.gamma; ++i) {
      unacceptable += Rational(i - acceptable) * law.at(static_cast<std::size_t>(i));
    }
    return std::vector<Compared>{
        {fmt::format("E[unacceptable tokens passed] of {}, r = {}", rates.verifier(), acceptable),
         unacceptable + beyond_room(instance, acceptable, rates), Order::at_most, Rational(1)}};
  });
}

/// Memoryless pairs: every drafted token passes with rho = a tp + (1 - a) fp.
ClaimResult iid_labels(const ClaimContext& context) {
  const Statement statement = [](const Instance& instance) {
    std::vector<Compared> comparisons;
    if (!instance.pair().memoryless()) return comparisons;
    const auto draft = instance.rows->draft(0);
    const auto target = instance.rows->target(0);
    Rational acceptable(0);
    for (std::size_t x = 0; x < draft.size(); ++x) {
      if (!(draft[x] > target[x])) acceptable += draft[x];
    }
    for (const Rates& rates : class_rates()) {
      const Rational rho = acceptable * rates.tp + (1 - acceptable) * rates.fp;
      const auto law = exact_result(rates.verifier(), instance).accepted_law;
      Rational tail(1);
      for (int i = 1; i <= instance.gamma; ++i) {
        tail -= law.at(static_cast<std::size_t>(i) - 1);
        comparisons.push_back(
            {fmt::format("P(N >= {}) of {} against rho^{}", i, rates.verifier(), i), tail,
             Order::equal, power<Rational>(rho, i)});
      }
      if (rho == 1) continue;
      // Beyond the room every tail is rho times the one before.
      comparisons.push_back(
          {fmt::format("E[N] of {} against rho / (1 - rho)", rates.verifier()),
           expected_in_room(law) + power<Rational>(rho, instance.gamma + 1) / (1 - rho),
           Order::equal, expected_passed_iid<Rational>(rho)});
    }
    return comparisons;
  };
  return held(context, statement, 3);
}

/// What a run of gamma accepted tokens costs, counted from a decode with nothing to reject.
struct Costs {
  Rational draft;
  Rational verifier;
  Rational target;
};

std::vector<Costs> costs() {
  return {{Rational(1), Rational(1, 10), Rational(10)}, {Rational(3), Rational(1, 2), Rational(7)}};
}

std::vector<Instance> equal_models(const ClaimContext& context) {
  std::vector<Instance> instances;
  for (int gamma = 1; gamma <= context.size(4, 6, 8); ++gamma) {
    instances.push_back(make_instance("iid(draft=[1/2,1/2],target=[1/2,1/2])", gamma));
    instances.push_back(make_instance("iid(draft=[1],target=[1])", gamma));
  }
  return instances;
}

/// Equation (5): each call of the target scores the gamma tokens of its window.
Rational counted_speculative(const Instance& instance, const Costs& cost) {
  const auto run = decode("token", instance, instance.gamma);
  return run.draft_steps * cost.draft + run.target_calls * instance.gamma * cost.target;
}

/// Equation (6): each drafted token is one call of the cheap verifier.
Rational counted_sprinter(const Instance& instance, const Costs& cost) {
  const auto run = decode("sprinter(fp=0,tp=1)", instance, instance.gamma);
  return run.draft_steps * (cost.draft + cost.verifier) + run.target_calls * cost.target;
}

ClaimResult equation5(const ClaimContext& context) {
  Examination examination(context);
  examination.check(equal_models(context), [](const Instance& instance) {
    std::vector<Compared> comparisons;
    for (const Costs& cost : costs()) {
      comparisons.push_back(
          {"FLOPs counted in a decode of gamma tokens by token against gamma F_d + gamma F_t",
           counted_speculative(instance, cost), Order::equal,
           speculative_flops<Rational>(instance.gamma, cost.draft, cost.target)});
    }
    return comparisons;
  });
  return examination.finish();
}

ClaimResult equation6(const ClaimContext& context) {
  Examination examination(context);
  examination.check(equal_models(context), [](const Instance& instance) {
    std::vector<Compared> comparisons;
    for (const Costs& cost : costs()) {
      comparisons.push_back(
          {"FLOPs counted in a decode of gamma tokens by sprinter against gamma F_d + gamma F_v + "
           "F_t",
           counted_sprinter(instance, cost), Order::equal,
           sprinter_flops<Rational>(instance.gamma, cost.draft, cost.verifier, cost.target)});
    }
    return comparisons;
  });
  return examination.finish();
}

/// The savings leave out the verifier's own gamma F_v.
Statement savings(bool corrected) {
  return [corrected](const Instance& instance) {
    std::vector<Compared> comparisons;
    for (const Costs& cost : costs()) {
      const Rational printed = (instance.gamma - 1) * cost.target;
      comparisons.push_back(
          {fmt::format("FLOPs saved by sprinter against (gamma - 1) F_t{}",
                       corrected ? " - gamma F_v" : ""),
           counted_speculative(instance, cost) - counted_sprinter(instance, cost), Order::equal,
           corrected ? Rational(printed - instance.gamma * cost.verifier) : printed});
    }
    return comparisons;
  };
}

ClaimResult savings_claim(const ClaimContext& context) {
  Examination examination(context);
  examination.check(equal_models(context), savings(false));
  examination.check(equal_models(context), savings(true), Reading::corrected);
  return examination.finish();
}

constexpr auto kHolds = ClaimVerdict::holds;
constexpr auto kRefuted = ClaimVerdict::refuted;
constexpr auto kCorrected = ClaimVerdict::holds_with_correction;
constexpr std::string_view kByClass = "error rates that depend on the token's class only";
constexpr std::string_view kFirst =
    "the first r drafted tokens acceptable, all others not; i.i.d. verdicts; fp < 1, tp < 1";

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
    ClaimRow{"zhong2025.theorem3.3.law", "zhong2025 Theorem 3.3, first part",
             "P(N = i) = tp^i (1 - tp) for i < r, tp^r fp^(i-r) (1 - fp) for i >= r", kFirst,
             kHolds, "", theorem33_law},
    ClaimRow{"zhong2025.theorem3.3.mean", "zhong2025 Theorem 3.3, equation (3)",
             "E[N] = (tp - tp^r) / (1 - tp) + tp^r / (1 - fp)",
             "as for the law; N does not count the last token", kHolds, "", theorem33_mean},
    ClaimRow{"zhong2025.theorem3.4", "zhong2025 Theorem 3.4, equation (4)",
             "E[T_stop] = t_d (1 - tp^r) / (1 - tp) + t_d tp^r / (1 - fp)",
             "as for Theorem 3.3; the time of drafting alone", kHolds, "", theorem34},
    ClaimRow{"zhong2025.figure5", "zhong2025 Figures 5, 6",
             "fp <= 1/2: E[unacceptable tokens passed] <= 1, E[T_stop] grows by at most t_d",
             kFirst, kHolds, "", figure5},
    ClaimRow{"zhong2025.iid-labels", "zhong2025 Theorems 3.3, 3.4 with i.i.d. labels",
             "P(N >= i) = rho^i, E[N] = rho / (1 - rho), rho = a tp + (1 - a) fp, a = P_d(d <= t)",
             "memoryless pairs, error rates by class", kHolds, "", iid_labels},
    ClaimRow{"zhong2025.equation5", "zhong2025 equation (5)",
             "FLOPs of one run of speculative decoding = gamma F_d + gamma F_t",
             "all gamma drafts accepted", kHolds, "", equation5},
    ClaimRow{"zhong2025.equation6", "zhong2025 equation (6)",
             "FLOPs of one run of SPRINTER = gamma F_d + gamma F_v + F_t",
             "a perfect verifier, gamma tokens drafted", kHolds, "", equation6},
    ClaimRow{"zhong2025.savings", "zhong2025 appendix A.8",
             "the computational savings are (gamma - 1) F_t", "as for equations (5) and (6)",
             kCorrected, "less gamma F_v, the verifier's own work: (gamma - 1) F_t - gamma F_v",
             savings_claim},
    ClaimRow{"zhong2025.theoremA.4", "zhong2025 Theorem A.4, equation (34)",
             "P(a drafted token stays) = 1 - (1 - fp) TV(d, t)", kByClass, kHolds, "", theorem_a4},
    ClaimRow{"zhong2025.remarkA.6", "zhong2025 Remarks A.5, A.6",
             "P(a drafted token stays) >= that of speculative decoding, equal at fp = 0", kByClass,
             kHolds, "", remark_a6},
    ClaimRow{"zhong2025.algorithm2", "zhong2025 Algorithm 2",
             "the output of Algorithm 2 as printed with a perfect verifier has the target's law",
             "fp = 0, tp = 1", kRefuted, "", algorithm2},
};

}  // namespace

std::span<const ClaimRow> zhong2025_claims() { return kClaims; }

}  // namespace speclab
