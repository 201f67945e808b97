// Rules that are entered again where their correction was drafted: what they accept, by hand, and
// what they are refused for.
#include <span>

#include "blocks_by_hand.h"
#include "catch.h"
#include "message_of.h"
#include "toy.h"

namespace speclab::recycle_test {
namespace {

Rational expected(const std::string& verifier, std::string_view pair, int gamma) {
  return run_named(verifier, pair, {.lengths = {.gamma = gamma}}).expected_accepted;
}

/// Block verification of a path from a state: P(tau = i), and the law of the correction there.
struct BlockEnd {
  Rational probability;
  HandRow correction;
};

std::vector<BlockEnd> block_ends(const Rows<Rational>& rows, State root,
                                 std::span<const Token> path) {
  std::vector<State> states{root};
  HandRow weights{1};
  for (const Token x : path) {
    const HandLaws laws = hand_laws(rows, states.back());
    const auto at = static_cast<std::size_t>(x);
    weights.push_back(ratio_to_one(weights.back() * laws.target[at], laws.draft[at]));
    states.push_back(rows.next(states.back(), x));
  }
  std::vector<BlockEnd> ends(path.size() + 1);
  Rational shorter(1);
  for (std::size_t i = path.size() + 1; i-- > 0;) {
    Rational coin = weights[i];
    if (i < path.size()) {
      const HandLaws laws = hand_laws(rows, states[i]);
      const HandRow rest = excess(laws.target, laws.draft, weights[i]);
      const Rational mass = sum_of(rest);
      ends[i].correction = normalised(rest);
      const Rational both = mass + 1 - weights[i];
      coin = both > 0 ? Rational(mass / both) : Rational(0);
    }
    ends[i].probability = shorter * coin;
    shorter *= 1 - coin;
  }
  return ends;
}

/// E[tau] of block along the first of two paths, gone on with along the second where that has the
/// correction after the same tokens.
Rational recycled_block(const Rows<Rational>& rows, int gamma) {
  Rational sum(0);
  for (const auto& start : rows.pair().start()) {
    const auto paths = drafted_paths(rows, start.state, gamma);
    for (const Drafted& first : paths) {
      const auto ends = block_ends(rows, start.state, first.tokens);
      for (const Drafted& second : paths) {
        const Rational mass = start.probability * first.mass * second.mass;
        for (std::size_t i = 0; i < ends.size(); ++i) {
          sum += mass * ends[i].probability * static_cast<int>(i);
          if (i == second.tokens.size() ||
              !std::equal(first.tokens.begin(), first.tokens.begin() + static_cast<long>(i),
                          second.tokens.begin())) {
            continue;
          }
          const auto y = static_cast<std::size_t>(second.tokens[i]);
          Rational more(1);
          const auto rest = std::span(second.tokens).subspan(i + 1);
          const auto further = block_ends(rows, second.states[i + 1], rest);
          for (std::size_t j = 0; j < further.size(); ++j) {
            more += further[j].probability * static_cast<int>(j);
          }
          sum += mass * ends[i].probability * ends[i].correction[y] * more;
        }
      }
    }
  }
  return sum;
}

TEST_CASE("block of two paths, entered again, accepts what two passes by hand do") {
  int more = 0;
  for (const std::string_view pair :
       {std::string_view("bernoulli(draft=2/3,target=1/3)"),
        std::string_view("iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])"),
        std::string_view("tree(vocabulary=2,depth=4,seed=6,denominator=7)"),
        std::string_view("tree(vocabulary=3,depth=3,seed=9,denominator=7)")}) {
    const Rows<Rational> rows(make_pair(pair));
    for (const int gamma : {1, 2}) {
      CAPTURE(pair, gamma);
      const Rational found = expected("recycle(rule=block,K=2)", pair, gamma);
      CHECK(found == recycled_block(rows, gamma));
      more += found > expected("block", pair, gamma) ? 1 : 0;
    }
  }
  CHECK(more >= 6);
}

TEST_CASE("what is gained on two pairs, by hand") {
  constexpr std::string_view kThree = "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])";
  // beta = 1/2, m = (1/10, 1/4, 3/20): a correction 1/5 - 3/2 1/10 is token 0, which a refused
  // draft is with 4/5, or 3/10 - 3/2 3/20 token 2, with 1/5: 1/20 24/25 + 3/40 9/25.
  CHECK(expected("wrong-largest-rho(K=2)", kThree, 1) == Rational(3, 4));
  CHECK(expected("recycle(rule=wrong-largest-rho,K=2)", kThree, 1) ==
        Rational(3, 4) + Rational(1, 20) * Rational(24, 25) + Rational(3, 40) * Rational(9, 25));
  // Of the sets that select token 0, mass 3/4, 1 - (1/4) / (3/4) have token 1.
  constexpr std::string_view kEven = "iid(draft=[1/2,1/2],target=[3/5,2/5])";
  CHECK(expected("path-block(K=2)", kEven, 1) == Rational(17, 20));
  CHECK(expected("recycle(rule=path-block,K=2)", kEven, 1) ==
        Rational(17, 20) + Rational(3, 20) * Rational(2, 3));
  // Below the root batch follows one path of several that have its token.
  CHECK(expected("batch(M=2)", kThree, 2) == Rational(561, 400));
  CHECK(expected("recycle(rule=batch,K=2)", kThree, 2) == Rational(2271, 1600));
}

TEST_CASE("one path is never entered again") {
  for (const std::string_view pair :
       {"bernoulli(draft=2/3,target=1/3)", "tree(vocabulary=3,depth=4,seed=8)"}) {
    for (const auto& [rule, plain] : {std::pair{"token", "token"},
                                      {"block", "block"},
                                      {"rrs", "rrs(K=1)"},
                                      {"batch", "batch(M=1)"},
                                      {"recursive-block", "recursive-block(K=1)"},
                                      {"path-block", "path-block(K=1)"},
                                      {"slot-block", "slot-block(K=1)"},
                                      {"traversal", "traversal(K=1)"}}) {
      CAPTURE(pair, rule);
      CHECK(expected("recycle(rule=" + std::string(rule) + ",K=1)", pair, 3) ==
            expected(plain, pair, 3));
    }
    CHECK(expected("recycle-greedy(K=1,after=plain)", pair, 3) ==
          expected("greedy-block", pair, 3));
  }
}

TEST_CASE("greedy-block entered again against the plain target has another law") {
  const auto tv = [&](const std::string& verifier) {
    return run_named(verifier, "bernoulli(draft=1/3,target=2/3)",
                     {.lengths = {.gamma = 2, .horizon = 4}})
        .decode->tv_to_target;
  };
  CHECK(tv("recycle-greedy(K=2,after=plain)") == Rational(1, 27));
  CHECK(tv("recycle-greedy(K=2,after=carry)") == 0);
  CHECK(tv("recycle-greedy(K=3,after=carry)") == 0);
}

TEST_CASE("recycle: bad parameters are refused") {
  const auto refused = [](const char* text) { return message_of([text] { make_verifier(text); }); };
  CHECK_THAT(refused("recycle(rule=block)"), Containing("K is missing"));
  CHECK_THAT(refused("recycle(rule=blok,K=2)"), Containing("did you mean 'block'?"));
  CHECK_THAT(refused("recycle(rule=block,K=0)"), Containing("K=0 must be a whole number"));
  CHECK_THAT(refused("recycle-greedy(K=2,after=cary)"), Containing("did you mean 'carry'?"));
  CHECK(make_verifier("recycle(K=2)").name == "recycle(rule=block,K=2)");
}

}  // namespace
}  // namespace speclab::recycle_test
