// Lin, Sheng, Cai, Zhou: "SpecTr-GBV: Multi-Draft Block Verification
// Accelerating Speculative Decoding" (2026): what it says of its algorithm.
// spectr-coupled keeps equation (4) and Algorithm 2 and replaces the coins;
// what is refuted of the printed algorithm is true of it.
#include "claims/engine/outcomes.h"
#include "claims/papers/lin2026/blocks.h"
#include "claims/papers/lin2026/drafts.h"

namespace speclab {
namespace lin2026 {
namespace {

/// Where statements with K >= 2 are checked; violations are looked for twice:
/// anywhere, and where the printed algorithm leaves nothing undefined.
constexpr Places kSeveral{kSeveralDrafts,
                          Place(kSeveralDrafts).only(kNoUndefined),
                          NamedPair{"iid(draft=[1/2,1/2],target=[1/2,1/2])", 1, 3},
                          NamedPair{kToy, 1, 2},
                          NamedPair{"iid(draft=[1/2,1/2],target=[3/4,1/4])", 1, 2},
                          NamedPair{kToy, 2, 2}};

constexpr Filter kAffordable{"gamma K <= 3",
                             [](const Instance& at) { return at.gamma * at.drafts <= 3; }};

/// Where what is corrected is checked.
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
    "spectr-coupled(K), which has equation (4) and Algorithm 2 with other coins";

// --- Lemma A.1, its tau that of the final output.

constexpr ClaimRow kLemmaA1{
    .id = "lin2026.lemmaA.1",
    .source = "lin2026 Lemma A.1, tau that of the final output",
    .statement = "P(some draft begins with x^i and x^i is accepted) = T [1 - (1 - min(D/T, 1))^K]",
    .hypotheses = kPrinted,
    .recorded = ClaimVerdict::refuted,
    .check = equal(reached(kSpectrGbv), kBoundTerm),
    .places = kSeveral,
    .correction = {kCoupled, equal(reached(kSpectrCoupled), kBoundTerm), kCoupledPlaces,
                   Amends::by_replacement},
    .bites = {{replaced("spectr-gbv", "spectr-coupled"), replaced("spectr-coupled", "spectr-gbv"),
               lowered("lin2026.equation5.term")}},
};

constexpr ClaimRow kLemmaA1One{
    .id = "lin2026.lemmaA.1.single-draft",
    .source = "lin2026 Lemma A.1 at K = 1",
    .statement = "P(the draft begins with x^i and x^i is accepted) = min(D, T)",
    .hypotheses = kPrintedOne,
    .check = equal(reached(kSpectrGbv), kBoundTerm),
    .places = kOneDraft,
    .bites = {{replaced("spectr-gbv", "spectr-gbv(K=2)"), lowered("lin2026.equation5.term")}},
};

// --- Lemma A.1, its tau that of the block's own coins; and the steps of its
// proof.

/// Calls visit(start, coins, path) for every x^i of `least` .. `most` tokens.
template <class Visit>
void each_coin(const Instance& at, int least, int most, const Visit& visit) {
  for (const Start& start : at.pair().start()) {
    const PrintedCoins coins(at, start.state);
    for (const PathLaws& path : coins.paths()) {
      if (path.length() >= least && path.length() <= most) visit(start.state, coins, path);
    }
  }
}

/// P(some draft begins with x^i, and its coin or that of a longer sub-block
/// falls).
Comparisons coins_of_paths(const Instance& at, int least) {
  Comparisons says;
  each_coin(at, least, at.gamma, [&](State start, const PrintedCoins& coins, const PathLaws& path) {
    says.equal(coins.some_falls(path.tokens, path.length()), kBoundTerm.along(at, start, path),
               "P({} drafted, its coin or a longer one's falls) against {}", path_text(path.tokens),
               kBoundTerm.text);
  });
  return says;
}

constexpr ClaimRow kLemmaA1Coins{
    .id = "lin2026.lemmaA.1.coins",
    .source = "lin2026 Lemma A.1, tau that of the sub-block's own coins",
    .statement =
        "P(some draft begins with x^i, and its coin or that of a longer sub-block of a draft "
        "falls) = T [1 - (1 - min(D/T, 1))^K]",
    .hypotheses = "coins of equations (2), (3), one a sub-block; K >= 2",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return coins_of_paths(at, 1); },
    .places = {kSeveralDrafts, NamedPair{"iid(draft=[1/2,1/2],target=[1/2,1/2])", 2, 2}},
    .correction = {"at i = L", [](const Instance& at) { return coins_of_paths(at, at.gamma); }, {}},
    .bites = {{halved("lin2026.coins"), raised("lin2026.equation5.term")}},
};

Comparisons break_of_listing(const Instance& at) {
  Comparisons says;
  std::map<State, std::map<TokenPath, Rational>> reach;
  for (const Start& start : at.pair().start()) {
    reach[start.state] = reach_of(verifier_text(kSpectrGbv, at), at, start.state);
  }
  each_coin(at, at.gamma, at.gamma,
            [&](State start, const PrintedCoins& coins, const PathLaws& path) {
              says.equal(reach[start][path.tokens], coins.some_falls(path.tokens, at.gamma),
                         "P({0} accepted) against P({0} drafted) h_L", path_text(path.tokens));
            });
  return says;
}

constexpr SearchSpace kOneDraftSearch{.tokens = 2, .gammas = 2, .denominator = 4};

constexpr ClaimRow kBreak{
    .id = "lin2026.lemmaA.1.break",
    .source = "lin2026 Appendix A, proof of Lemma A.1 at i = L; Algorithm 1 line 13",
    .statement = "P(x^L accepted) = P(some draft is x^L) h_L: `break` takes nothing from it",
    .hypotheses = kPrinted,
    .recorded = ClaimVerdict::refuted,
    .check = break_of_listing,
    .places = {kSeveralDrafts},
    .correction = {"spectr-gbv(1), where no other draft can be accepted first",
                   break_of_listing,
                   {kOneDraftSearch},
                   Amends::by_replacement},
    .bites = {{halved("lin2026.coins"), replaced("spectr-gbv", "spectr-gbv(K=2)")}},
};

Comparisons disjoint_events(const Instance& at) {
  Comparisons says;
  each_coin(at, 1, at.gamma - 1, [&](State, const PrintedCoins& coins, const PathLaws& path) {
    Rational sum(0);
    TokenPath longer = path.tokens;
    longer.push_back(0);
    for (Token& x = longer.back(); x < at.pair().vocabulary(); ++x) {
      sum += coins.some_falls(longer, path.length() + 1);
    }
    says.equal(coins.some_falls(path.tokens, path.length() + 1), sum,
               "P({0} drafted, a coin longer than it falls) against the sum over x of P(({0},x) "
               "drafted, its coin or a longer one's falls)",
               path_text(path.tokens));
  });
  return says;
}

constexpr ClaimRow kEquation7{
    .id = "lin2026.lemmaA.1.equation7",
    .source = "lin2026 Appendix A, equation (7)",
    .statement =
        "P(x^i drafted, a longer coin falls) = sum_x P((x^i,x) drafted, its coin or a longer one's "
        "falls): the events are disjoint",
    .hypotheses = "coins of equations (2), (3), one a sub-block; L >= 2, K >= 2",
    .recorded = ClaimVerdict::refuted,
    .check = disjoint_events,
    .places = {kSeveralDrafts, NamedPair{"iid(draft=[1/2,1/2],target=[1/2,1/2])", 2, 2}},
    .correction = {"the coins of one draft, which has one extension of each length",
                   disjoint_events,
                   {kOneDraftSearch},
                   Amends::by_replacement},
    .bites = {{zeroed("lin2026.coins")}},
};

// --- Theorem 4.2.

constexpr ClaimRow kTheorem42{
    .id = "lin2026.theorem4.2",
    .source = "lin2026 Theorem 4.2, Algorithm 3",
    .statement = "the output of decoding with spectr-gbv(K) has the target's law",
    .hypotheses = kPrinted,
    .recorded = ClaimVerdict::refuted,
    .check = lossless(kSpectrGbv, kToGamma),
    .places = kSeveral,
    .correction = {kCoupled, lossless(kSpectrCoupled, {1, 1}).where([](const Instance& at) {
                     return at.gamma * at.drafts <= 4;
                   }) && lossless(kSpectrCoupled, kToGamma).where([](const Instance& at) {
                     return at.gamma * at.drafts > 4;
                   }),
                   kCoupledPlaces, Amends::by_replacement},
    .bites = {{replaced("spectr-gbv", "spectr-coupled"), replaced("spectr-coupled", "spectr-gbv")}},
};

Comparisons object_law(std::string_view verifier, const Instance& at) {
  Comparisons says;
  says.equal(object_distance(verifier, at), 0,
             "TV of L tokens of (t, y, x ~ q_new) of {} to the target's",
             verifier_text(verifier, at));
  return says;
}

constexpr ClaimRow kObject{
    .id = "lin2026.theorem4.2.object",
    .source = "lin2026 Theorem 4.2, of its own O = (t, y, x ~ q_new)",
    .statement =
        "one iteration of spectr-gbv(K) continued by Algorithm 2's law to L tokens has the "
        "target's law",
    .hypotheses = kPrinted,
    .recorded = ClaimVerdict::refuted,
    .check = [](const Instance& at) { return object_law(kSpectrGbv, at); },
    .places = {kSeveralDrafts, Place(kSeveralDrafts).only(kNoUndefined),
               NamedPair{"iid(draft=[1/3,1/3,1/3],target=[1/2,1/3,1/6])", 2, 2}},
    .correction = {kCoupled, [](const Instance& at) { return object_law(kSpectrCoupled, at); },
                   kCoupledPlaces, Amends::by_replacement},
    .bites = {{replaced("spectr-gbv", "spectr-coupled"), replaced("spectr-coupled", "spectr-gbv"),
               halved("lin2026.q-new")}},
};

constexpr ClaimRow kTheorem42One{
    .id = "lin2026.theorem4.2.single-draft",
    .source = "lin2026 Theorem 4.2 at K = 1",
    .statement = "the output of decoding with spectr-gbv(1) has the target's law",
    .hypotheses = kPrintedOne,
    .check = lossless(kSpectrGbv).where([](const Instance& at) {
      return at.pair().vocabulary() <= 2 || at.gamma == 1;
    }),
    .places = kOneDraft,
    .bites = {{replaced("spectr-gbv", "spectr-gbv(K=2)")}},
};

// --- Theorem 5.3 and what is said of growth.

constexpr ClaimRow kTheorem53{
    .id = "lin2026.theorem5.3",
    .source = "lin2026 Theorem 5.3, equation (6)",
    .statement = "E[tau] = sum_{i=1..L} sum_x T(x^i) [1 - (1 - min(D/T, 1))^K]",
    .hypotheses = kPrinted,
    .recorded = ClaimVerdict::refuted,
    .check = equal(tau(kSpectrGbv), kEquation5),
    .places = kSeveral,
    .correction = {kCoupled, equal(tau(kSpectrCoupled), kEquation5), kCoupledPlaces,
                   Amends::by_replacement},
    .bites = {{replaced("spectr-gbv", "spectr-coupled"), replaced("spectr-coupled", "spectr-gbv"),
               raised("lin2026.equation5")}},
};

constexpr ClaimRow kSingleDraft{
    .id = "lin2026.single-draft",
    .source = "lin2026 section 3.3, Remark 5.2",
    .statement = "spectr-gbv(1) accepts as greedy-block does: the same law of tau",
    .hypotheses = "any pair",
    .check = same_tau("spectr-gbv(K=1)", "greedy-block"),
    .places = kOneDraft,
    .bites = {{replaced("greedy-block", "block"), replaced("spectr-gbv", "slot-block")}},
};

constexpr ClaimRow kGrowth{
    .id = "lin2026.growth",
    .source = "this project, after lin2026 section 1: E[tau] of Algorithm 1 along K",
    .statement = "E[tau] of spectr-gbv(K) >= E[tau] of spectr-gbv(1)",
    .hypotheses = kPrinted,
    .recorded = ClaimVerdict::refuted,
    .check = at_least(tau(kSpectrGbv), tau("spectr-gbv(K=1)")),
    .places = kSeveral,
    .correction = {kCoupled, at_least(tau(kSpectrCoupled), tau("spectr-coupled(K=1)")),
                   kCoupledPlaces, Amends::by_replacement},
    .bites = {{replaced("spectr-gbv", "spectr-coupled"), replaced("spectr-coupled", "spectr-gbv")}},
};

constexpr ClaimRow kClaims[] = {kLemmaA1,   kLemmaA1One,  kLemmaA1Coins, kBreak,
                                kEquation7, kTheorem42,   kObject,       kTheorem42One,
                                kTheorem53, kSingleDraft, kGrowth};

}  // namespace
}  // namespace lin2026

Claims lin2026_claims() { return lin2026::kClaims; }

}  // namespace speclab
