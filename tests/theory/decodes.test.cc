// Whole decodes by the accepted paths of one iteration: values by hand, and the paths of block
// against the walk of its weights.
#include "asked.h"
#include "catch.h"
#include "model/registry.h"
#include "theory/block_masses.h"
#include "theory/position_masses.h"

namespace speclab::decodes_test {
namespace {

template <class Made>
DecodeTotals<Rational> totals(const Rows<Rational>& rows, int gamma, int horizon, Made made) {
  Budget budget;
  return LosslessDecode<Rational>::totals(
      rows, start_law(rows), gamma, horizon,
      [&made](State state, int drafts) { return made.masses(state, drafts); }, budget);
}

TEST_CASE("decodes: token and block on the toy pair by hand") {
  const Rows<Rational> rows(toy());
  Budget budget;
  const auto token = totals(rows, 1, 2, PositionMasses(rows, 1, rrs_survivors<Rational>, budget));
  CHECK(token.calls == Rational(4, 3));
  CHECK(token.rejections == Rational(1, 3) + Rational(1, 9));
  CHECK(token.draft_steps == Rational(4, 3));
  CHECK(token.reached[0] == Rational(2, 3) + Rational(1, 3) * Rational(2, 3));
  // Three tokens, two drafts: tau = 2 with 5/9 ends the decode; tau = 1 (1/9) leaves one token, tau
  // = 0 (1/3) two, of which both are drafted: accepted with 5/9, one of them left with 1/9.
  BlockMasses<Rational> block(rows, start_law(rows), 2, 3, budget);
  const auto found = totals(rows, 2, 3, block);
  CHECK(found.calls == 1 + Rational(1, 9) + Rational(1, 3) * (1 + Rational(1, 3)));
  CHECK(found.draft_steps == 2 + Rational(1, 9) + Rational(1, 3) * (2 + Rational(1, 3)));
}

/// P(tau >= i, X^i leads to a state), by the walk of the weights, which divides and merges.
AcceptedMasses<Rational> walked(const Rows<Rational>& rows, State state, int gamma) {
  Budget budget;
  Measure<Rational> start(rows.pair().states());
  start[state] = Rational(1);
  LikelihoodWalk<Rational> walk(rows, start, true, budget);
  AcceptedMasses<Rational> masses{{{state, Rational(1)}}};
  for (int i = 1; i <= gamma; ++i) {
    walk.advance();
    std::map<State, Rational> sums;
    for (const auto& point : walk.points()) sums[point.state] += point.mass * point.ratio;
    masses.emplace_back(sums.begin(), sums.end());
  }
  return masses;
}

TEST_CASE("decodes: block's excursions give the masses of the walk of its weights") {
  for (const char* pair :
       {"iid(draft=[2/3,1/3],target=[1/3,2/3])", "iid(draft=[1/4,1/4,1/2],target=[1/2,1/4,1/4])",
        "markov(vocabulary=3,horizon=6,seed=2)", "markov(vocabulary=5,horizon=4,seed=3)",
        "automaton(draft=[[1/2,1/2,0],[1/3,1/3,1/3]],target=[[1/2,1/4,1/4],[0,1/3,2/3]],"
        "next=[[0,1,1],[1,0,0]],start=0)"}) {
    const Rows<Rational> rows(make_pair(pair));
    const int gamma = rows.vocabulary() == 5 ? 4 : 6;
    const State start = rows.pair().start().front().state;
    CAPTURE(pair);
    Budget budget;
    BlockMasses<Rational> block(rows, start_law(rows), gamma, gamma, budget);
    const auto found = block.masses(start, gamma);
    const auto known = walked(rows, start, gamma);
    REQUIRE(found.size() == known.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == known[i]);
  }
}

}  // namespace
}  // namespace speclab::decodes_test
