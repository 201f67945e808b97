// The most tokens of several iterations against two other roads: the tree of outputs, and programs
// over all pairs of drafts and outputs.
#include "optimum/iterations.h"

#include "base/error.h"
#include "catch.h"
#include "model/registry.h"
#include "optimum/explicit_programs.h"
#include "optimum/optimum.h"
#include "theory/plug_and_play.h"

namespace speclab::iterations_test {
namespace {

constexpr std::string_view kToyPair = "iid(draft=[2/3,1/3],target=[1/3,2/3])";

/// Block is not the best here: sun2025 Theorem 2 from its false side.
constexpr std::string_view kFiveContexts =
    "automaton(draft=[[1/2,1/2],[0,1],[1/2,1/2],[0,1],[0,1]],target=[[1/2,1/2],[1/2,1/2],[0,1],"
    "[1,0],[1,0]],next=[[0,1],[3,2],[2,4],[4,4],[0,1]],start=0)";
constexpr std::string_view kSevenContexts =
    "automaton(draft=[[1,0],[1,0],[0,1],[1/2,1/2],[1,0],[0,1],[1/2,1/2]],target=[[1,0],[1,0],"
    "[1/2,1/2],[0,1],[0,1],[1,0],[1/2,1/2]],next=[[1,1],[2,2],[5,3],[5,4],[5,6],[5,5],[6,6]],"
    "start=0)";
/// A coin of the target after seven 0s and of the draft after eight.
constexpr std::string_view kLateCoin =
    "automaton(draft=[[1,0],[1,0],[1,0],[1,0],[1,0],[1,0],[1,0],[1,0],[1/2,1/2],[1,0],[1,0]],"
    "target=[[1,0],[1,0],[1,0],[1,0],[1,0],[1,0],[1,0],[1/2,1/2],[1,0],[0,1],[1,0]],next=[[1,1],"
    "[2,2],[3,3],[4,4],[5,5],[6,6],[7,7],[8,9],[10,10],[10,10],[10,10]],start=0)";

const std::string_view kPairs[] = {kToyPair,
                                   kFiveContexts,
                                   kSevenContexts,
                                   "iid(draft=[1,0],target=[0,1])",
                                   "iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])",
                                   "markov(vocabulary=3,horizon=9,seed=10)",
                                   "tree(vocabulary=2,depth=3,seed=4)"};

std::vector<Rational> most(std::string_view pair, int gamma, int drafts, int iterations) {
  return find_iterations(Rows<Rational>(make_pair(pair)), gamma, drafts, iterations).tokens;
}

TEST_CASE("one draft: the most tokens are those of the tree of outputs") {
  for (const std::string_view pair : kPairs) {
    const Rows<Rational> rows(make_pair(pair));
    for (const int gamma : {1, 2}) {
      CAPTURE(pair, gamma);
      PlugAndPlay<Rational> outputs(rows, gamma);
      std::vector<Rational> expected;
      for (int i = 1; i <= 3; ++i) {
        Rational sum(0);
        for (const Start& start : rows.pair().start()) {
          sum += start.probability * outputs.most(start.state, i);
        }
        expected.push_back(sum);
      }
      CHECK(most(pair, gamma, 1, 3) == expected);
    }
  }
}

TEST_CASE("more than block, to the fraction") {
  CHECK(most(kFiveContexts, 2, 1, 3).back() == Rational(1513, 256));  // block: 1501/256
  CHECK(most(kSevenContexts, 2, 1, 3).back() == 6);                   // block: 23/4
  CHECK(most(kLateCoin, 7, 1, 2).back() == Rational(23, 2));          // block: 43/4
  CHECK(most(kToyPair, 2, 1, 3) ==
        std::vector<Rational>{Rational(20, 9), Rational(40, 9), Rational(20, 3)});
}

TEST_CASE("without memory the best iteration is the best of one, of several drafts too") {
  const Rational one = 1 + Rational(131, 81);
  CHECK(most(kToyPair, 2, 2, 3) == std::vector<Rational>{one, 2 * one, 3 * one});
}

/// The most tokens of two drafts of one token each, from the definition: every set of drafts, what
/// of it is accepted and every token after it, against outputs of two tokens.
class TwoDrafts {
 public:
  explicit TwoDrafts(std::string_view pair) : rows_(make_pair(pair)) {}

  Rational most(State state, int left) {
    if (left == 0) return Rational(0);
    LinearProgram program;
    const auto size = static_cast<std::size_t>(rows_.vocabulary());
    program.law_rows = size * size;
    for (const Rational& a : rows_.draft(state)) {
      for (const Rational& b : rows_.draft(state)) program.totals.push_back(a * b);
    }
    for (std::size_t x = 0; x < size; ++x) {
      for (std::size_t y = 0; y < size; ++y) {
        program.totals.push_back(rows_.target(state)[x] * rows_.target(next(state, x))[y]);
      }
    }
    for (std::size_t row = 0; row < size * size; ++row) {
      for (std::size_t x = 0; x < size; ++x) {
        if (rows_.target(state)[x] == 0) continue;
        const State after = next(state, x);
        LinearProgram::Column stop{1 + most(after, left - 1), {{row, Rational(1)}}};
        for (std::size_t y = 0; y < size; ++y) {
          const Rational& t = rows_.target(after)[y];
          if (t == 0) continue;
          const std::size_t output = size * size + x * size + y;
          stop.entries.emplace_back(output, t);
          if (x != row / size && x != row % size) continue;
          program.columns.push_back(
              {2 + most(next(after, y), left - 1), {{row, Rational(1)}, {output, Rational(1)}}});
        }
        program.columns.push_back(std::move(stop));
      }
    }
    return certify(program).bound;
  }

 private:
  [[nodiscard]] State next(State state, std::size_t x) const {
    return rows_.next(state, static_cast<Token>(x));
  }

  Rows<Rational> rows_;
};

TEST_CASE("two drafts of a token: the programs over all drafts and outputs agree") {
  for (const std::string_view pair : kPairs) {
    const Rows<Rational> rows(make_pair(pair));
    if (rows.pair().start().size() != 1) continue;
    CAPTURE(pair);
    TwoDrafts programs(pair);
    const State start = rows.pair().start().front().state;
    const std::vector<Rational> found = most(pair, 1, 2, 2);
    CHECK(found == std::vector<Rational>{programs.most(start, 1), programs.most(start, 2)});
  }
}

TEST_CASE("gains below 0: one draft without a program is what the program proves") {
  const Rows<Rational> rows(make_pair(kSevenContexts));
  for (State state = 0; state < 5; ++state) {
    for (const Rational& at_five : {Rational(-3), Rational(-1, 4), Rational(2)}) {
      CAPTURE(state, to_text(at_five));
      AcceptanceProblem problem{VerifierClass::plug_and_play, 2, 1, {{2, Rational(-1, 3)}}};
      problem.gains[5] = at_five;
      const StartOptimum best =
          find_optimum_from(rows, {state, Rational(1)}, {problem, true, false});
      CHECK(best.certified);
      const auto worth = [&](const Prefix& draft, int tau, State) {
        Rational sum(0);
        State at = state;
        for (int i = 0; i < tau; ++i) {
          at = rows.next(at, draft[static_cast<std::size_t>(i)]);
          sum += problem.gain(at);
        }
        return sum;
      };
      CHECK(best.worth == certify(valid_program(rows, state, 2, worth)).bound);
    }
  }
}

TEST_CASE("a gain below 0 is filled by the dearest of the gains after it") {
  // After token 0 the ratios D/T are 1/2, 2/3 and 4, and the gains 1.
  const Rows<Rational> rows(make_pair(
      "automaton(draft=[[1/2,1/2,0],[1/4,1/4,1/2],[1,0,0],[1,0,0],[1,0,0],[1,0,0]],target=[[1/2,1/"
      "2,"
      "0],[1/2,3/8,1/8],[1,0,0],[1,0,0],[1,0,0],[1,0,0]],next=[[1,5,5],[2,3,4],[5,5,5],[5,5,5],"
      "[5,5,5],[5,5,5]])"));
  for (const Rational& gain : {Rational(-1, 4), Rational(-3, 8), Rational(-3, 4)}) {
    CAPTURE(to_text(gain));
    AcceptanceProblem problem{VerifierClass::plug_and_play, 2, 1, {{1, gain}}};
    problem.gains[5] = Rational(0);
    const StartOptimum best = find_optimum_from(rows, {0, Rational(1)}, {problem, true, false});
    CHECK(best.certified);
    // q up to 1/2 is worth all gains, up to 2/3 those of 3/8 and 1/8, up to 1 that of 1/8.
    const Rational half(1, 2);
    const auto part = [&](const Rational& gains) { return half * positive_part<Rational>(gains); };
    const Rational most = half * part(1 + gain) + Rational(1, 6) * part(half + gain) +
                          Rational(1, 3) * part(Rational(1, 8) + gain);
    CHECK(best.worth == most);
  }
}

TEST_CASE("a proof is one of its own gains") {
  const Rows<Rational> rows(make_pair(kToyPair));
  const AcceptanceProblem plain{VerifierClass::plug_and_play, 2, 1};
  const StartOptimum best = find_optimum_from(rows, {0, Rational(1)}, {plain, true, false});
  REQUIRE(best.certified);
  CHECK(best.worth == Rational(11, 9));
  AcceptanceProblem dearer = plain;
  dearer.gains[0] = Rational(2);
  const ProofVerdict verdict = check_proof(*best.proof, dearer, rows, 0);
  CHECK(!verdict.bound);
  CHECK_THAT(verdict.fault, Containing("below 2"));
}

TEST_CASE("every iteration has its prices, which prove it") {
  const Rows<Rational> rows(make_pair(kFiveContexts));
  const IterationsOptimum found = find_iterations(rows, 2, 1, 3);
  const auto value = [&](State state, int left) {
    return left == 0 ? Rational(0) : found.steps.at({left, state}).tokens;
  };
  const auto after = [&](State state, int left) {
    Rational sum(0);
    for (Token y = 0; y < 2; ++y) {
      const Rational& t = rows.target(state)[static_cast<std::size_t>(y)];
      if (t > 0) sum += t * value(rows.next(state, y), left);
    }
    return sum;
  };
  for (const auto& [at, step] : found.steps) {
    const auto& [left, state] = at;
    CAPTURE(left, state);
    AcceptanceProblem problem{VerifierClass::plug_and_play, 2, 1};
    const PrefixTree tree(rows, state, 2, 100);
    for (const PrefixTree::Node& node : tree.nodes()) {
      problem.gains[node.state] = 1 + after(node.state, left - 1) - value(node.state, left - 1);
    }
    const ProofVerdict verdict = check_proof(step.proof, problem, rows, state);
    CHECK(verdict.bound == step.tokens - 1 - after(state, left - 1));
  }
}

TEST_CASE("one draft of many tokens, plug-and-play: block's, certified without a program") {
  for (const std::string_view pair : {kToyPair, std::string_view("tree(vocabulary=2,depth=9)")}) {
    const Rows<Rational> rows(make_pair(pair));
    const Optimum found = find_optimum(rows, {{VerifierClass::plug_and_play, 9, 1}, true, false});
    CHECK(found.certified);
    CHECK(found.worth == PlugAndPlay<Rational>(rows, 9).block(0, 1) - 1);
  }
}

TEST_CASE("several iterations: what cannot be asked is refused") {
  CHECK_THROWS_AS(most("bernoulli(draft=2/3,target=1/3,eos=1)", 1, 1, 2), InputError);
  CHECK_THROWS_AS(most(kToyPair, kUnbounded, 1, 2), UsageError);
  CHECK_THROWS_AS(most(kToyPair, 1, 0, 2), UsageError);
  CHECK_THROWS_AS(most(kToyPair, 30, 1, 2), LimitError);
}

}  // namespace
}  // namespace speclab::iterations_test
