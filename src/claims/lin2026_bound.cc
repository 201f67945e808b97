// Lin, Sheng, Cai, Zhou: "SpecTr-GBV" (2026): what it says of its bound, equation (5), over all
// couplings and all verifiers.
#include <array>

#include "claims/lin2026_drafts.h"
#include "claims/one_iteration.h"
#include "claims/optimum.h"
#include "claims/registry.h"

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

/// P(X_1 = X_2) - sum d^2 of drafts that are i.i.d. given Y: the sum over x of the variance of
/// k(x|Y), 0 where the drafts are independent, hence positive unless k does not depend on Y.
ClaimResult forced_independence(const ClaimContext& context) {
  Examination examination(context);
  const int denominator = context.size(4, 6, 8);
  const Statement statement = [denominator](const Instance& instance) {
    std::vector<Compared> comparisons;
    const auto draft = instance.rows->draft(0);
    const auto target = instance.rows->target(0);
    each_kernel(instance, denominator, [&](const Kernel& kernel) {
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
  };
  examination.search({.tokens = 2, .gammas = 1, .least_drafts = 2, .drafts = 2, .denominator = 4},
                     statement);
  examination.check(
      {.tokens = 3, .gammas = 1, .least_drafts = 2, .drafts = 2, .random = 0, .contexts = false},
      statement);
  return examination.finish();
}

/// The drafts being independent of Y: sum over x^i of T [1 - (1 - D)^K].
ClaimResult optimum_of_couplings(const ClaimContext& context) {
  Examination examination(context);
  const Statement statement = [](const Instance& instance) -> std::vector<Compared> {
    Rational value(0);
    for (const Start& start : instance.pair().start()) {
      for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
        if (path.tokens.empty()) continue;
        value += start.probability * path.target *
                 (1 - power<Rational>(1 - path.draft, instance.drafts));
      }
    }
    return {{"E[tau] of the one coupling there is, drafts independent of Y, against equation (5)",
             value, Order::equal, printed_bound(instance, instance.drafts)}};
  };
  examination.search(several_drafts(context), statement);
  return examination.finish();
}

/// E[tau] of one position for drafts i.i.d. given Y, on a grid of kernels and at the best one.
ClaimResult lemma51(const ClaimContext& context) {
  Examination examination(context);
  const int denominator = context.size(4, 6, 8);
  const Statement statement = [denominator](const Instance& instance) {
    std::vector<Compared> comparisons;
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
    each_kernel(instance, denominator, [&](const Kernel& kernel) {
      comparisons.push_back(
          {fmt::format("E[tau] at k={} against equation (5)", kernel_text(kernel)),
           value([&](std::size_t x) { return kernel[x][x]; }), Order::at_most, most});
    });
    comparisons.push_back(
        {"E[tau] at k(x|x) = min(d/t, 1) against equation (5)",
         value([&](std::size_t x) { return lesser<Rational>(draft[x] / target[x], Rational(1)); }),
         Order::equal, most});
    return comparisons;
  };
  examination.search({.tokens = 2, .gammas = 1, .drafts = 3, .denominator = 4}, statement);
  examination.check({.tokens = 3, .gammas = 1, .drafts = 3, .random = 0, .contexts = false},
                    statement);
  return examination.finish();
}

ClaimResult optimal_drafts(const ClaimContext& context) {
  Examination examination(context);
  examination.search({.tokens = 2, .gammas = 1, .least_drafts = 2, .drafts = 3, .denominator = 4},
                     [](const Instance& instance) -> std::vector<Compared> {
                       const auto best = certify(position_program(
                           instance.rows->draft(0), instance.rows->target(0), instance.drafts));
                       return {{"E[tau] of the best coupling of i.i.d. drafts against equation (5)",
                                best.attained.value_or(Rational(0)), Order::at_most,
                                printed_bound(instance, instance.drafts)}};
                     });
  examination.search(
      several_drafts(context), [](const Instance& instance) -> std::vector<Compared> {
        const auto found = exact_result(with_drafts("slot-block", instance.drafts), instance);
        return {{"E[tau] of slot-block against equation (5)", found.expected_accepted,
                 Order::at_most, printed_bound(instance, instance.drafts)}};
      });
  return examination.finish();
}

/// Verifiers older than the paper.
ClaimResult existing_verifiers(const ClaimContext& context) {
  Examination examination(context);
  for (const char* name : {"rrs", "kseq"}) {
    examination.search({.tokens = 3,
                        .gammas = 1,
                        .least_drafts = 2,
                        .drafts = 3,
                        .denominator = context.size(5, 6, 8)},
                       [name](const Instance& instance) -> std::vector<Compared> {
                         return {{fmt::format("E[tau] of {} against equation (5)", name),
                                  mean_accepted(name, instance, instance.drafts), Order::at_most,
                                  printed_bound(instance, instance.drafts)}};
                       });
  }
  examination.check({make_instance("iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 1, 2)},
                    [](const Instance& instance) -> std::vector<Compared> {
                      return {{"E[tau] of rrs against equation (5)",
                               mean_accepted("rrs", instance, instance.drafts), Order::at_most,
                               printed_bound(instance, instance.drafts)}};
                    });
  return examination.finish();
}

constexpr BatteryShape kBound{.tokens = 3, .gammas = 3, .drafts = 4};

ClaimResult monotone(const ClaimContext& context) {
  Examination examination(context);
  BatteryShape shape = kBound;
  shape.random = context.size(4, 12, 40);
  examination.check(shape, [](const Instance& instance) -> std::vector<Compared> {
    return {{"Bound(K + 1) against Bound(K)", printed_bound(instance, instance.drafts + 1),
             Order::at_least, printed_bound(instance, instance.drafts)}};
  });
  return examination.finish();
}

std::vector<Compared> strictly_monotone(const Instance& instance) {
  return {{"Bound(K + 1) against Bound(K)", printed_bound(instance, instance.drafts + 1),
           Order::above, printed_bound(instance, instance.drafts)}};
}

ClaimResult strictness(const ClaimContext& context) {
  Examination examination(context);
  examination.search({.tokens = 2, .gammas = 2, .drafts = 3, .denominator = 4}, strictly_monotone);
  return examination.finish();
}

ClaimResult strictness_corrected(const ClaimContext& context) {
  Examination examination(context);
  examination.search({.tokens = 2, .gammas = 2, .drafts = 3, .denominator = 4}, strictly_monotone);
  const Statement statement = [](const Instance& instance) -> std::vector<Compared> {
    bool underdrafted = false;
    for (const Start& start : instance.pair().start()) {
      for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
        underdrafted = underdrafted || (path.draft > 0 && path.draft < path.target);
      }
    }
    return {{fmt::format("Bound(K + 1) against Bound(K), {} path with 0 < D < T",
                         underdrafted ? "a" : "no"),
             printed_bound(instance, instance.drafts + 1),
             underdrafted ? Order::above : Order::equal, printed_bound(instance, instance.drafts)}};
  };
  examination.search({.tokens = 2, .gammas = 2, .drafts = 3, .denominator = context.size(4, 6, 8)},
                     statement, Reading::corrected);
  BatteryShape shape = kBound;
  shape.random = context.size(4, 12, 40);
  examination.check(shape, statement, Reading::corrected);
  return examination.finish();
}

/// So many drafts that nothing more can come: for D/T of at least 1/16, (15/16)^512 < 2^-47.
constexpr int kManyDrafts = 512;

std::vector<Compared> limit_is_length(const Instance& instance) {
  return {{fmt::format("gamma - Bound({})", kManyDrafts),
           Rational(instance.gamma) - printed_bound(instance, kManyDrafts), Order::at_most,
           Rational(1, 1 << 20)}};
}

std::vector<Compared> limit_is_reach(const Instance& instance) {
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

ClaimResult limit(const ClaimContext& context) {
  Examination examination(context);
  examination.search({.tokens = 2, .gammas = 2, .denominator = 4}, limit_is_length);
  examination.check({make_instance("iid(draft=[1,0],target=[1/2,1/2])")}, limit_is_length);
  return examination.finish();
}

ClaimResult limit_corrected(const ClaimContext& context) {
  Examination examination(context);
  examination.search({.tokens = 2, .gammas = 2, .denominator = 4}, limit_is_length);
  examination.search({.tokens = 3, .gammas = 1, .denominator = 4}, limit_is_reach,
                     Reading::corrected);
  examination.search({.tokens = 2, .gammas = 2, .denominator = 4}, limit_is_reach,
                     Reading::corrected);
  return examination.finish();
}

ClaimResult consistency(const ClaimContext& context) {
  Examination examination(context);
  examination.check(
      {.tokens = 3, .gammas = 3, .random = context.size(4, 12, 40)},
      [](const Instance& instance) -> std::vector<Compared> {
        Rational minima(0);
        for (const Start& start : instance.pair().start()) {
          for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
            if (path.tokens.empty()) continue;
            minima += start.probability * lesser(path.draft, path.target);
          }
        }
        return {{"Bound(1) against sum of min(D, T)", printed_bound(instance, 1), Order::equal,
                 minima}};
      });
  return examination.finish();
}

constexpr auto kHolds = ClaimVerdict::holds;
constexpr auto kRefuted = ClaimVerdict::refuted;
constexpr auto kCorrected = ClaimVerdict::holds_with_correction;
constexpr std::string_view kConditional =
    "drafts i.i.d. given Y, as the proof of Lemma 5.1 takes them; one position";

constexpr std::array kClaims{
    ClaimRow{"lin2026.lemma5.1", "lin2026 Lemma 5.1, equation (5)",
             "E[tau] <= sum_{i=1..L} sum_x T(x^i) [1 - (1 - min(D/T, 1))^K], attained",
             kConditional, kHolds, "", lemma51},
    ClaimRow{"lin2026.equation1.independence", "lin2026 section 4.1, conditional independence",
             "drafts that are i.i.d. given Y and i.i.d. ~ d are independent of Y", "K >= 2", kHolds,
             "", forced_independence},
    ClaimRow{"lin2026.equation1.optimum", "lin2026 section 4.1, equation (1), Theorem 5.3",
             "max of E[tau] over the conditionally independent couplings = equation (5)",
             "drafts i.i.d. given Y and i.i.d. ~ d, K >= 2", kRefuted, "", optimum_of_couplings},
    ClaimRow{"lin2026.optimal", "lin2026 abstract, section 1",
             "no verifier of K i.i.d. drafts attains more than equation (5)",
             "K >= 2; lossless verifiers", kRefuted, "", optimal_drafts},
    ClaimRow{"lin2026.optimal.existing", "lin2026 abstract, section 1",
             "E[tau] of rrs(K), kseq(K) <= equation (5)", "K >= 2, one position", kRefuted, "",
             existing_verifiers},
    ClaimRow{"lin2026.remark5.2.monotone", "lin2026 Remark 5.2, monotonicity",
             "Bound(K1) >= Bound(K2) for K1 > K2", "any pair", kHolds, "", monotone},
    ClaimRow{"lin2026.remark5.2.strict", "lin2026 Remark 5.2, monotonicity",
             "Bound(K1) > Bound(K2) for K1 > K2", "any pair", kRefuted, "", strictness},
    ClaimRow{"lin2026.remark5.2.strict-corrected", "lin2026 Remark 5.2, monotonicity, corrected",
             "Bound(K1) > Bound(K2) for K1 > K2", "any pair", kCorrected,
             "if and only if some path of at most L tokens has 0 < D < T", strictness_corrected},
    ClaimRow{"lin2026.remark5.2.limit", "lin2026 Remark 5.2, convergence",
             "Bound(K) -> L as K -> inf", "any pair", kRefuted, "", limit},
    ClaimRow{"lin2026.remark5.2.limit-corrected", "lin2026 Remark 5.2, convergence, corrected",
             "Bound(K) -> L as K -> inf", "any pair", kCorrected,
             "Bound(K) -> sum_{i=1..L} P_T(D(x^i) > 0), which is L where supp t lies within supp d",
             limit_corrected},
    ClaimRow{"lin2026.remark5.2.consistency", "lin2026 Remark 5.2, consistency",
             "Bound(1) = sum_{i=1..L} sum_x min(D, T)", "any pair", kHolds, "", consistency},
};

}  // namespace

std::span<const ClaimRow> lin2026_bound_claims() { return kClaims; }

}  // namespace speclab
