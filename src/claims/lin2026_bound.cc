// Lin, Sheng, Cai, Zhou: "SpecTr-GBV" (2026): what it says of its bound, equation (5), over all
// couplings and all verifiers.
#include "claims/lin2026_drafts.h"
#include "claims/one_iteration.h"
#include "claims/optimum.h"

namespace speclab {
namespace {

/// The law of one draft given the target's token: one row a token y of the target.
using Kernel = std::vector<std::vector<Rational>>;

/// Calls visit(kernel) for the kernels k with sum_y t(y) k(x|y) = d(x) whose rows have this
/// denominator, but for the last one, which follows from the others.
template <class Visit>
void each_kernel(const Instance& instance, int denominator, const Visit& visit) {
  const auto draft = instance.rows->draft(0);
  const auto target = instance.rows->target(0);
  const std::size_t size = draft.size();
  Kernel kernel(size, std::vector<Rational>(size, Rational(0)));
  std::vector<std::size_t> rows;
  for (std::size_t y = 0; y < size; ++y) {
    if (target[y] > 0) rows.push_back(y);
  }
  const auto finish = [&] {
    auto& last = kernel[rows.back()];
    for (std::size_t x = 0; x < size; ++x) {
      last[x] = draft[x];
      for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        last[x] -= target[rows[i]] * kernel[rows[i]][x];
      }
      if (last[x] < 0) return;
      last[x] /= target[rows.back()];
    }
    visit(kernel);
  };
  const auto choose = [&](const auto& self, std::size_t row, std::size_t x, int left) -> void {
    if (row + 1 == rows.size()) return finish();
    auto& law = kernel[rows[row]];
    if (x + 1 == size) {
      law[x] = Rational(left, denominator);
      return self(self, row + 1, 0, denominator);
    }
    for (int part = 0; part <= left; ++part) {
      law[x] = Rational(part, denominator);
      self(self, row, x + 1, left - part);
    }
  };
  choose(choose, 0, 0, denominator);
}

std::string kernel_text(const Kernel& kernel) {
  std::string text;
  for (const auto& law : kernel) {
    std::string row;
    for (const Rational& mass : law) row += (row.empty() ? "" : ",") + to_text(mass);
    text += (text.empty() ? "(" : ";(") + row + ")";
  }
  return text;
}

/// E[tau] of one position for drafts i.i.d. given Y, on a grid of kernels and at the best one.
Comparisons lemma51(const Instance& instance) {
  Comparisons comparisons;
  const auto draft = instance.rows->draft(0);
  const auto target = instance.rows->target(0);
  const Rational most = printed_bound(instance, instance.drafts);
  const auto value = [&](const auto& agree) {
    Rational sum(0);
    for (std::size_t x = 0; x < target.size(); ++x) {
      if (target[x] == 0) continue;
      sum += target[x] * (1 - power<Rational>(1 - agree(x), instance.drafts));
    }
    return sum;
  };
  each_kernel(instance, instance.depth, [&](const Kernel& kernel) {
    comparisons.push_back({fmt::format("E[tau] at k={} against equation (5)", kernel_text(kernel)),
                           value([&](std::size_t x) { return kernel[x][x]; }), Order::at_most,
                           most});
  });
  comparisons.push_back(
      {"E[tau] at k(x|x) = min(d/t, 1) against equation (5)",
       value([&](std::size_t x) { return lesser<Rational>(draft[x] / target[x], Rational(1)); }),
       Order::equal, most});
  return comparisons;
}

constexpr ClaimRow kLemma51{
    .id = "lin2026.lemma5.1",
    .source = "lin2026 Lemma 5.1, equation (5)",
    .statement = "E[tau] <= sum_{i=1..L} sum_x T(x^i) [1 - (1 - min(D/T, 1))^K], attained",
    .hypotheses = "drafts i.i.d. given Y, as the proof of Lemma 5.1 takes them; one position",
    .check = lemma51,
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .drafts = 3, .denominator = 4},
               BatteryShape{.tokens = 3, .gammas = 1, .drafts = 3, .random = 0, .contexts = false}},
    .depth = {4, 6, 8},
};

/// P(X_1 = X_2) - sum d^2 of drafts that are i.i.d. given Y: the sum over x of the variance of
/// k(x|Y), 0 where the drafts are independent, hence positive unless k does not depend on Y.
Comparisons forced_independence(const Instance& instance) {
  Comparisons comparisons;
  const auto draft = instance.rows->draft(0);
  const auto target = instance.rows->target(0);
  each_kernel(instance, instance.depth, [&](const Kernel& kernel) {
    Rational excess(0);
    bool dependent = false;
    for (std::size_t y = 0; y < target.size(); ++y) {
      if (target[y] == 0) continue;
      for (std::size_t x = 0; x < draft.size(); ++x) {
        excess += target[y] * (kernel[y][x] * kernel[y][x] - draft[x] * draft[x]);
        dependent = dependent || kernel[y][x] != draft[x];
      }
    }
    comparisons.push_back(
        {fmt::format("P(X_1 = X_2) - sum d^2, {} on Y, at k={}",
                     dependent ? "depending" : "not depending", kernel_text(kernel)),
         excess, dependent ? Order::above : Order::equal, Rational(0)});
  });
  return comparisons;
}

constexpr ClaimRow kIndependence{
    .id = "lin2026.equation1.independence",
    .source = "lin2026 section 4.1, conditional independence",
    .statement = "drafts that are i.i.d. given Y and i.i.d. ~ d are independent of Y",
    .hypotheses = "K >= 2",
    .check = forced_independence,
    .places = {SearchSpace{
                   .tokens = 2, .gammas = 1, .least_drafts = 2, .drafts = 2, .denominator = 4},
               BatteryShape{.tokens = 3,
                            .gammas = 1,
                            .least_drafts = 2,
                            .drafts = 2,
                            .random = 0,
                            .contexts = false}},
    .depth = {4, 6, 8},
};

/// The drafts being independent of Y: sum over x^i of T [1 - (1 - D)^K].
Comparisons one_coupling(const Instance& instance) {
  Rational value(0);
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      if (path.tokens.empty()) continue;
      value +=
          start.probability * path.target * (1 - power<Rational>(1 - path.draft, instance.drafts));
    }
  }
  return {{"E[tau] of the one coupling there is, drafts independent of Y, against equation (5)",
           value, Order::equal, printed_bound(instance, instance.drafts)}};
}

constexpr ClaimRow kOptimum{
    .id = "lin2026.equation1.optimum",
    .source = "lin2026 section 4.1, equation (1), Theorem 5.3",
    .statement = "max of E[tau] over the conditionally independent couplings = equation (5)",
    .hypotheses = "drafts i.i.d. given Y and i.i.d. ~ d, K >= 2",
    .recorded = ClaimVerdict::refuted,
    .check = one_coupling,
    .places = {kSeveralDrafts},
};

Comparisons best_coupling(const Instance& instance) {
  const auto best =
      certify(position_program(instance.rows->draft(0), instance.rows->target(0), instance.drafts));
  return {{"E[tau] of the best coupling of i.i.d. drafts against equation (5)",
           best.attained.value_or(Rational(0)), Order::at_most,
           printed_bound(instance, instance.drafts)}};
}

Comparisons below_bound(const Instance& instance, std::string_view verifier) {
  return {{fmt::format("E[tau] of {} against equation (5)", verifier),
           mean_accepted(verifier, instance, instance.drafts), Order::at_most,
           printed_bound(instance, instance.drafts)}};
}
Comparisons slot_block_below(const Instance& at) { return below_bound(at, "slot-block"); }
Comparisons rrs_below(const Instance& at) { return below_bound(at, "rrs"); }
Comparisons kseq_below(const Instance& at) { return below_bound(at, "kseq"); }

constexpr ClaimRow kOptimal{
    .id = "lin2026.optimal",
    .source = "lin2026 abstract, section 1",
    .statement = "no verifier of K i.i.d. drafts attains more than equation (5)",
    .hypotheses = "K >= 2; lossless verifiers",
    .recorded = ClaimVerdict::refuted,
    .check = best_coupling,
    .places = {SearchSpace{
                   .tokens = 2, .gammas = 1, .least_drafts = 2, .drafts = 3, .denominator = 4},
               Place(kSeveralDrafts).with(slot_block_below)},
};

constexpr SearchSpace kOnePosition{
    .tokens = 3, .gammas = 1, .least_drafts = 2, .drafts = 3, .denominator = {5, 6, 8}};

/// Verifiers older than the paper.
constexpr ClaimRow kExisting{
    .id = "lin2026.optimal.existing",
    .source = "lin2026 abstract, section 1",
    .statement = "E[tau] of rrs(K), kseq(K) <= equation (5)",
    .hypotheses = "K >= 2, one position",
    .recorded = ClaimVerdict::refuted,
    .check = rrs_below,
    .places = {kOnePosition, Place(kOnePosition).with(kseq_below),
               NamedPair{"iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 1, 2}},
};

constexpr BatteryShape kBound{.tokens = 3, .gammas = 3, .drafts = 4, .random = {4, 12, 40}};

/// Bound(K + 1) against Bound(K).
Comparisons next_bound(const Instance& instance, Order order, std::string_view where = "") {
  return {{fmt::format("Bound(K + 1) against Bound(K){}", where),
           printed_bound(instance, instance.drafts + 1), order,
           printed_bound(instance, instance.drafts)}};
}

constexpr ClaimRow kMonotone{
    .id = "lin2026.remark5.2.monotone",
    .source = "lin2026 Remark 5.2, monotonicity",
    .statement = "Bound(K1) >= Bound(K2) for K1 > K2",
    .hypotheses = "any pair",
    .check = [](const Instance& instance) { return next_bound(instance, Order::at_least); },
    .places = {kBound},
};

/// Strictly where some path is drafted too rarely, and not at all elsewhere.
Comparisons strict_where_underdrafted(const Instance& instance) {
  bool underdrafted = false;
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      underdrafted = underdrafted || (path.draft > 0 && path.draft < path.target);
    }
  }
  return underdrafted ? next_bound(instance, Order::above, ", a path with 0 < D < T")
                      : next_bound(instance, Order::equal, ", no path with 0 < D < T");
}

constexpr ClaimRow kStrict{
    .id = "lin2026.remark5.2.strict",
    .source = "lin2026 Remark 5.2, monotonicity",
    .statement = "Bound(K1) > Bound(K2) for K1 > K2",
    .hypotheses = "any pair",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& instance) { return next_bound(instance, Order::above); },
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .drafts = 3, .denominator = 4}},
    .correction = {"if and only if some path of at most L tokens has 0 < D < T",
                   strict_where_underdrafted,
                   {SearchSpace{.tokens = 2, .gammas = 2, .drafts = 3, .denominator = {4, 6, 8}},
                    kBound}},
};

/// So many drafts that nothing more can come: for D/T of at least 1/16, (15/16)^512 < 2^-47.
constexpr int kManyDrafts = 512;

Comparisons limit_is_length(const Instance& instance) {
  return {{fmt::format("gamma - Bound({})", kManyDrafts),
           Rational(instance.gamma) - printed_bound(instance, kManyDrafts), Order::at_most,
           Rational(1, 1 << 20)}};
}

Comparisons limit_is_reach(const Instance& instance) {
  Rational reach(0);
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      if (path.draft > 0 && !path.tokens.empty()) reach += start.probability * path.target;
    }
  }
  return {{fmt::format("|sum of T over paths with D > 0 - Bound({})|", kManyDrafts),
           abs(reach - printed_bound(instance, kManyDrafts)), Order::at_most,
           Rational(1, 1 << 20)}};
}

constexpr ClaimRow kLimit{
    .id = "lin2026.remark5.2.limit",
    .source = "lin2026 Remark 5.2, convergence",
    .statement = "Bound(K) -> L as K -> inf",
    .hypotheses = "any pair",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = limit_is_length,
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .denominator = 4},
               NamedPair{"iid(draft=[1,0],target=[1/2,1/2])"}},
    .correction =
        {"Bound(K) -> sum_{i=1..L} P_T(D(x^i) > 0), which is L where supp t lies within supp d",
         limit_is_reach,
         {SearchSpace{.tokens = 3, .gammas = 1, .denominator = 4},
          SearchSpace{.tokens = 2, .gammas = 2, .denominator = 4}}},
};

Comparisons consistency(const Instance& instance) {
  Rational minima(0);
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      if (path.tokens.empty()) continue;
      minima += start.probability * lesser(path.draft, path.target);
    }
  }
  return {{"Bound(1) against sum of min(D, T)", printed_bound(instance, 1), Order::equal, minima}};
}

constexpr ClaimRow kConsistency{
    .id = "lin2026.remark5.2.consistency",
    .source = "lin2026 Remark 5.2, consistency",
    .statement = "Bound(1) = sum_{i=1..L} sum_x min(D, T)",
    .hypotheses = "any pair",
    .check = consistency,
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .random = {4, 12, 40}}},
};

constexpr ClaimRow kClaims[] = {kLemma51,  kIndependence, kOptimum, kOptimal,    kExisting,
                                kMonotone, kStrict,       kLimit,   kConsistency};

}  // namespace

Claims lin2026_bound_claims() { return kClaims; }

}  // namespace speclab
