// Closed forms of rules that verify several drafts as blocks, against sums over all paths and
// drafts.

#include "asked.h"
#include "catch.h"
#include "model/registry.h"
#include "small_pairs.h"
#include "theory/lin2026.h"
#include "theory/weng2025.h"

namespace speclab::several_blocks_test {
namespace {

PairPointer small_pair(unsigned seed) { return random_pair(seed, 1 + seed % 3, 1 + seed % 4); }

/// E_d[w_k] from `weight` at state 0: the sum over all paths of k tokens.
Rational reached_by_paths(const Pair& pair, int k, const Rational& weight) {
  Rational sum(0);
  for (const Path& path : all_paths(pair, 0, k)) {
    if (path.joint_draft.back() == 0) continue;
    Rational w = weight;
    for (std::size_t i = 0; i < path.tokens.size(); ++i) {
      const auto laws = laws_at(pair, path.states[i]);
      const auto x = static_cast<std::size_t>(path.tokens[i]);
      w = min_one<Rational>(w * laws.target[x] / laws.draft[x]);
    }
    sum += path.joint_draft.back() * w;
  }
  return sum;
}

/// The same of one node of mass 1, by its table.
template <class Real>
Real reached(BlockBelow<Real>& below, int k, const Real& weight) {
  std::vector<Sum<Real>> sums(static_cast<std::size_t>(k) + 1);
  below.add_reached({{0, Real(1), weight, Real(1)}}, 0, sums);
  return sums.back().value();
}

TEST_CASE("block verification below a node, from any weight, is the sum over all paths") {
  Budget budget;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const auto pair = small_pair(seed);
    const Rows<Rational> rows(pair);
    const Rows<double> near(pair);
    BlockBelow<Rational> below(rows, budget);
    BlockBelow<double> near_below(near, budget);
    for (int k = 0; k <= 4; ++k) {
      for (const char* text : {"1", "9/10", "2/3", "1/2", "1/7", "1/1000"}) {
        CAPTURE(k, text);
        const Rational weight = parse_rational(text);
        const Rational sum = reached_by_paths(*pair, k, weight);
        CHECK(reached(below, k, weight) == sum);
        CHECK(reached(near_below, k, to_double(weight)) == Approx(to_double(sum)).margin(1e-13));
      }
    }
  }
}

template <class Real>
std::vector<Real> traversal(const PairPointer& pair, int drafts, int gamma) {
  const Rows<Real> rows(pair);
  Budget budget;
  return traversal_tail(rows, start_law(rows), drafts, gamma, budget);
}

template <class Real>
std::vector<Real> slot_block(const PairPointer& pair, int gamma) {
  const Rows<Real> rows(pair);
  Budget budget;
  return slot_block_tail(rows, start_law(rows), gamma, budget);
}

TEST_CASE("several drafts of the toy pair have exact values") {
  const Rationals traversed{Rational(7, 9), Rational(115, 81), Rational(1415, 729)};
  const Rationals slotted{Rational(8, 9), Rational(121, 81)};
  for (std::size_t i = 0; i < traversed.size(); ++i) {
    CHECK(expectation(traversal<Rational>(toy(), 2, static_cast<int>(i) + 1)) == traversed[i]);
  }
  for (std::size_t i = 0; i < slotted.size(); ++i) {
    CHECK(expectation(slot_block<Rational>(toy(), static_cast<int>(i) + 1)) == slotted[i]);
  }
}

TEST_CASE("one draft is block verification") {
  Budget budget;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const auto pair = small_pair(seed);
    const Rows<Rational> rows(pair);
    CHECK(traversal<Rational>(pair, 1, 4) == block_tail(rows, start_law(rows), 4, budget));
  }
}

TEST_CASE("doubles are near fractions, where products are merged as well") {
  const auto near = [](const std::vector<double>& doubles, const Rationals& fractions) {
    REQUIRE(doubles.size() == fractions.size());
    for (std::size_t i = 0; i < doubles.size(); ++i) {
      CHECK(doubles[i] == Approx(to_double(fractions[i])).margin(1e-12));
    }
  };
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const auto pair = small_pair(seed);
    near(traversal<double>(pair, 3, 4), traversal<Rational>(pair, 3, 4));
    near(slot_block<double>(pair, 4), slot_block<Rational>(pair, 4));
  }
  const auto uneven = iid({"1/3", "2/3"}, {"1/2", "1/2"});
  near(traversal<double>(uneven, 2, 12), traversal<Rational>(uneven, 2, 12));
  near(slot_block<double>(uneven, 12), slot_block<Rational>(uneven, 12));
}

TEST_CASE("a form whose weights are too many leaves its claim out") {
  const auto many = setting(make_pair("zipf(vocabulary=2000,draft=1,target=1.1)"), "traversal(K=2)",
                            3, std::nullopt, Arithmetic::floating);
  CHECK_FALSE(find(many, "speclab.traversal.tau", "iteration.expected_accepted"));
  // In fractions of hundreds of digits.
  const auto drafts = setting(toy(), "traversal(K=200)", 2);
  CHECK_FALSE(find(drafts, "speclab.traversal.tau", "iteration.expected_accepted"));
  const auto few = setting(toy(), "traversal(K=8)", 2);
  CHECK(find(few, "speclab.traversal.tau", "iteration.expected_accepted"));
  const auto three = setting(toy(), "slot-block(K=3)", 2);
  CHECK_FALSE(find(three, "slot-block.tau", "iteration.expected_accepted"));
}

}  // namespace
}  // namespace speclab::several_blocks_test
