// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// Proposition 1: batches of ever more drafts.
#include <algorithm>

#include "claims/battery/small_pairs.h"
#include "claims/papers/yin2024/decodes.h"
#include "claims/papers/yin2024/fates.h"
#include "claims/papers/yin2024/recursion.h"
#include "theory/yin2024.h"

namespace speclab {
namespace yin2024_limits {
namespace {

constexpr std::string_view kSupport =
    "where supp t lies within supp d: else prod_m r_m -> t{d = 0} and not 0";
/// Two tokens at most: over three the sequences of decisions double with every draft.
constexpr BatteryShape kGrowingBattery{.tokens = 2, .gammas = 2, .random = {4, 8, 40}};
constexpr SearchSpace kFew{.tokens = 2, .gammas = 2, .denominator = 3};
constexpr Place kManyCovered =
    Place(SearchSpace{.tokens = 2, .gammas = 2, .denominator = {4, 4, 6}}).only(kCovered);

/// An exact decode of batch(M), and rest_after(M).
struct BatchDecode {
  int many;
  Fates fates;
  Rational rest;
};

/// Of each number of drafts.
std::vector<BatchDecode> growing_decodes(const Instance& at) {
  std::vector<BatchDecode> decodes;
  for (const int many : kGrowing) {
    decodes.push_back({many, fates_of(fmt::format("batch(M={})", many), at), rest_after(at, many)});
  }
  return decodes;
}

/// f_M of a verifier's own decodes; 1 before the first token.
Rational own_f(const Fates& fates, const Start& start, const TokenPath& path) {
  return path.empty() ? start.probability
                      : ingredient("yin2024.f", fates.at(start.state, path).rejected());
}

/// Calls visit(start, path) for every path of 1 .. `longest` tokens of the target.
template <class Visit>
void each_target_path(const Instance& at, int longest, const Visit& visit) {
  for (const Start& start : at.pair().start()) {
    for (const PathLaws& path : paths_from(*at.rows, start.state, longest)) {
      if (!path.tokens.empty() && path.target > 0) visit(start, path);
    }
  }
}

void between_zero_and_target(const Fates& fates, int many, Comparisons& says) {
  const Instance& at = fates.instance;
  each_target_path(at, at.gamma, [&](const Start& start, const PathLaws& path) {
    const Rational f = own_f(fates, start, path.tokens);
    says.at_most(f, start.probability * path.target, "f at {}, M = {}, against t",
                 path_text(path.tokens), many);
    says.at_least(f, 0, "f against 0");
  });
}

Comparisons first_item(const Instance& at) {
  Comparisons says;
  between_zero_and_target(fates_of(verifier_text(kBatch, at), at), at.drafts, says);
  return says;
}

/// f_inf is within rest_after(M) of f_M.
Comparisons first_item_growing(const Instance& at) {
  Comparisons says;
  for (const BatchDecode& decode : growing_decodes(at)) {
    between_zero_and_target(decode.fates, decode.many, says);
  }
  return says;
}

constexpr ClaimRow kFirst{
    .id = "yin2024.proposition1.first",
    .source = "yin2024 Proposition 1, first item",
    .statement = "0 <= f_M(x_{1:n}) <= t(x_{1:n}) for all M, and so for f_inf",
    .hypotheses = "f of the verifier's decodes, M up to 24",
    .check = first_item,
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .drafts = 3, .random = {2, 8, 20}},
               Place(kGrowingBattery).with(first_item_growing)},
    .bites = {{raised("yin2024.f"), lowered("yin2024.f")}},
};

/// Whether f_M of the decodes tends to h (t - f_inf), f_inf being within rest_after(M) of f_M; and
/// whether it tends to anything: larger M are within it too.
Comparisons limit_recursion(const Instance& at) {
  Comparisons says;
  const auto decodes = growing_decodes(at);
  for (const BatchDecode& decode : decodes) {
    const auto f_of = [&](const Start& start, const TokenPath& path) {
      return own_f(decode.fates, start, path);
    };
    each_target_path(at, at.gamma, [&](const Start& start, const PathLaws& path) {
      const TokenPath before(path.tokens.begin(), path.tokens.end() - 1);
      const State state = follow(*at.rows, start.state, before).state;
      const auto x = static_cast<std::size_t>(path.tokens.back());
      const Rational h =
          positive_part<Rational>(at.rows->target(state)[x] - at.rows->draft(state)[x]);
      const Rational reached =
          before.empty() ? start.probability : decode.fates.at(start.state, before).reached();
      const Rational wanted = ingredient("yin2024.proposition1.recursion",
                                         Rational(h * (reached - f_of(start, before))));
      const Rational f = f_of(start, path.tokens);
      const std::string where = fmt::format("{}, M = {}", path_text(path.tokens), decode.many);
      says.at_most(abs(f - wanted), 2 * decode.rest,
                   "|f_M - h (t - f_M)| at {}, against twice what more drafts can change", where);
      if (&decode == &decodes.back()) return;
      says.at_most(abs(f - own_f(decodes.back().fates, start, path.tokens)), decode.rest,
                   "|f_M - f at M = {}| at {}, against what more drafts can change",
                   kGrowing.back(), where);
    });
  }
  return says;
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
                   {kManyCovered, Place(kGrowingBattery).only(kCovered)}},
    .bites = {{raised("yin2024.proposition1.recursion"), zeroed("yin2024.rest"),
               replaced("batch", "batch-printed")}},
};

/// E[N_rej] of the decodes against the sum with their own f: both within a few rests of their
/// limits.
Comparisons limit_sum(const Instance& at) {
  Comparisons says;
  for (const auto& [many, fates, rest] : growing_decodes(at)) {
    Rational sum(0);
    for (const Start& start : at.pair().start()) {
      for (const PathLaws& path : paths_from(*at.rows, start.state, at.gamma - 1)) {
        sum += (start.probability * path.target - own_f(fates, start, path.tokens)) *
               total_variation(at.rows->target(path.state), at.rows->draft(path.state));
      }
    }
    says.at_most(abs(fates.rejections() - sum), 3 * at.gamma * rest,
                 "|E[N_rej] - sum of (t - f) TV|, T = gamma, M = {}, against 3 T times what more "
                 "drafts can change",
                 many);
  }
  return says;
}

/// The closed form of the limit, which predictions quote, on any support.
Comparisons limit_formula(const Instance& at) {
  Budget budget;
  const Rational limit = ingredient(
      "yin2024.proposition1.limit",
      batch_rejections(*at.rows, start_law(*at.rows), kManyBatches, at.gamma, budget).expected());
  Comparisons says;
  for (const auto& [many, fates, rest] : growing_decodes(at)) {
    const Rational above = fates.rejections() - limit;
    says.at_most(above, at.gamma * rest,
                 "E[N_rej] - its limit by the recursion over states, M = {}, against T times what "
                 "more drafts can change",
                 many);
    says.at_least(above, 0, "the same against 0");
  }
  return says;
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
                   {kManyCovered, Place(kGrowingBattery).only(kCovered),
                    Place(kFew).with(limit_formula), Place(kGrowingBattery).with(limit_formula)}},
    .bites = {{raised("yin2024.f"), raised("yin2024.proposition1.limit"), zeroed("yin2024.rest"),
               replaced("batch", "batch-printed")}},
};

/// The toy laws at position 1, equal ones after it; gamma = T = 2, 3.
std::vector<Instance> mismatch_at_first(Effort) {
  const std::vector<Rational> one{Rational(2, 3), Rational(1, 3)}, other{one[1], one[0]};
  const Instance instance =
      listed_tree({{{}, one}, {{0}, one}, {{1}, one}}, {{{}, other}, {{0}, one}, {{1}, one}}, 2);
  Instance longer = instance;
  longer.gamma = 3;
  return {instance, longer};
}

constexpr Family kMismatchAtFirst{"the toy laws at position 1, equal laws after it, gamma 2..3",
                                  mismatch_at_first};
constexpr Filter kMismatch{"E[TV_n] > 0 for some n <= gamma",
                           [](const Instance& at) { return kTvSum(at) != 0; }};
constexpr SearchSpace kVanishing{.tokens = 2, .gammas = 2, .denominator = 4, .memoryless = true};

/// What E[N_rej] is at least, however many drafts: from the largest batch.
Comparisons limit_positive(const Instance& at) {
  const BatchDecode decode = growing_decodes(at).back();
  Comparisons says;
  says.above(decode.fates.rejections(), at.gamma * decode.rest,
             "E[N_rej] of batch, M = {}, T = gamma, against T times what more drafts can change",
             decode.many);
  return says;
}

/// t_1{d_1 = 0}: what no draft can hit at position 1.
Rational never_drafted(const Instance& at) {
  Rational mass(0);
  for (const Start& start : at.pair().start()) {
    const auto draft = at.rows->draft(start.state);
    const auto target = at.rows->target(start.state);
    for (std::size_t x = 0; x < draft.size(); ++x) {
      if (draft[x] == 0) mass += start.probability * target[x];
    }
  }
  return ingredient("yin2024.proposition1.never-drafted", mass);
}

/// Positive exactly where the target meets a mismatch at some position n >= 2, or at position 1 a
/// token that is never drafted.
Comparisons limit_positive_when(const Instance& at) {
  const auto terms = tv_along_target(at);
  if (never_drafted(at) > 0 ||
      std::any_of(terms.begin() + 1, terms.end(), [](const Rational& p) { return p > 0; })) {
    return limit_positive(at);
  }
  Comparisons says;
  for (const auto& [many, fates, rest] : growing_decodes(at)) {
    says.at_most(fates.rejections(), at.gamma * rest,
                 "E[N_rej] of batch, M = {}, no mismatch after position 1, against T times what "
                 "more drafts can change",
                 many);
  }
  return says;
}

constexpr ClaimRow kLast{
    .id = "yin2024.proposition1.last",
    .source = "yin2024 Proposition 1, last item",
    .statement = "E[N_rej] does not tend to 0 as M -> inf",
    .hypotheses =
        "any pair, any T; the proof takes a sum of (t - f_inf) TV = 0 for t = f_inf, which needs "
        "TV > 0",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = limit_positive,
    .places = {kVanishing, Place(kVanishing).only(kMismatch),
               Place(kMismatchAtFirst).only(kMismatch)},
    .correction = {"if and only if E_t[TV_n] > 0 for some n >= 2 or t_1{d_1 = 0} > 0",
                   limit_positive_when,
                   {kVanishing, kMismatchAtFirst, kGrowingBattery}},
    .bites = {{zeroed("yin2024.rest"), raised("yin2024.rest"),
               zeroed("yin2024.proposition1.never-drafted"),
               raised("yin2024.proposition1.never-drafted")}},
};

/// f_M against f_{M+1} at every path of at most `longest` tokens.
Comparisons f_falls(const Instance& at, int longest) {
  const Fates few = fates_of(verifier_text(kBatch, at), at);
  const Fates more = fates_of(verifier_text("batch(M={K+1})", at), at);
  Comparisons says;
  each_target_path(at, longest, [&](const Start& start, const PathLaws& path) {
    says.at_most(own_f(more, start, path.tokens), few.at(start.state, path.tokens).rejected(),
                 "f at {}, M = {}, against M = {}", path_text(path.tokens), at.drafts + 1,
                 at.drafts);
  });
  return says;
}

constexpr ClaimRow kMonotone{
    .id = "yin2024.proposition1.monotone",
    .source = "this project, after yin2024 Proposition 1: its f_M along M",
    .statement = "f_M(x_{1:n}) falls as M grows, at every path",
    .hypotheses = "batch(M), gamma = inf",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return f_falls(at, at.gamma); },
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .drafts = 2, .denominator = 4}},
    .correction = {"at n = 1; fewer rejections there mean fewer roots after it, so that f can grow "
                   "(E[N_rej] falls: yin2024.section3.2.monotone)",
                   [](const Instance& at) { return f_falls(at, 1); },
                   {BatteryShape{.tokens = 3, .gammas = 2, .drafts = 2, .random = {2, 8, 20}}}},
    .bites = {{raised("yin2024.f")}},
};

constexpr ClaimRow kClaims[] = {kFirst, kSecond, kThird, kLast, kMonotone};

}  // namespace
}  // namespace yin2024_limits

Claims yin2024_limits_claims() { return yin2024_limits::kClaims; }

}  // namespace speclab
