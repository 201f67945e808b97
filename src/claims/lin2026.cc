// Lin, Sheng, Cai, Zhou: "SpecTr-GBV: Multi-Draft Block Verification Accelerating Speculative
// Decoding" (2026), and the slot-block verifier that repairs it.
#include "theory/lin2026.h"

#include <fmt/format.h>

#include <array>

#include "claims/examination.h"
#include "claims/optimum.h"
#include "claims/registry.h"
#include "claims/simulated.h"
#include "theory/multi_draft.h"

namespace speclab {
namespace {

constexpr std::string_view kToy = "iid(draft=[2/3,1/3],target=[1/3,2/3])";

std::string with_drafts(std::string_view name, int drafts) {
  return fmt::format("{}(K={})", name, drafts);
}

Rational accepted(std::string_view name, const Instance& instance, int drafts) {
  return exact_result(with_drafts(name, drafts), instance).expected_accepted;
}

/// Equation (5) with this many drafts.
Rational bound(const Instance& instance, int drafts) {
  Budget budget;
  return expectation(
      spectr_gbv_tail(*instance.rows, start_law(*instance.rows), drafts, instance.gamma, budget));
}

/// The printed algorithm where it leaves nothing undefined.
bool defined(const Instance& instance) {
  return exact_result(with_drafts("spectr-gbv", instance.drafts), instance).undefined_mass == 0;
}

Statement where_defined(const Statement& statement) {
  return [statement](const Instance& instance) {
    return defined(instance) ? statement(instance) : std::vector<Compared>{};
  };
}

/// Where searches with K >= 2 look.
SearchSpace several_drafts(const ClaimContext& context) {
  return {.tokens = 2,
          .gammas = 2,
          .least_drafts = 2,
          .drafts = 3,
          .denominator = context.size(4, 4, 6)};
}

/// Holds a statement with K >= 2, where it is looked for twice: anywhere, and where the printed
/// algorithm leaves nothing undefined.
ClaimResult of_several(const ClaimContext& context, const Statement& statement) {
  Examination examination(context);
  const SearchSpace space = several_drafts(context);
  examination.search(space, statement);
  examination.search(space, where_defined(statement));
  examination.check(
      {make_instance("iid(draft=[1/2,1/2],target=[1/2,1/2])", 1, 3), make_instance(kToy, 1, 2),
       make_instance("iid(draft=[1/2,1/2],target=[3/4,1/4])", 1, 2), make_instance(kToy, 2, 2)},
      statement);
  return examination.finish();
}

ClaimResult of_one(const ClaimContext& context, const Statement& statement) {
  Examination examination(context);
  examination.check({.tokens = 3, .gammas = 2, .random = context.size(4, 12, 40)}, statement);
  examination.search({.tokens = 2, .gammas = context.size(2, 3, 3), .denominator = 4}, statement);
  return examination.finish();
}

/// P(a draft begins with x^i and x^i is accepted), path by path.
std::vector<Compared> accepted_paths(const Instance& instance) {
  std::vector<Compared> comparisons;
  for (const Start& start : instance.pair().start()) {
    std::map<TokenPath, Rational> reach;
    each_iteration(SpectrGbv{instance.drafts}, instance, start.state, false,
                   [&](const auto& out, const Rational& weight) {
                     for (int i = 1; i <= out.accepted; ++i) {
                       reach[TokenPath(out.tokens.begin(), out.tokens.begin() + i)] += weight;
                     }
                   });
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      if (path.tokens.empty()) continue;
      // T [1 - (1 - min(D / T, 1))^K], 0 where T is 0.
      const Rational term =
          path.draft > 0 ? Rational(path.draft *
                                    bound_term<Rational>(path.target / path.draft, instance.drafts))
                         : Rational(0);
      comparisons.push_back({fmt::format("P({} accepted) against T [1 - (1 - min(D/T, 1))^K]",
                                         path_text(path.tokens)),
                             reach[path.tokens], Order::equal, term});
    }
  }
  return comparisons;
}

Statement output_law(int beyond) {
  return [beyond](const Instance& instance) -> std::vector<Compared> {
    const int horizon = instance.gamma + beyond;
    if (instance.pair().vocabulary() > 2 && instance.gamma > 1 && beyond > 1) return {};
    return {{fmt::format("TV of {} tokens of spectr-gbv to the target's", horizon),
             exact_result(with_drafts("spectr-gbv", instance.drafts), instance, horizon)
                 .decode->tv_to_target,
             Order::equal, Rational(0)}};
  };
}

std::vector<Compared> attains_bound(const Instance& instance) {
  return {{"E[tau] of spectr-gbv against equation (5)",
           accepted("spectr-gbv", instance, instance.drafts), Order::equal,
           bound(instance, instance.drafts)}};
}

std::vector<Compared> grows(const Instance& instance) {
  return {{"E[tau] of spectr-gbv against K = 1", accepted("spectr-gbv", instance, instance.drafts),
           Order::at_least, accepted("spectr-gbv", instance, 1)}};
}

ClaimResult lemma_a1(const ClaimContext& context) { return of_several(context, accepted_paths); }
ClaimResult lemma_a1_one(const ClaimContext& context) { return of_one(context, accepted_paths); }
ClaimResult theorem42(const ClaimContext& context) { return of_several(context, output_law(0)); }
ClaimResult theorem42_one(const ClaimContext& context) { return of_one(context, output_law(2)); }
ClaimResult theorem53(const ClaimContext& context) { return of_several(context, attains_bound); }
ClaimResult theorem53_one(const ClaimContext& context) { return of_one(context, attains_bound); }
ClaimResult growth(const ClaimContext& context) { return of_several(context, grows); }

ClaimResult single_draft(const ClaimContext& context) {
  return of_one(context, [](const Instance& instance) {
    std::vector<Compared> comparisons;
    const auto printed = exact_result("spectr-gbv(K=1)", instance).accepted_law;
    const auto greedy = exact_result("greedy-block", instance).accepted_law;
    for (std::size_t i = 0; i < greedy.size(); ++i) {
      comparisons.push_back({fmt::format("P(tau = {}) of spectr-gbv(K=1) against greedy-block", i),
                             printed.at(i), Order::equal, greedy[i]});
    }
    return comparisons;
  });
}

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
             value, Order::equal, bound(instance, instance.drafts)}};
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
    const Rational most = bound(instance, instance.drafts);
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
                                bound(instance, instance.drafts)}};
                     });
  examination.search(
      several_drafts(context), [](const Instance& instance) -> std::vector<Compared> {
        const auto found = exact_result(with_drafts("slot-block", instance.drafts), instance);
        return {{"E[tau] of slot-block against equation (5)", found.expected_accepted,
                 Order::at_most, bound(instance, instance.drafts)}};
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
                                  accepted(name, instance, instance.drafts), Order::at_most,
                                  bound(instance, instance.drafts)}};
                       });
  }
  examination.check(
      {make_instance("iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 1, 2)},
      [](const Instance& instance) -> std::vector<Compared> {
        return {{"E[tau] of rrs against equation (5)", accepted("rrs", instance, instance.drafts),
                 Order::at_most, bound(instance, instance.drafts)}};
      });
  return examination.finish();
}

constexpr BatteryShape kBound{.tokens = 3, .gammas = 3, .drafts = 4};

ClaimResult monotone(const ClaimContext& context) {
  Examination examination(context);
  BatteryShape shape = kBound;
  shape.random = context.size(4, 12, 40);
  examination.check(shape, [](const Instance& instance) -> std::vector<Compared> {
    return {{"Bound(K + 1) against Bound(K)", bound(instance, instance.drafts + 1), Order::at_least,
             bound(instance, instance.drafts)}};
  });
  return examination.finish();
}

std::vector<Compared> strictly_monotone(const Instance& instance) {
  return {{"Bound(K + 1) against Bound(K)", bound(instance, instance.drafts + 1), Order::above,
           bound(instance, instance.drafts)}};
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
             bound(instance, instance.drafts + 1), underdrafted ? Order::above : Order::equal,
             bound(instance, instance.drafts)}};
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
           Rational(instance.gamma) - bound(instance, kManyDrafts), Order::at_most,
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
           abs(reach - bound(instance, kManyDrafts)), Order::at_most, Rational(1, 1 << 20)}};
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
        return {{"Bound(1) against sum of min(D, T)", bound(instance, 1), Order::equal, minima}};
      });
  return examination.finish();
}

/// Instances of the repair's rows: gamma * K small where there are three tokens.
bool affordable(const Instance& instance) {
  return instance.pair().vocabulary() <= 2 || instance.gamma * instance.drafts <= 4;
}

ClaimResult of_slots(const ClaimContext& context, const Statement& statement, bool simulate) {
  Examination examination(context);
  examination.check({.tokens = 3, .gammas = 2, .drafts = 3, .random = context.size(2, 8, 30)},
                    [&](const Instance& instance) {
                      return affordable(instance) ? statement(instance) : std::vector<Compared>{};
                    });
  examination.search({.tokens = 2, .gammas = 2, .drafts = 3, .denominator = context.size(2, 3, 5)},
                     statement);
  if (simulate) {
    simulate_output_law(examination, "slot-block(K=3)",
                        make_instance("iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 2, 3), 3);
  }
  return examination.finish();
}

ClaimResult slots_lossless(const ClaimContext& context) {
  return of_slots(
      context,
      [](const Instance& instance) -> std::vector<Compared> {
        const bool longer = instance.pair().vocabulary() <= 2 && instance.drafts <= 2;
        const int horizon = instance.gamma + (longer ? 1 : 0);
        return {{fmt::format("TV of {} tokens of slot-block to the target's", horizon),
                 exact_result(with_drafts("slot-block", instance.drafts), instance, horizon)
                     .decode->tv_to_target,
                 Order::equal, Rational(0)}};
      },
      true);
}

ClaimResult slots_above_block(const ClaimContext& context) {
  return of_slots(
      context,
      [](const Instance& instance) -> std::vector<Compared> {
        return {{"E[tau] of slot-block against block",
                 accepted("slot-block", instance, instance.drafts), Order::at_least,
                 exact_result("block", instance).expected_accepted}};
      },
      false);
}

ClaimResult slots_grow(const ClaimContext& context) {
  return of_slots(
      context,
      [](const Instance& instance) -> std::vector<Compared> {
        if (instance.drafts == 1) return {};
        return {{"E[tau] of slot-block against K - 1",
                 accepted("slot-block", instance, instance.drafts), Order::at_least,
                 accepted("slot-block", instance, instance.drafts - 1)}};
      },
      false);
}

ClaimResult slots_single(const ClaimContext& context) {
  return of_one(context, [](const Instance& instance) {
    std::vector<Compared> comparisons;
    const auto slots = exact_result("slot-block(K=1)", instance).accepted_law;
    const auto block = exact_result("block", instance).accepted_law;
    for (std::size_t i = 0; i < block.size(); ++i) {
      comparisons.push_back({fmt::format("P(tau = {}) of slot-block(K=1) against block", i),
                             slots.at(i), Order::equal, block[i]});
    }
    return comparisons;
  });
}

constexpr auto kHolds = ClaimVerdict::holds;
constexpr auto kRefuted = ClaimVerdict::refuted;
constexpr auto kCorrected = ClaimVerdict::holds_with_correction;
constexpr std::string_view kConditional =
    "drafts i.i.d. given Y, as the proof of Lemma 5.1 takes them; one position";

constexpr std::array kClaims{
    ClaimRow{"lin2026.lemmaA.1", "lin2026 Lemma A.1",
             "P(some draft begins with x^i and x^i is accepted) = T [1 - (1 - min(D/T, 1))^K]",
             "spectr-gbv(K) as printed, K >= 2", kRefuted, "", lemma_a1},
    ClaimRow{"lin2026.lemmaA.1.single-draft", "lin2026 Lemma A.1 at K = 1",
             "P(the draft begins with x^i and x^i is accepted) = min(D, T)",
             "spectr-gbv(1) as printed", kHolds, "", lemma_a1_one},
    ClaimRow{"lin2026.theorem4.2", "lin2026 Theorem 4.2",
             "the output of decoding with spectr-gbv(K) has the target's law",
             "spectr-gbv(K) as printed, K >= 2", kRefuted, "", theorem42},
    ClaimRow{"lin2026.theorem4.2.single-draft", "lin2026 Theorem 4.2 at K = 1",
             "the output of decoding with spectr-gbv(1) has the target's law",
             "spectr-gbv(1) as printed", kHolds, "", theorem42_one},
    ClaimRow{"lin2026.theorem5.3", "lin2026 Theorem 5.3, equation (6)",
             "E[tau] = sum_{i=1..L} sum_x T(x^i) [1 - (1 - min(D/T, 1))^K]",
             "spectr-gbv(K) as printed, K >= 2", kRefuted, "", theorem53},
    ClaimRow{"lin2026.theorem5.3.single-draft", "lin2026 Theorem 5.3 at K = 1",
             "E[tau] = sum_{i=1..L} sum_x min(D, T)", "spectr-gbv(1) as printed", kHolds, "",
             theorem53_one},
    ClaimRow{"lin2026.single-draft", "lin2026 section 3.3, Remark 5.2",
             "spectr-gbv(1) accepts as greedy-block does: the same law of tau", "any pair", kHolds,
             "", single_draft},
    ClaimRow{"lin2026.growth", "lin2026 section 1, contributions",
             "E[tau] of spectr-gbv(K) >= E[tau] of spectr-gbv(1)",
             "spectr-gbv(K) as printed, K >= 2", kRefuted, "", growth},
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
    ClaimRow{"slot-block.lossless", "this project, after lin2026",
             "the output of decoding with slot-block(K) has the target's law", "any pair", kHolds,
             "", slots_lossless},
    ClaimRow{"slot-block.above-block", "this project, after lin2026",
             "E[tau] of slot-block(K) >= E[tau] of block of one draft", "any pair", kHolds, "",
             slots_above_block},
    ClaimRow{"slot-block.grows", "this project, after lin2026",
             "E[tau] of slot-block(K) >= E[tau] of slot-block(K - 1)", "any pair, K >= 2", kHolds,
             "", slots_grow},
    ClaimRow{"slot-block.single-draft", "this project, after lin2026",
             "slot-block(1) accepts as block does: the same law of tau", "any pair", kHolds, "",
             slots_single},
};

}  // namespace

std::span<const ClaimRow> lin2026_claims() { return kClaims; }

}  // namespace speclab
