// Sun, Mendlovic, Leviathan, Aharoni, Ro, Beirami, Suresh: "Block Verification Accelerates
// Speculative Decoding" (2025): what it says of all verifiers of a class.
#include "claims/engine/optimum.h"

#include <fmt/format.h>

#include "claims/battery/small_pairs.h"
#include "claims/engine/closed_forms.h"
#include "claims/engine/examination.h"
#include "claims/engine/vocabulary.h"
#include "claims/papers/sun2025/half_automata.h"
#include "claims/papers/sun2025/weights.h"
#include "theory/plug_and_play.h"
#include "theory/sun2024.h"

namespace speclab {
namespace sun2025_optimum {
namespace {

/// D(x^i) P(tau >= i | X^i = x^i) over all valid verifiers, certified path by path. Block is one of
/// them, so the bound is attained.
Comparisons lemma4(const Instance& instance) {
  Comparisons says;
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : drafted_paths(instance, start.state)) {
      const auto reached = [&](const TokenPath& draft, int tau, State) {
        return Rational(static_cast<std::size_t>(tau) >= path.tokens.size() &&
                                std::equal(path.tokens.begin(), path.tokens.end(), draft.begin())
                            ? 1
                            : 0);
      };
      says.equal(certify(valid_program(instance, start.state, reached)).bound / path.draft,
                 block_weight(instance, start.state, path.tokens),
                 "certified optimum of P(tau >= {} | X = {}) against w", path.tokens.size(),
                 path_text(path.tokens));
    }
  }
  return says;
}

constexpr ClaimRow kLemma4{
    .id = "sun2025.lemma4",
    .source = "sun2025 Lemma 4",
    .statement = "P(tau >= i | X^i = x^i) <= w_i(x^i) for every valid verifier, = for the best",
    .hypotheses = "D(x^i) > 0",
    .check = lemma4,
    .places =
        {Place(BatteryShape{.tokens = 3, .gammas = {2, 2, 3}, .random = {2, 6, 20}}).only(kSmall)},
    .bites = {{halved("valid-program.reward"), zeroed("valid-program.reward"),
               raised("block-weights")}},
};

/// The most of any valid verifier, averaged over the starts.
Rational most_tokens(const Instance& instance, int iterations) {
  PlugAndPlay<Rational> optimum(*instance.rows, instance.gamma);
  return ingredient("sun2025.theorem2.optimum",
                    average(start_law(*instance.rows),
                            [&](State start) { return optimum.most(start, iterations); }));
}

/// Verifiers that know no more than Definition 1 gives them, the same in each iteration.
constexpr std::string_view kPlugAndPlay[] = {"one-hot-block", "lazy-block"};

/// The statement as printed. After an end-of-sequence token every token is that one again and
/// counts, as in the proof.
Comparisons theorem2(const Instance& printed) {
  const Instance instance = without_end(printed);
  const auto block = expected_tokens("block", instance, instance.depth);
  Comparisons says;
  for (const std::string_view verifier : kPlugAndPlay) {
    const auto ruled =
        ingredient("sun2025.theorem2.rule", expected_tokens(verifier, instance, instance.depth));
    for (std::size_t i = 0; i < ruled.size(); ++i) {
      says.at_least(block[i], ruled[i], "E[N({})] of block against {}", i + 1, verifier);
    }
  }
  return says;
}

/// How many iterations the corrected statement speaks of.
int iterations_where_true(const Instance& instance) {
  if (instance.pair().memoryless() || instance.gamma == 1) return instance.depth;
  return instance.gamma == 2 ? std::min(instance.depth, 2) : 1;
}

/// Where it is true, as an equality.
Comparisons theorem2_corrected(const Instance& printed) {
  const Instance instance = without_end(printed);
  const auto block = expected_tokens("block", instance, instance.depth);
  Comparisons says;
  for (int i = 1; i <= iterations_where_true(instance); ++i) {
    says.equal(block[static_cast<std::size_t>(i) - 1], most_tokens(instance, i),
               "E[N({})] of block against the optimum", i);
  }
  return says;
}

/// The optimum proved by linear programs too.
Comparisons theorem2_certified(const Instance& printed) {
  const Instance instance = without_end(printed);
  const auto block = expected_tokens("block", instance, instance.depth);
  Comparisons says = theorem2_corrected(printed);
  for (int i = 1; i <= std::min(2, iterations_where_true(instance)); ++i) {
    says.equal(block[static_cast<std::size_t>(i) - 1], best_tokens(instance, i),
               "E[N({})] of block against the certified optimum", i);
  }
  return says;
}

/// The optimum by the tree of outputs is the one that linear programs prove, where block is not
/// optimal too: two roads to one number.
Comparisons optimum_certified(const Instance& instance) {
  return {{"optimum of E[N(3)] against the certified one", most_tokens(instance, 3), Order::equal,
           best_tokens(instance, 3)}};
}

/// The fewest contexts known at gamma = 2, i <= 3, where a verifier may know its iteration.
constexpr NamedPair kFiveContexts{
    "automaton(draft=[[1/2,1/2],[0,1],[1/2,1/2],[0,1],[0,1]],target=[[1/2,1/2],"
    "[1/2,1/2],[0,1],[1,0],[1,0]],next=[[0,1],[3,2],[2,4],[4,4],[0,1]],start=0)",
    2};
/// Two tokens that both models take with probability 1, then a mismatch: to draft one token fewer
/// there decodes 2, 4 and 6 tokens, the most.
constexpr NamedPair kFewerIsMost{
    "automaton(draft=[[1,0],[1,0],[0,1],[1/2,1/2],[1,0],[0,1],[1/2,1/2]],"
    "target=[[1,0],[1,0],[1/2,1/2],[0,1],[0,1],[1,0],[1/2,1/2]],next=[[1,1],[2,2],"
    "[5,3],[5,4],[5,6],[5,5],[6,6]],start=0)",
    2};
/// Of such verifiers i = 2 needs gamma = 3.
constexpr NamedPair kTwoIterations{
    "automaton(draft=[[1,0],[1,0],[1,0],[0,1],[1/3,2/3],[0,1],[1,0],[0,1],"
    "[1/2,1/2]],target=[[1,0],[1,0],[1,0],[1/3,2/3],[0,1],[0,1],[0,1],[1,0],"
    "[1/2,1/2]],next=[[1,1],[2,2],[3,3],[7,4],[7,5],[7,6],[7,8],[7,7],[8,8]],"
    "start=0)",
    3};
/// Three contexts are enough for lazy-block at gamma = 6, i = 2.
constexpr NamedPair kThreeContexts{
    "automaton(draft=[[0,1],[0,1],[1/2,1/2]],target=[[1/2,1/2],[1,0],[1,0]],"
    "next=[[1,2],[0,0],[0,0]],start=0)",
    6};
/// E[N(2)] of block is 11 at gamma = 6 and 43/4 at gamma = 7.
constexpr std::string_view kLateCoin =
    "automaton(draft=[[1,0],[1,0],[1,0],[1,0],[1,0],[1,0],[1,0],[1,0],[1/2,1/2],"
    "[1,0],[1,0]],target=[[1,0],[1,0],[1,0],[1,0],[1,0],[1,0],[1,0],[1/2,1/2],"
    "[1,0],[0,1],[1,0]],next=[[1,1],[2,2],[3,3],[4,4],[5,5],[6,6],[7,7],[8,9],"
    "[10,10],[10,10],[10,10]],start=0)";

/// What a verifier could do that is another in each iteration, which Definition 1 does not allow.
void note_most(Examination& examination, const Instance& at, int i) {
  PlugAndPlay<Rational> optimum(*at.rows, at.gamma);
  examination.note(
      at, Method::exact,
      fmt::format("E[N({})] of block is {}, the most of verifiers that may change from "
                  "iteration to iteration {}",
                  i, to_text(optimum.block(at.start(), i)), to_text(optimum.most(at.start(), i))));
}

/// The same of every pair of few contexts, at gamma = 2 and i = 3.
void search_few_contexts(Examination& examination) {
  const int contexts = Sized{2, 3, 4}.at(examination.context().effort);
  const HalfSearch search = search_halves(HalfQuantity::mean, contexts, kFiveContexts.gamma, 3);
  if (search.found) {
    return note_most(examination, listed_automaton(*search.found, kFiveContexts.gamma), 3);
  }
  examination.note(make_instance(kFiveContexts), Method::exact,
                   fmt::format("on none of the {} pairs of two tokens, at most {} contexts and "
                               "denominators to 2 has any more, at gamma=2, i=3",
                               search.tried, contexts));
}

void note_theorem2(Examination& examination) {
  note_most(examination, make_instance(kFiveContexts), 3);
  search_few_contexts(examination);
  note_most(examination, make_instance(kTwoIterations), 2);
  const Instance fewer = make_instance(kLateCoin, 6);
  const Instance more = make_instance(kLateCoin, 7);
  PlugAndPlay<Rational> six(*fewer.rows, 6);
  PlugAndPlay<Rational> seven(*more.rows, 7);
  examination.note(more, Method::exact,
                   fmt::format("block, ignore X_7 is valid at gamma=7 and has E[N(2)] = {} (block "
                               "at gamma=6) where block has {}",
                               to_text(six.block(0, 2)), to_text(seven.block(0, 2))));
  examination.note(make_instance(kToy, 2), Method::exact,
                   "gamma = 1 holds for every i, gamma = i = 2 for every pair: to accept one token "
                   "more never loses, because V(c) <= 1 + E_t V(c y); in the second case V(c) - "
                   "E_t V(c y) <= 1 - sum over d > t of (d - t)^2 / d");
}

constexpr ClaimRow kTheorem2{
    .id = "sun2025.theorem2",
    .source = "sun2025 Theorem 2",
    .statement = "E[N(i)] of block >= E[N(i)] of every valid verifier, for every i",
    .hypotheses = "valid: plug-and-play in Algorithm 3 (Definition 1), the same in each iteration",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = theorem2,
    .places = {kFewerIsMost, kThreeContexts, NamedPair{kLateCoin, 7},
               BatteryShape{.tokens = 2, .gammas = {2, 3, 3}, .random = {4, 8, 20}}},
    .correction = {"at i = 1, for pairs without context, at gamma = 1, and at gamma = i = 2",
                   theorem2_corrected,
                   {Place(BatteryShape{.tokens = 3, .gammas = {2, 3, 3}, .random = {4, 8, 20}})
                        .only(kSmall)
                        .with(theorem2_certified),
                    SearchSpace{.tokens = 2, .gammas = 2, .denominator = 2, .states = 2},
                    Place(kFiveContexts).with(optimum_certified)}},
    .extra = note_theorem2,
    .depth = 3,
    .bites = {{halved("valid-program.reward"), zeroed("sun2025.theorem2.rule"),
               zeroed("sun2025.theorem2.optimum"), lowered("sun2025.theorem2.optimum"),
               replaced("block", "wrong-weight-coins")}},
};

/// "In particular": block against token, at every i.
constexpr Check kAheadOfToken = at_least(tokens("block"), tokens("token"));

constexpr ClaimRow kAgainstToken{
    .id = "sun2025.theorem2.token",
    .source = "sun2025 Theorem 2, last line",
    .statement = "E[N(i)] of block >= E[N(i)] of token, for every i",
    .hypotheses = "any pair, any gamma; the proof for every i is with sun2025.theorem2.token.marks",
    .check = [](const Instance& at) { return kAheadOfToken(without_end(at)); },
    .places = {SearchSpace{.tokens = 2, .gammas = {2, 2, 3}, .denominator = 2, .states = 2},
               Place(BatteryShape{.tokens = 3, .gammas = 3, .random = {4, 8, 20}}).only(kSmall),
               kFiveContexts, kFewerIsMost, NamedPair{kLateCoin, 7}},
    .depth = 3,
    .bites = {{replaced("block", "autoregressive"), replaced("token", "wrong-always-accept")}},
    .proofs = {{{.verifier = "block", .property = "at-least:token", .gamma = 3}}},
};

constexpr NamedForm kMinima{"sum min(D, T)", "sun2025.lemma10.formula",
                            [](const Instance& at) { return tail_on(at, greedy_tail<Rational>); }};

constexpr ClaimRow kLemma10{
    .id = "sun2025.lemma10",
    .source = "sun2025 Lemma 10, equations (40)-(42)",
    .statement =
        "max over couplings of X ~ D^gamma, Y ~ T^gamma of E[common prefix] <= sum min(D, T), = "
        "for the best",
    .hypotheses = "any pair, any gamma",
    .check = equal(kBestCoupling, kMinima),
    .places = {Place(BatteryShape{.tokens = 3, .gammas = 3, .random = {4, 12, 40}}).only(kSmall)},
    .bites = {{zeroed("coupling-program.reward"), halved("coupling-program.reward"),
               raised("sun2025.lemma10.formula")}},
};

constexpr ClaimRow kClaims[] = {kLemma4, kTheorem2, kAgainstToken, kLemma10};

}  // namespace
}  // namespace sun2025_optimum

Claims sun2025_optimum_claims() { return sun2025_optimum::kClaims; }

}  // namespace speclab
