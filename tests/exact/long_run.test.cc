// The long run: limits of decodes as the horizon goes to infinity, against closed forms and against
// what a long decode adds up to from one horizon to another.
#include <atomic>
#include <cmath>
#include <string>

#include "base/error.h"
#include "catch.h"
#include "exact/stationary.h"
#include "model/families/json_law.h"
#include "toy.h"
#include "verifiers/chain/autoregressive.h"
#include "verifiers/chain/block.h"
#include "verifiers/chain/greedy_block.h"
#include "verifiers/chain/token.h"
#include "verifiers/several/rrs.h"

namespace speclab::long_run_test {
namespace {

template <class Real, class Program>
ExactResult<Real> limits(const Program& program, const PairPointer& pair, int gamma,
                         std::optional<int> horizon = {}) {
  return exact_results(program, Rows<Real>(pair),
                       {.lengths = {.gamma = gamma, .horizon = horizon}, .long_run = true});
}

PairPointer chain(const std::string& text) {
  return read_json_pair(parse_json(text, "test"), "test");
}

/// Three tokens; every context comes back.
PairPointer one_class() {
  return chain(R"({"vocabulary":3,"kind":"chain","prompt":["1/4","3/4","0"],
    "draft":[["1/2","1/4","1/4"],["1/5","3/5","1/5"],["1/3","1/3","1/3"]],
    "target":[["1/5","1/2","3/10"],["1/2","1/4","1/4"],["0","2/3","1/3"]]})");
}

/// After 0 only 0 follows, after 3 only 3; from 1 and 2 a decode reaches either.
PairPointer two_classes() {
  return chain(R"({"vocabulary":4,"kind":"chain","prompt":["1/10","3/5","3/10","0"],
    "draft":[["1","0","0","0"],["1/4","1/4","1/4","1/4"],["1/4","1/4","1/4","1/4"],["0","0","1/2","1/2"]],
    "target":[["1","0","0","0"],["1/8","1/2","1/4","1/8"],["1/10","1/5","3/10","2/5"],["0","0","0","1"]]})");
}

TEST_CASE("token verification of independent tokens has the printed acceptance length") {
  // leviathan equation (1): (1 - a^(g+1)) / (1 - a) tokens a call, a = sum min(d, t) = 2/3.
  const Rational a(2, 3);
  for (int gamma = 1; gamma <= 4; ++gamma) {
    const auto found = limits<Rational>(TokenVerification{}, make_pair(kToy), gamma);
    Rational power(1);
    Rational length(1);
    for (int i = 1; i <= gamma; ++i) {
      power *= a;
      length += power;
      CHECK(found.at(QuantityId::long_run_rates, {i}) == power);
    }
    CHECK(length == (1 - power * a) / (1 - a));
    CHECK(found.at(QuantityId::long_run_length) == length);
    CHECK(found.at(QuantityId::long_run_acceptance) == (length - 1) / gamma);
    CHECK(found.at(QuantityId::long_run_rejections) == (1 - power) / length);
  }
}

/// The long run against what is added from horizon 300 to horizon 600: the ends cancel, and what is
/// left of the start dies out.
template <class Program>
void check_limits(const Program& program, const PairPointer& pair, int gamma) {
  const auto near = limits<double>(program, pair, gamma, 300);
  const auto far = limits<double>(program, pair, gamma, 600);
  const auto added = [&](QuantityId id) { return far.at(id) - near.at(id); };
  const double tokens = added(QuantityId::decode_tokens);
  CHECK(std::abs(tokens - 300) < 1e-9);
  const auto is_near = [](double a, double b) { return std::abs(a - b) < 1e-9; };
  CHECK(is_near(far.at(QuantityId::long_run_length), tokens / added(QuantityId::target_calls)));
  CHECK(is_near(far.at(QuantityId::long_run_rejections), added(QuantityId::rejections) / tokens));
  // Each rate times the iterations, which are the target's calls.
  double accepted = 0;
  for (int i = 1; i <= gamma; ++i) {
    const double reached =
        far.at(QuantityId::position_rates, {i}) * far.at(QuantityId::target_calls) -
        near.at(QuantityId::position_rates, {i}) * near.at(QuantityId::target_calls);
    CHECK(is_near(far.at(QuantityId::long_run_rates, {i}),
                  reached / added(QuantityId::target_calls)));
    accepted += reached;
  }
  CHECK(
      is_near(far.at(QuantityId::long_run_acceptance), accepted / added(QuantityId::draft_steps)));
}

TEST_CASE("the long run is what a long decode reaches") {
  for (const int gamma : {1, 3}) {
    check_limits(TokenVerification{}, one_class(), gamma);
    check_limits(BlockVerification{}, one_class(), gamma);
    check_limits(RecursiveRejection{2}, one_class(), gamma);
  }
}

TEST_CASE("where a decode may end in several classes the limit weighs them by their chances") {
  for (const int gamma : {1, 3}) {
    check_limits(TokenVerification{}, two_classes(), gamma);
    check_limits(BlockVerification{}, two_classes(), gamma);
  }
  // Of the tokens after 1 and 2 the target's chain leaves for 0 or 3: x1 = 1/8 + x1/2 + x2/4,
  // x2 = 1/10 + x1/5 + 3 x2/10, so x1 = 9/24, x2 = 1/4; in 0 every draft is accepted, in 3 half of
  // them.
  const Rational in_zero =
      Rational(1, 10) + Rational(3, 5) * Rational(3, 8) + Rational(3, 10) * Rational(1, 4);
  const Rational calls = in_zero / 2 + (1 - in_zero) / (1 + Rational(1, 2));
  const auto found = limits<Rational>(TokenVerification{}, two_classes(), 1);
  CHECK(found.at(QuantityId::long_run_length) == 1 / calls);
}

TEST_CASE("the long run in doubles is the one in fractions") {
  for (const PairPointer& pair : {one_class(), two_classes()}) {
    const auto exact = limits<Rational>(BlockVerification{}, pair, 3);
    const auto near = limits<double>(BlockVerification{}, pair, 3);
    for (const QuantityId id : {QuantityId::long_run_length, QuantityId::long_run_acceptance,
                                QuantityId::long_run_rejections}) {
      CHECK(std::abs(to_double(exact.at(id)) - near.at(id)) < 1e-12);
    }
  }
}

TEST_CASE("without a draft there is no acceptance rate and one token a call") {
  const auto found = limits<Rational>(Autoregressive{}, one_class(), 2);
  CHECK(found.at(QuantityId::long_run_length) == 1);
  CHECK(found.find(QuantityId::long_run_acceptance)->missing == "nothing is drafted");
}

TEST_CASE("what has no long run says why") {
  const auto reason = [](const char* pair) {
    return limits<Rational>(TokenVerification{}, make_pair(pair), 2)
        .find(QuantityId::long_run_length)
        ->missing;
  };
  CHECK_THAT(reason("bernoulli(draft=2/3,target=1/3,eos=1)"), Containing("end-of-sequence"));
  CHECK_THAT(reason("markov(vocabulary=2,horizon=4,seed=3)"), Containing("4 positions"));
  // An end that no model ever takes does not end a decode.
  CHECK(reason("iid(draft=[1/2,1/2,0],target=[1/3,2/3,0],eos=2)").empty());
  CHECK_THROWS_AS(limits<Rational>(TokenVerification{}, make_pair(kToy), kUnbounded, 4),
                  UsageError);
}

TEST_CASE("a carry is followed where its contexts are few and said to be too much where not") {
  // With gamma = 1 nothing is carried: greedy block verification is token verification.
  const auto token = limits<Rational>(TokenVerification{}, one_class(), 1);
  const auto greedy = limits<Rational>(GreedyBlockVerification{}, one_class(), 1);
  CHECK(token.at(QuantityId::long_run_length) == greedy.at(QuantityId::long_run_length));
  // Here the carries lead back to a few contexts. Of the first iteration, which has none, 39/16.
  const PairPointer few = make_pair("iid(draft=[1/2,1/2],target=[1/4,3/4])");
  const auto carried = limits<Rational>(GreedyBlockVerification{}, few, 2);
  CHECK(carried.at(QuantityId::long_run_length) == Rational(55, 24));
  CHECK(carried.at(QuantityId::expected_accepted) + 1 == Rational(39, 16));
  check_limits(GreedyBlockVerification{}, few, 2);
  const auto many = limits<Rational>(GreedyBlockVerification{}, make_pair(kToy), 2);
  CHECK_THAT(many.find(QuantityId::long_run_length)->missing, Containing("more than 128 contexts"));
}

/// Token verification that counts how often it is run, and whose prefixes are not merged.
struct CountedRuns {
  static constexpr VerifierInfo kInfo = TokenVerification::kInfo;
  static constexpr bool kCarries = false;
  std::atomic<int>* runs;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    ++*runs;
    verify_tokens(view, window, choices, out);
  }
};

TEST_CASE("a long run with too many sequences is refused from its first contexts") {
  std::string row;
  for (int x = 0; x < 12; ++x) row += fmt::format("{}\"1/12\"", x == 0 ? "" : ",");
  std::string rows;
  for (int x = 0; x < 12; ++x) rows += fmt::format("{}[{}]", x == 0 ? "" : ",", row);
  const Rows<Rational> chain_rows(chain(
      fmt::format(R"({{"vocabulary":12,"kind":"chain","prompt":[{}],"draft":[{}],"target":[{}]}})",
                  row, rows, rows)));
  // Equal laws: each of the twelve contexts has 12 * 12 drafts with 12 bonus tokens each.
  constexpr int kAll = 12 * 12 * 12 * 12;
  const auto runs_until_refused = [&](double most) {
    std::atomic<int> runs{0};
    ExactRequest request{.lengths = {.gamma = 2}};
    const auto run = [&] {
      runs = 0;
      return exact_results(CountedRuns{&runs}, chain_rows, request);
    };
    run();
    const int first = runs;
    request.long_run = true;
    request.max_paths = most;
    const auto found = run();
    const auto& why = found.find(QuantityId::long_run_length)->missing;
    CHECK(why.empty() == (most >= kAll));
    return runs - first;
  };
  CHECK(runs_until_refused(kAll) >= kAll);
  // Two contexts are run first and may take a sixth of the limit, kAll / 12; some more runs cut the
  // work in parts.
  CHECK(runs_until_refused(kAll / 2) < kAll / 4);
}

TEST_CASE("stationary laws of classes and the chances of ending in them, by hand") {
  // 0 -> 1 or 2; {1} and {2, 3} are closed, the second with period 2.
  const Moves<Rational> moves{{{0, Rational(1, 2)}, {1, Rational(1, 8)}, {2, Rational(3, 8)}},
                              {{1, Rational(1)}},
                              {{3, Rational(1)}},
                              {{2, Rational(1)}}};
  Moves<double> near;
  std::vector<std::vector<std::size_t>> successors;
  for (const auto& from : moves) {
    near.emplace_back();
    successors.emplace_back();
    for (const auto& [to, weight] : from) {
      near.back().emplace_back(to, to_double(weight));
      successors.back().push_back(to);
    }
  }
  const Recurrence found = recurrence(successors);
  CHECK(found.transient == std::vector<std::size_t>{0});
  REQUIRE(found.classes == std::vector<std::vector<std::size_t>>{{1}, {2, 3}});
  const std::vector<Rational> start{Rational(1, 2), Rational(1, 2), Rational(0), Rational(0)};
  CHECK(absorption(moves, found, start) == std::vector<Rational>{Rational(5, 8), Rational(3, 8)});
  CHECK(absorption(near, found, {0.5, 0.5, 0, 0}) == std::vector<double>{0.625, 0.375});
  using Members = std::span<const std::size_t>;
  CHECK(stationary_law(moves, Members(found.classes[1])) ==
        std::vector<Rational>{Rational(1, 2), Rational(1, 2)});
  CHECK(stationary_law(near, Members(found.classes[1])) == std::vector<double>{0.5, 0.5});
  CHECK(stationary_law(near, Members(found.classes[0])) == std::vector<double>{1.0});
}

}  // namespace
}  // namespace speclab::long_run_test
