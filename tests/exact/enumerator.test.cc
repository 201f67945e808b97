// The interpreter of decisions: weights, replay, counts, limits and undefined draws.
#include "run/enumerator.h"

#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "base/error.h"
#include "catch.h"
#include "message_of.h"
#include "run/each_sequence.h"
#include "toy.h"
#include "verifiers/chain/block.h"

namespace speclab::enumerator_test {
namespace {

DenseLaw<Rational> law(std::vector<Rational> weights) { return DenseLaw(std::move(weights)); }

/// Draws twice and tosses a coin between, as a verifier would.
std::vector<Token> decide(Enumerator<Rational>& choices) {
  choices.restart();
  std::vector<Token> made{choices.draft(law({2, 0, 1}))};
  made.push_back(choices.accept(made[0] == 0 ? Rational(1, 4) : Rational(1)) ? 1 : 0);
  made.push_back(choices.correct(law({0, made[0] + made[1], 1})));
  return made;
}

TEST_CASE("every sequence of decisions comes once, with its weight") {
  Enumerator<Rational> choices;
  std::map<std::vector<Token>, Rational> seen;
  do {
    const std::vector<Token> made = decide(choices);
    CHECK(seen.emplace(made, choices.weight()).second);
  } while (choices.advance());
  // Draft 0 (2/3): coin 1/4; corrections from (0, coin, 1). Draft 2 (1/3): sure coin, (0, 3, 1).
  const std::map<std::vector<Token>, Rational> expected{
      {{0, 1, 1}, Rational(1, 12)}, {{0, 1, 2}, Rational(1, 12)}, {{0, 0, 2}, Rational(1, 2)},
      {{2, 1, 1}, Rational(1, 4)},  {{2, 1, 2}, Rational(1, 12)},
  };
  CHECK(seen == expected);
}

TEST_CASE("without corrections the last draw is not branched over") {
  Enumerator<Rational> choices(false);
  int sequences = 0;
  Rational sum(0);
  do {
    decide(choices);
    ++sequences;
    sum += choices.weight();
  } while (choices.advance());
  CHECK(sequences == 3);
  CHECK(sum == 1);
}

TEST_CASE("decisions that go only one way are not branches") {
  Enumerator<Rational> choices;
  choices.restart();
  CHECK(choices.draft(law({0, 5, 0})) == 1);
  CHECK(choices.accept(Rational(3, 2)));
  CHECK(choices.accept(Rational(1)));
  CHECK_FALSE(choices.accept(Rational(0)));
  CHECK(choices.correct(law({0, 0, 0})) == kUndefined);
  CHECK(choices.weight() == 1);
  CHECK_FALSE(choices.advance());
}

/// Drafts, then tosses one coin a token: on a uniform law every branch is alike.
struct UniformTree {
  [[maybe_unused]] static constexpr bool kCarries = false;
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    for (int i = 0; i < window.drafts; ++i) {
      const auto laws = view.at(root);
      const Token x = choices.draft(laws.draft());
      choices.accept(Real(1) / 2);
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }
};

TEST_CASE("the count of sequences is exact where every branch is alike") {
  const Rows<Rational> rows(make_pair("uniform(draft=3,target=3)"));
  using View = PairView<Rational>;
  const UniformTree program;
  const auto runner = any_runner<View>(program);
  const View view(rows);
  for (int drafts = 1; drafts <= 3; ++drafts) {
    const Window window{.drafts = drafts, .bonus = true};
    double count = 0;
    each_sequence(program, view, 0, window, true,
                  [&](const Iteration<View>&, const Rational&) { ++count; });
    CHECK(count == 3 * std::pow(6.0, drafts));
    const double all = std::numeric_limits<double>::infinity();
    CHECK(runner.branches(view, 0, window, true, all) == count);
    CHECK(runner.branches(view, 0, window, false, all) == count / 3);
    // What is enough is counted to its end; what is more ends where it is known to be more.
    CHECK(runner.branches(view, 0, window, true, count) == count);
    CHECK(runner.branches(view, 0, window, true, count - 1) > count - 1);
    const double stopped = runner.branches(view, 0, window, true, 1);
    CHECK(stopped > 1);
    CHECK(stopped < count);
  }
}

TEST_CASE("the estimated count is near the true one where branches differ") {
  const Rows<Rational> rows(make_pair("tree(vocabulary=3,depth=3,seed=5)"));
  using View = PairView<Rational>;
  const BlockVerification program;
  const View view(rows);
  const Window window{.drafts = 3, .bonus = true};
  double count = 0;
  each_sequence(program, view, 0, window, true,
                [&](const Iteration<View>&, const Rational&) { ++count; });
  std::mt19937_64 engine(1);
  constexpr int kProbes = 20000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kProbes; ++i) {
    RandomWalk walk(engine, 0.5);
    Enumerator<Rational> choices;
    choices.follow({.walk = &walk});
    choices.restart();
    Iteration<View> out;
    out.begin(0);
    program(view, 0, window, choices, out);
    sum += walk.branches();
    squares += walk.branches() * walk.branches();
  }
  const double mean = sum / kProbes;
  const double error = std::sqrt((squares / kProbes - mean * mean) / kProbes);
  CHECK(std::abs(mean - count) < 6 * error);
  CHECK(error < count / 20);
}

TEST_CASE("too many sequences are refused with their number and the option that allows them") {
  const std::string message = message_of<LimitError>(
      [] { run_named("slot-block(K=2)", kToy, {.lengths = {.gamma = 40}}); });
  CHECK_THAT(message, Containing("max-paths"));
  const auto at = message.find("about ");
  REQUIRE(at != std::string::npos);
  // Twice forty drafts of two tokens and their coins: more than 2^40 sequences.
  CHECK(std::stod(message.substr(at + 6)) > 1e12);
}

TEST_CASE("the limit also counts while it runs, and nothing is refused at it") {
  // 256 contexts and far fewer sequences in one iteration, but 273 in one step of the joint law of
  // a decode.
  const char* pair = "tree(vocabulary=2,depth=8,seed=3,denominator=1000)";
  ExactRequest request{.lengths = {.gamma = 3, .horizon = 8}, .max_paths = 272};
  const Rows<Rational> rows(make_pair(pair));
  const auto without = run_exact(make_verifier("block"), rows, request);
  CHECK(!without.has(QuantityId::tv_to_target));
  request.law = true;
  CHECK_THROWS_AS(run_named("block", pair, request), LimitError);
  request.max_paths = 273;
  const auto with = run_named("block", pair, request);
  CHECK(with.decode->tv_to_target == 0);
  // What needs no joint law is the same in both.
  CHECK(with.decode->target_calls == without.at(QuantityId::target_calls));
  CHECK(with.decode->rejections == without.at(QuantityId::rejections));
}

TEST_CASE("a joint law that memory may not hold is left out, or refused where it is asked for") {
  ExactRequest request{.lengths = {.gamma = 2, .horizon = 5}};
  const Rows<double> rows(make_pair(kToy));
  // 2^5 sequences, each of five tokens and a number.
  const double bytes = output_bytes(32, 5, sizeof(double));
  request.max_memory = bytes - 1;
  const auto without = run_exact(make_verifier("block"), rows, request);
  CHECK(!without.has(QuantityId::tv_to_target));
  CHECK_THAT(without.find(QuantityId::tv_to_target)->missing, Containing("max-memory"));
  request.law = true;
  CHECK_THROWS_WITH(run_exact(make_verifier("block"), rows, request), Containing("max-memory"));
  request.max_memory = bytes;
  CHECK(run_exact(make_verifier("block"), rows, request).has(QuantityId::tv_to_target));
  // A fraction takes more.
  const Rows<Rational> fractions(make_pair(kToy));
  CHECK_THROWS_AS(run_exact(make_verifier("block"), fractions, request), LimitError);
}

TEST_CASE("contexts beyond the limit are refused before any work") {
  const ExactRequest request{.lengths = {.gamma = 1, .horizon = 60}, .law = true};
  CHECK_THROWS_AS(run_named("token", kToy, request), LimitError);
}

TEST_CASE("laws of the tokens after iterations are refused by their numbers and contexts") {
  ExactRequest request{.lengths = {.gamma = 20'000, .iterations = 300}, .law = true};
  request.max_memory = 1e9;
  CHECK_THROWS_WITH(run_named<double>("token", kToy, request),
                    Containing("have 9.03e+08 numbers") && Containing("max-memory"));
  request.lengths = {.gamma = 1, .iterations = 200};
  request.max_paths = 100;
  CHECK_THROWS_WITH(run_named<double>("token", kToy, request),
                    Containing("contexts by the tokens before it, over the limit of 100") &&
                        Containing("max-paths"));
  request.lengths.iterations = 2;
  CHECK_NOTHROW(run_named<double>("token", kToy, request));
  request.lengths.iterations = 200;
  request.law = false;
  CHECK_NOTHROW(run_named<double>("token", kToy, request));
}

TEST_CASE("positions beyond the end of the pair are refused") {
  ExactRequest request{.lengths = {.gamma = 2, .horizon = 4}};
  const char* pair = "markov(vocabulary=2,horizon=3,seed=1)";
  CHECK_THROWS_WITH(run_named<double>("token", pair, request), Containing("horizon of 4"));
  request.lengths.horizon.reset();
  request.lengths.iterations = 2;
  CHECK_THROWS_WITH(run_named<double>("token", pair, request), Containing("2 iterations"));
  request.lengths.iterations = 0;
  request.lengths.gamma = kUnbounded;
  CHECK_THROWS_WITH(run_named("token", kToy, request), Containing("horizon"));
}

/// Emits the correction of a law that has no weight after draft token 1.
struct DrawsFromNothing {
  static constexpr bool kCarries = false;
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    const auto laws = view.at(root);
    const Token x = choices.draft(laws.draft());
    if (x == 1) return out.correct(view, choices, laws.residual(Real(0)));
    out.accept(x, view.next(root, x));
    out.add(view, choices.correct(laws.target()), Ending::bonus);
  }
};

TEST_CASE("a draw from a law without weight is counted as undefined") {
  const auto result =
      run_program(DrawsFromNothing{}, kToy, {.lengths = {.gamma = 1, .horizon = 2}, .law = true});
  CHECK(result.undefined_mass == Rational(1, 3));
  CHECK(result.accepted_law == std::vector<Rational>{Rational(1, 3), Rational(2, 3)});
  const auto& decode = *result.decode;
  CHECK(decode.undefined_mass == Rational(1, 3));
  // What is left: token 0, then the target's law.
  const decltype(decode.law) law{{{0, 0}, Rational(2, 9)}, {{0, 1}, Rational(4, 9)}};
  CHECK(decode.law == law);
  // Target (1, 2, 2, 4)/9 against (2, 4, 0, 0)/9 and 3/9 undefined: (1 + 2 + 2 + 4 + 3) / 18.
  CHECK(decode.tv_to_target == Rational(2, 3));
  CHECK(decode.tokens == Rational(4, 3));
}

}  // namespace
}  // namespace speclab::enumerator_test
