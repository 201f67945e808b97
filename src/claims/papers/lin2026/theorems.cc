// Lin, Sheng, Cai, Zhou: "SpecTr-GBV: Multi-Draft Block Verification Accelerating Speculative
// Decoding" (2026): what it says of its algorithm. spectr-coupled keeps equation (4) and Algorithm
// 2 and replaces the coins; what is false as printed is true of it.
#include "claims/papers/lin2026/blocks.h"
#include "claims/papers/lin2026/drafts.h"

namespace speclab {
namespace lin2026 {
namespace {

constexpr Filter kDefined{"no 0/0 is possible", [](const Instance& instance) {
                            return exact_answer(with_drafts("spectr-gbv", instance.drafts),
                                                instance)
                                       .fraction(QuantityId::iteration_undefined) == 0;
                          }};

/// Where statements with K >= 2 are held; violations are looked for twice: anywhere, and where the
/// printed algorithm leaves nothing undefined.
constexpr Places kSeveral{kSeveralDrafts,
                          Place(kSeveralDrafts).only(kDefined),
                          NamedPair{"iid(draft=[1/2,1/2],target=[1/2,1/2])", 1, 3},
                          NamedPair{kToy, 1, 2},
                          NamedPair{"iid(draft=[1/2,1/2],target=[3/4,1/4])", 1, 2},
                          NamedPair{kToy, 2, 2}};

constexpr Filter kAffordable{
    "gamma K <= 3", [](const Instance& instance) { return instance.gamma * instance.drafts <= 3; }};

/// Where what is corrected is held.
constexpr Places kCoupledPlaces{
    SearchSpace{.tokens = 2, .gammas = 2, .least_drafts = 2, .drafts = 2, .denominator = {3, 4, 6}},
    Place(BatteryShape{
              .tokens = 3, .gammas = 1, .least_drafts = 2, .drafts = 3, .random = {2, 6, 20}})
        .only(kAffordable),
    NamedPair{kToy, 2, 3}, NamedPair{"tree(vocabulary=2,depth=3,seed=7,denominator=4)", 2, 2},
    NamedPair{"iid(draft=[1/3,1/3,1/3],target=[1/2,1/3,1/6])", 2, 2}};

constexpr std::string_view kPrinted = "spectr-gbv(K) as printed, K >= 2";
constexpr std::string_view kPrintedOne = "spectr-gbv(1) as printed";
constexpr std::string_view kCoupled =
    "of spectr-coupled(K): equation (4) and Algorithm 2 with other coins";

// --- Lemma A.1, its tau that of the final output.

/// P(a draft begins with x^i and x^i is accepted), path by path.
Comparisons accepted_paths(const Instance& instance, std::string_view verifier) {
  Comparisons comparisons;
  for (const Start& start : instance.pair().start()) {
    std::map<TokenPath, Rational> reach;
    each_of_blocks(verifier, instance, start.state, false,
                   [&](const CarriedIteration& out, const Rational& weight) {
                     for (int i = 1; i <= out.accepted; ++i) {
                       reach[TokenPath(out.tokens.begin(), out.tokens.begin() + i)] += weight;
                     }
                   });
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      if (path.tokens.empty()) continue;
      comparisons.push_back({fmt::format("P({} accepted) against T [1 - (1 - min(D/T, 1))^K]",
                                         path_text(path.tokens)),
                             reach[path.tokens], Order::equal, bound_of(path, instance.drafts)});
    }
  }
  return comparisons;
}

Comparisons printed_paths(const Instance& at) { return accepted_paths(at, "spectr-gbv"); }
Comparisons coupled_paths(const Instance& at) { return accepted_paths(at, "spectr-coupled"); }

constexpr ClaimRow kLemmaA1{
    .id = "lin2026.lemmaA.1",
    .source = "lin2026 Lemma A.1, tau that of the final output",
    .statement = "P(some draft begins with x^i and x^i is accepted) = T [1 - (1 - min(D/T, 1))^K]",
    .hypotheses = kPrinted,
    .recorded = ClaimVerdict::holds_with_correction,
    .check = printed_paths,
    .places = kSeveral,
    .correction = {kCoupled, coupled_paths, kCoupledPlaces},
    .bites = {{{"spectr-gbv", Fault::replaced, "spectr-coupled"},
               {"spectr-coupled", Fault::replaced, "spectr-gbv"},
               {"lin2026.equation5.term", Fault::lowered}}},
};

constexpr ClaimRow kLemmaA1One{
    .id = "lin2026.lemmaA.1.single-draft",
    .source = "lin2026 Lemma A.1 at K = 1",
    .statement = "P(the draft begins with x^i and x^i is accepted) = min(D, T)",
    .hypotheses = kPrintedOne,
    .check = printed_paths,
    .places = kOneDraft,
    .bites = {{{"spectr-gbv", Fault::replaced, "spectr-gbv(K=2)"},
               {"lin2026.equation5.term", Fault::lowered}}},
};

// --- Lemma A.1, its tau that of the block's own coins; and the steps of its proof.

/// P(some draft begins with x^i, and its coin or that of a longer sub-block falls).
Comparisons coins_of_paths(const Instance& instance, int least) {
  Comparisons comparisons;
  for (const Start& start : instance.pair().start()) {
    const PrintedCoins coins(instance, start.state);
    for (const PathLaws& path : coins.paths()) {
      const int depth = static_cast<int>(path.tokens.size());
      if (depth < least) continue;
      comparisons.push_back(
          {fmt::format("P({} drafted, its coin or a longer one's falls) against T [1 - (1 - "
                       "min(D/T, 1))^K]",
                       path_text(path.tokens)),
           coins.some_falls(path.tokens, depth), Order::equal, bound_of(path, instance.drafts)});
    }
  }
  return comparisons;
}

constexpr ClaimRow kLemmaA1Coins{
    .id = "lin2026.lemmaA.1.coins",
    .source = "lin2026 Lemma A.1, tau that of the sub-block's own coins",
    .statement =
        "P(some draft begins with x^i, and its coin or that of a longer sub-block of a "
        "draft falls) = T [1 - (1 - min(D/T, 1))^K]",
    .hypotheses = "coins of equations (2), (3), one each sub-block; K >= 2",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return coins_of_paths(at, 1); },
    .places = {kSeveralDrafts, NamedPair{"iid(draft=[1/2,1/2],target=[1/2,1/2])", 2, 2}},
    .correction = {"at i = L", [](const Instance& at) { return coins_of_paths(at, at.gamma); }, {}},
    .bites = {{{"lin2026.coins", Fault::halved}, {"lin2026.equation5.term", Fault::raised}}},
};

Comparisons break_of_listing(const Instance& instance) {
  Comparisons comparisons;
  for (const Start& start : instance.pair().start()) {
    const PrintedCoins coins(instance, start.state);
    std::map<TokenPath, Rational> accepted;
    each_of_blocks("spectr-gbv", instance, start.state, false,
                   [&](const CarriedIteration& out, const Rational& weight) {
                     if (out.accepted != instance.gamma) return;
                     accepted[TokenPath(out.tokens.begin(), out.tokens.begin() + out.accepted)] +=
                         weight;
                   });
    for (const PathLaws& path : coins.paths()) {
      if (path.tokens.size() != static_cast<std::size_t>(instance.gamma)) continue;
      comparisons.push_back({fmt::format("P({} accepted) against P({} drafted) h_L",
                                         path_text(path.tokens), path_text(path.tokens)),
                             accepted[path.tokens], Order::equal,
                             coins.some_falls(path.tokens, instance.gamma)});
    }
  }
  return comparisons;
}

constexpr SearchSpace kOneDraftSearch{.tokens = 2, .gammas = 2, .denominator = 4};

constexpr ClaimRow kBreak{
    .id = "lin2026.lemmaA.1.break",
    .source = "lin2026 Appendix A, proof of Lemma A.1 at i = L; Algorithm 1 line 13",
    .statement = "P(x^L accepted) = P(a draft is x^L) h_L: `break` takes nothing from it",
    .hypotheses = kPrinted,
    .recorded = ClaimVerdict::holds_with_correction,
    .check = break_of_listing,
    .places = {kSeveralDrafts},
    .correction = {"at K = 1, where no other draft is accepted first",
                   break_of_listing,
                   {kOneDraftSearch}},
    .bites = {{{"lin2026.coins", Fault::halved},
               {"spectr-gbv", Fault::replaced, "spectr-gbv(K=2)"}}},
};

Comparisons disjoint_events(const Instance& instance) {
  Comparisons comparisons;
  for (const Start& start : instance.pair().start()) {
    const PrintedCoins coins(instance, start.state);
    for (const PathLaws& path : coins.paths()) {
      const int depth = static_cast<int>(path.tokens.size());
      if (depth == instance.gamma) continue;
      Rational sum(0);
      TokenPath longer = path.tokens;
      longer.push_back(0);
      for (Token x = 0; x < instance.pair().vocabulary(); ++x) {
        longer.back() = x;
        sum += coins.some_falls(longer, depth + 1);
      }
      comparisons.push_back(
          {fmt::format("P({0} drafted, a coin longer than it falls) against the sum over x of "
                       "P(({0},x) drafted, its coin or a longer one's falls)",
                       path_text(path.tokens)),
           coins.some_falls(path.tokens, depth + 1), Order::equal, sum});
    }
  }
  return comparisons;
}

constexpr ClaimRow kEquation7{
    .id = "lin2026.lemmaA.1.equation7",
    .source = "lin2026 Appendix A, equation (7)",
    .statement =
        "P(x^i drafted, a longer coin falls) = sum_x P((x^i,x) drafted, its coin or a "
        "longer one's falls): the events are disjoint",
    .hypotheses = "coins of equations (2), (3), one each sub-block; L >= 2, K >= 2",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = disjoint_events,
    .places = {kSeveralDrafts, NamedPair{"iid(draft=[1/2,1/2],target=[1/2,1/2])", 2, 2}},
    .correction = {"at K = 1, where one draft has one extension",
                   disjoint_events,
                   {kOneDraftSearch}},
    .bites = {{{"lin2026.coins", Fault::zeroed}}},
};

// --- Theorem 4.2.

/// @param beyond  how many tokens after the first gamma
Comparisons output_law(const Instance& instance, std::string_view verifier, int beyond) {
  const int horizon = instance.gamma + beyond;
  return {{fmt::format("TV of {} tokens of {} to the target's", horizon, verifier),
           exact_answer(with_drafts(verifier, instance.drafts), instance, horizon)
               .fraction(QuantityId::tv_to_target),
           Order::equal, Rational(0)}};
}

constexpr ClaimRow kTheorem42{
    .id = "lin2026.theorem4.2",
    .source = "lin2026 Theorem 4.2, Algorithm 3",
    .statement = "the output of decoding with spectr-gbv(K) has the target's law",
    .hypotheses = kPrinted,
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return output_law(at, "spectr-gbv", 0); },
    .places = kSeveral,
    .correction = {kCoupled,
                   [](const Instance& at) {
                     return output_law(at, "spectr-coupled", at.gamma * at.drafts <= 4 ? 1 : 0);
                   },
                   kCoupledPlaces},
    .bites = {{{"spectr-gbv", Fault::replaced, "spectr-coupled"},
               {"spectr-coupled", Fault::replaced, "spectr-gbv"}}},
};

/// TV of the first L tokens of O = (t^tau, y, x ~ q_new); what is undefined is missing from its
/// law.
Comparisons object_law(const Instance& instance, std::string_view verifier) {
  Rational distance(0);
  for (const Start& start : instance.pair().start()) {
    const auto law = continued_law(verifier, instance, start.state);
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      if (path.tokens.size() != static_cast<std::size_t>(instance.gamma)) continue;
      const auto found = law.find(path.tokens);
      const Rational mass = found == law.end() ? Rational(0) : found->second;
      distance += start.probability * positive_part<Rational>(path.target - mass);
    }
  }
  return {{fmt::format("TV of L tokens of (t, y, x ~ q_new) of {} to the target's", verifier),
           distance, Order::equal, Rational(0)}};
}

constexpr ClaimRow kObject{
    .id = "lin2026.theorem4.2.object",
    .source = "lin2026 Theorem 4.2, of its own O = (t, y, x ~ q_new)",
    .statement =
        "one iteration of spectr-gbv(K) continued by Algorithm 2's law to L tokens has "
        "the target's law",
    .hypotheses = kPrinted,
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return object_law(at, "spectr-gbv"); },
    .places = {kSeveralDrafts, Place(kSeveralDrafts).only(kDefined),
               NamedPair{"iid(draft=[1/3,1/3,1/3],target=[1/2,1/3,1/6])", 2, 2}},
    .correction = {kCoupled, [](const Instance& at) { return object_law(at, "spectr-coupled"); },
                   kCoupledPlaces},
    .bites = {{{"spectr-gbv", Fault::replaced, "spectr-coupled"},
               {"spectr-coupled", Fault::replaced, "spectr-gbv"},
               {"lin2026.q-new", Fault::halved}}},
};

constexpr ClaimRow kTheorem42One{
    .id = "lin2026.theorem4.2.single-draft",
    .source = "lin2026 Theorem 4.2 at K = 1",
    .statement = "the output of decoding with spectr-gbv(1) has the target's law",
    .hypotheses = kPrintedOne,
    .check = [](const Instance& instance) -> Comparisons {
      if (instance.pair().vocabulary() > 2 && instance.gamma > 1) return {};
      return output_law(instance, "spectr-gbv", 2);
    },
    .places = kOneDraft,
    .bites = {{{"spectr-gbv", Fault::replaced, "spectr-gbv(K=2)"}}},
};

// --- Theorem 5.3 and what is said of growth.

Comparisons attains_bound(const Instance& instance, std::string_view verifier) {
  return {{fmt::format("E[tau] of {} against equation (5)", verifier),
           mean_accepted(verifier, instance, instance.drafts), Order::equal,
           printed_bound(instance, instance.drafts)}};
}

constexpr ClaimRow kTheorem53{
    .id = "lin2026.theorem5.3",
    .source = "lin2026 Theorem 5.3, equation (6)",
    .statement = "E[tau] = sum_{i=1..L} sum_x T(x^i) [1 - (1 - min(D/T, 1))^K]",
    .hypotheses = kPrinted,
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return attains_bound(at, "spectr-gbv"); },
    .places = kSeveral,
    .correction = {kCoupled, [](const Instance& at) { return attains_bound(at, "spectr-coupled"); },
                   kCoupledPlaces},
    .bites = {{{"spectr-gbv", Fault::replaced, "spectr-coupled"},
               {"spectr-coupled", Fault::replaced, "spectr-gbv"},
               {"lin2026.equation5", Fault::raised}}},
};

constexpr ClaimRow kSingleDraft{
    .id = "lin2026.single-draft",
    .source = "lin2026 section 3.3, Remark 5.2",
    .statement = "spectr-gbv(1) accepts as greedy-block does: the same law of tau",
    .hypotheses = "any pair",
    .check = [](const Instance& at) { return same_tau_of_one(at, "spectr-gbv", "greedy-block"); },
    .places = kOneDraft,
    .bites = {{{"greedy-block", Fault::replaced, "block"},
               {"spectr-gbv", Fault::replaced, "slot-block"}}},
};

Comparisons grows(const Instance& instance, std::string_view verifier) {
  return {{fmt::format("E[tau] of {} against K = 1", verifier),
           mean_accepted(verifier, instance, instance.drafts), Order::at_least,
           mean_accepted(verifier, instance, 1)}};
}

constexpr ClaimRow kGrowth{
    .id = "lin2026.growth",
    .source = "lin2026 section 1, contributions",
    .statement = "E[tau] of spectr-gbv(K) >= E[tau] of spectr-gbv(1)",
    .hypotheses = kPrinted,
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return grows(at, "spectr-gbv"); },
    .places = kSeveral,
    .correction = {kCoupled, [](const Instance& at) { return grows(at, "spectr-coupled"); },
                   kCoupledPlaces},
    .bites = {{{"spectr-gbv", Fault::replaced, "spectr-coupled"},
               {"spectr-coupled", Fault::replaced, "spectr-gbv"}}},
};

constexpr ClaimRow kClaims[] = {kLemmaA1,   kLemmaA1One,  kLemmaA1Coins, kBreak,
                                kEquation7, kTheorem42,   kObject,       kTheorem42One,
                                kTheorem53, kSingleDraft, kGrowth};

}  // namespace
}  // namespace lin2026

Claims lin2026_claims() { return lin2026::kClaims; }

}  // namespace speclab
