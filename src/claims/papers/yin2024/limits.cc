// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// Proposition 1: batches of ever more drafts.
#include <fmt/format.h>

#include <memory>

#include "claims/papers/yin2024/decodes.h"
#include "claims/papers/yin2024/recursion.h"
#include "model/listed_tree.h"

namespace speclab {
namespace yin2024_limits {
namespace {

constexpr std::string_view kSupport =
    "where supp t lies within supp d: else prod_m r_m -> t{d = 0} and not 0";
/// Two tokens at most: over three the sequences of decisions double with every draft.
constexpr BatteryShape kGrowingBattery{.tokens = 2, .gammas = 2, .random = {4, 8, 40}};
constexpr SearchSpace kFew{.tokens = 2, .gammas = 2, .denominator = 3};
constexpr SearchSpace kMany{.tokens = 2, .gammas = 2, .denominator = {4, 4, 6}};

/// f_M of a verifier's own decodes.
Rational own_f(const Fates& fates, State start, const TokenPath& path) {
  return ingredient("yin2024.f", fates.at(start, path).rejected());
}

/// Calls visit(start, path, h) for every path of 1..T tokens of the target, h = [t - d]+ of its
/// last one.
template <class Visit>
void each_target_path(const Instance& instance, const Visit& visit) {
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      if (path.tokens.empty() || path.target == 0) continue;
      State state = start.state;
      for (std::size_t i = 0; i + 1 < path.tokens.size(); ++i) {
        state = instance.rows->next(state, path.tokens[i]);
      }
      const auto x = static_cast<std::size_t>(path.tokens.back());
      visit(start, path,
            positive_part<Rational>(instance.rows->target(state)[x] -
                                    instance.rows->draft(state)[x]));
    }
  }
}

void between_zero_and_target(const Instance& instance, const Fates& fates, int many,
                             Comparisons& comparisons) {
  each_target_path(instance, [&](const Start& start, const PathLaws& path, const Rational&) {
    const Rational f = own_f(fates, start.state, path.tokens);
    comparisons.push_back({fmt::format("f at {}, M = {}, against t", path_text(path.tokens), many),
                           f, Order::at_most, start.probability * path.target});
    comparisons.push_back({"f against 0", f, Order::at_least, Rational(0)});
  });
}

Comparisons first_item(const Instance& instance) {
  Comparisons comparisons;
  between_zero_and_target(instance, fates_of(batch_of(instance), instance), instance.drafts,
                          comparisons);
  return comparisons;
}

/// f_inf is within rest_after(M) of f_M.
Comparisons first_item_growing(const Instance& instance) {
  Comparisons comparisons;
  const auto decodes = growing_decodes(instance);
  for (std::size_t i = 0; i < kGrowing.size(); ++i) {
    between_zero_and_target(instance, decodes[i], kGrowing[i], comparisons);
  }
  return comparisons;
}

constexpr ClaimRow kFirst{
    .id = "yin2024.proposition1.first",
    .source = "yin2024 Proposition 1, first item",
    .statement = "0 <= f_M(x_{1:n}) <= t(x_{1:n}) for all M, and so for f_inf",
    .hypotheses = "f of the verifier's decodes, M up to 24",
    .check = first_item,
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .drafts = 3, .random = {2, 8, 20}},
               Place(kGrowingBattery).with(first_item_growing)},
    .bites = {{{"yin2024.f", Fault::raised}, {"yin2024.f", Fault::lowered}}},
};

/// Whether f_M of the decodes comes to h (t - f_inf), f_inf being within rest_after(M) of f_M; and
/// whether it comes to anything: larger M are within it too.
Comparisons limit_recursion(const Instance& instance) {
  Comparisons comparisons;
  const auto decodes = growing_decodes(instance);
  for (std::size_t i = 0; i < decodes.size(); ++i) {
    const Rational rest = rest_after(instance, kGrowing[i]);
    each_target_path(instance, [&](const Start& start, const PathLaws& path, const Rational& h) {
      const Rational f = own_f(decodes[i], start.state, path.tokens);
      const TokenPath before(path.tokens.begin(), path.tokens.end() - 1);
      Rational reached = start.probability, parent = start.probability;
      if (!before.empty()) {
        reached = decodes[i].at(start.state, before).reached();
        parent = own_f(decodes[i], start.state, before);
      }
      const Rational wanted =
          ingredient("yin2024.proposition1.recursion", Rational(h * (reached - parent)));
      comparisons.push_back({fmt::format("|f_M - h (t - f_M)| at {}, M = {}, against twice what "
                                         "more drafts can change",
                                         path_text(path.tokens), kGrowing[i]),
                             abs(f - wanted), Order::at_most, 2 * rest});
      if (i + 1 == decodes.size()) return;
      comparisons.push_back({fmt::format("|f_M - f at M = {}| at {}, M = {}, against what more "
                                         "drafts can change",
                                         kGrowing.back(), path_text(path.tokens), kGrowing[i]),
                             abs(f - own_f(decodes.back(), start.state, path.tokens)),
                             Order::at_most, rest});
    });
  }
  return comparisons;
}

constexpr ClaimRow kSecond{
    .id = "yin2024.proposition1.second",
    .source = "yin2024 Proposition 1, second item",
    .statement = "f_inf(x_{1:n}) = h(x_n) [t(x_{1:n-1}) - f_inf(x_{1:n-1})]",
    .hypotheses = "f(x_0) = 1; f of decodes with M = 2, 8, 24 and a bound on what more can change",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = limit_recursion,
    .places = {kFew},
    .correction = {kSupport,
                   limit_recursion,
                   {Place(kMany).only(kCovered), Place(kGrowingBattery).only(kCovered)}},
    .bites = {{{"yin2024.proposition1.recursion", Fault::raised},
               {"yin2024.rest", Fault::zeroed},
               {"batch", Fault::replaced, "batch-printed"}}},
};

/// E[N_rej] of the decodes against the sum with their own f: both within a few rests of their
/// limits.
Comparisons limit_sum(const Instance& instance) {
  Comparisons comparisons;
  const auto decodes = growing_decodes(instance);
  for (std::size_t i = 0; i < decodes.size(); ++i) {
    Rational sum(0);
    for (const Start& start : instance.pair().start()) {
      for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma - 1)) {
        const Rational f =
            path.tokens.empty() ? start.probability : own_f(decodes[i], start.state, path.tokens);
        sum += (start.probability * path.target - f) *
               total_variation(instance.rows->target(path.state), instance.rows->draft(path.state));
      }
    }
    comparisons.push_back(
        {fmt::format("|E[N_rej] - sum of (t - f) TV|, T = gamma, M = {}, against 3 T times what "
                     "more drafts can change",
                     kGrowing[i]),
         abs(decodes[i].rejections(instance.gamma) - sum), Order::at_most,
         3 * instance.gamma * rest_after(instance, kGrowing[i])});
  }
  return comparisons;
}

/// The closed form of the limit, which predictions quote, on any support.
Comparisons limit_formula(const Instance& instance) {
  Budget budget;
  const Rational limit = ingredient("yin2024.proposition1.limit",
                                    batch_rejections(*instance.rows, start_law(*instance.rows),
                                                     kManyBatches, instance.gamma, budget)
                                        .expected());
  Comparisons comparisons;
  const auto decodes = growing_decodes(instance);
  for (std::size_t i = 0; i < decodes.size(); ++i) {
    const Rational above = decodes[i].rejections(instance.gamma) - limit;
    comparisons.push_back({fmt::format("E[N_rej] - its limit by the recursion over states, M = {}, "
                                       "against T times what more drafts can change",
                                       kGrowing[i]),
                           above, Order::at_most,
                           instance.gamma * rest_after(instance, kGrowing[i])});
    comparisons.push_back({"the same against 0", above, Order::at_least, Rational(0)});
  }
  return comparisons;
}

constexpr ClaimRow kThird{
    .id = "yin2024.proposition1.third",
    .source = "yin2024 Proposition 1, third item",
    .statement = "lim_{M -> inf} E[N_rej] = sum_n (E_t[TV] - E_{f_inf}[TV])",
    .hypotheses = "f(x_0) = 1; decodes with M = 2, 8, 24 and a bound on what more can change",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = limit_sum,
    .places = {kFew},
    .correction = {kSupport,
                   limit_sum,
                   {Place(kMany).only(kCovered), Place(kGrowingBattery).only(kCovered),
                    Place(kFew).with(limit_formula), Place(kGrowingBattery).with(limit_formula)}},
    .bites = {{{"yin2024.f", Fault::raised},
               {"yin2024.proposition1.limit", Fault::raised},
               {"yin2024.rest", Fault::zeroed},
               {"batch", Fault::replaced, "batch-printed"}}},
};

/// The toy laws at position 1, equal ones after it; gamma = T = 2, 3.
std::vector<Instance> mismatch_at_first(Effort) {
  const std::vector<Rational> one{Rational(2, 3), Rational(1, 3)};
  const std::vector<Rational> other{Rational(1, 3), Rational(2, 3)};
  const Instance instance = name_instance(
      std::make_shared<ListedTreePair>(2, ListedLaws{{{}, one}, {{0}, one}, {{1}, one}},
                                       ListedLaws{{{}, other}, {{0}, one}, {{1}, one}}),
      "first: iid(draft=[2/3,1/3],target=[1/3,2/3]), then draft = target", 2);
  Instance longer = instance;
  longer.gamma = 3;
  return {instance, longer};
}

constexpr Family kMismatchAtFirst{"the toy laws at position 1, equal laws after it, gamma 2..3",
                                  mismatch_at_first};
constexpr Filter kMismatch{"E[TV_n] > 0 for some n <= gamma", [](const Instance& instance) {
                             return tv_along_target(instance).expected() != 0;
                           }};
constexpr SearchSpace kVanishing{.tokens = 2, .gammas = 2, .denominator = 4};

/// What E[N_rej] is at least, however many drafts: from the largest batch.
Comparisons limit_positive(const Instance& instance) {
  const int many = kGrowing.back();
  const Rational found = growing_decodes(instance).back().rejections(instance.gamma);
  return {{fmt::format("E[N_rej] of batch, M = {}, T = gamma, against T times what more drafts can "
                       "change",
                       many),
           found, Order::above, instance.gamma * rest_after(instance, many)}};
}

/// Positive exactly where the target meets a mismatch at some position n >= 2.
Comparisons limit_positive_when(const Instance& instance) {
  const auto terms = tv_along_target(instance).probability;
  bool later = false;
  for (std::size_t n = 1; n < terms.size(); ++n) later = later || terms[n] > 0;
  if (later) return limit_positive(instance);
  Comparisons comparisons;
  const auto decodes = growing_decodes(instance);
  for (std::size_t i = 0; i < decodes.size(); ++i) {
    comparisons.push_back({fmt::format("E[N_rej] of batch, M = {}, no mismatch after position 1, "
                                       "against T times what more drafts can change",
                                       kGrowing[i]),
                           decodes[i].rejections(instance.gamma), Order::at_most,
                           instance.gamma * rest_after(instance, kGrowing[i])});
  }
  return comparisons;
}

constexpr ClaimRow kLast{
    .id = "yin2024.proposition1.last",
    .source = "yin2024 Proposition 1, last item",
    .statement = "E[N_rej] does not tend to 0 as M -> inf",
    .hypotheses =
        "any pair, any T; the proof takes a sum of (t - f_inf) TV = 0 for t = f_inf, which "
        "needs TV > 0",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = limit_positive,
    .places = {kVanishing, Place(kVanishing).only(kMismatch),
               Place(kMismatchAtFirst).only(kMismatch)},
    .correction = {"where supp t lies within supp d: the limit is positive if and only if "
                   "E_t[TV_n] > 0 for some n >= 2",
                   limit_positive_when,
                   {Place(kVanishing).only(kCovered), kMismatchAtFirst}},
    .bites = {{{"yin2024.rest", Fault::zeroed},
               {"yin2024.rest", Fault::raised},
               {"batch", Fault::replaced, "batch-printed"}}},
};

/// f_M against f_{M+1} at every path of at most `longest` tokens.
Comparisons f_falls(const Instance& instance, int longest) {
  Instance larger = instance;
  ++larger.drafts;
  const Fates few = fates_of(batch_of(instance), instance);
  const Fates more = fates_of(batch_of(larger), larger);
  Comparisons comparisons;
  each_target_path(instance, [&](const Start& start, const PathLaws& path, const Rational&) {
    if (static_cast<int>(path.tokens.size()) > longest) return;
    comparisons.push_back({fmt::format("f at {}, M = {}, against M = {}", path_text(path.tokens),
                                       larger.drafts, instance.drafts),
                           own_f(more, start.state, path.tokens), Order::at_most,
                           few.at(start.state, path.tokens).rejected()});
  });
  return comparisons;
}

constexpr ClaimRow kMonotone{
    .id = "yin2024.proposition1.monotone",
    .source = "yin2024 Proposition 1, its f_M along M (not printed)",
    .statement = "f_M(x_{1:n}) falls as M grows, at every path",
    .hypotheses = "batch(M), gamma = inf",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& instance) { return f_falls(instance, instance.gamma); },
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .drafts = 2, .denominator = 4}},
    .correction = {"at n = 1; fewer rejections there mean fewer roots after it, so that f can grow "
                   "(E[N_rej] falls: yin2024.section3.2.monotone)",
                   [](const Instance& instance) { return f_falls(instance, 1); },
                   {BatteryShape{.tokens = 3, .gammas = 2, .drafts = 2, .random = {2, 8, 20}}}},
    .bites = {{{"yin2024.f", Fault::raised}}},
};

constexpr ClaimRow kClaims[] = {kFirst, kSecond, kThird, kLast, kMonotone};

}  // namespace
}  // namespace yin2024_limits

Claims yin2024_limits_claims() { return yin2024_limits::kClaims; }

}  // namespace speclab
