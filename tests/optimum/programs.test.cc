// Verifiers given by tables: the certified optimum, and any member of the class of yin2024's
// Algorithm 2.
#include <cmath>

#include "answer/instantiate.h"
#include "catch.h"
#include "optimum/bias_front.h"
#include "optimum/optimum.h"
#include "simulate/estimate.h"
#include "toy.h"
#include "verifiers/biased/rule.h"
#include "verifiers/several/optimal.h"

namespace speclab::programs_test {
namespace {

Optimal optimal(std::string_view pair, VerifierClass verifiers, int drafts) {
  Optimal program;
  program.verifiers = verifiers;
  program.drafts = drafts;
  return program.prepared(make_pair(pair));
}

TEST_CASE("the optimal verifier is lossless and attains the optimum") {
  for (const std::string_view pair :
       {kToy, std::string_view("iid(draft=[5/6,1/6],target=[1/2,1/2])"),
        std::string_view("iid(draft=[0,1/2,1/2],target=[1/2,1/2,0])"),
        std::string_view("iid(draft=[1,0],target=[0,1])"),
        std::string_view("tree(vocabulary=3,depth=3,seed=5)"),
        std::string_view("bernoulli(draft=2/3,target=1/3,eos=1)")}) {
    const Rows<Rational> rows(make_pair(pair));
    for (const VerifierClass one : {VerifierClass::plug_and_play, VerifierClass::coupling}) {
      for (const int drafts : {1, 2}) {
        CAPTURE(pair, class_name(one), drafts);
        const Optimal program = optimal(pair, one, drafts);
        const auto found = run_program(program, pair, {.lengths = {.gamma = 2, .horizon = 3}});
        CHECK(found.expected_accepted == find_optimum(rows, {{one, 2, drafts}, true, false}).worth);
        CHECK(found.decode->tv_to_target == 0);
        CHECK(found.undefined_mass == 0);
        const auto near =
            run_program<Optimal, double>(program, pair, {.lengths = {.gamma = 2, .horizon = 3}});
        CHECK(near.expected_accepted == Approx(to_double(found.expected_accepted)));
        CHECK(near.decode->tv_to_target == Approx(0).margin(1e-12));
      }
    }
  }
  CHECK(run_program(optimal(kToy, VerifierClass::coupling, 2), kToy,
                    {.lengths = {.gamma = 2, .horizon = 3}})
            .expected_accepted == Rational(134, 81));
  CHECK(run_program(optimal(kToy, VerifierClass::plug_and_play, 2), kToy,
                    {.lengths = {.gamma = 2, .horizon = 4}})
            .expected_accepted == Rational(131, 81));
}

TEST_CASE("a plan that is another pair's is biased") {
  const Optimal program =
      optimal("iid(draft=[2/3,1/3],target=[1/2,1/2])", VerifierClass::plug_and_play, 2);
  CHECK(run_program(program, kToy, {.lengths = {.gamma = 2, .horizon = 3}}).decode->tv_to_target >
        0);
}

TEST_CASE("the optimum is sampled with its law") {
  static const VerifierRow row = verifier_row<Optimal>();
  const Rows<double> rows(make_pair(kToy));
  Verifier verifier;
  verifier.name = "optimal(K=2)";
  verifier.info = &row;
  verifier.program = std::make_shared<const Optimal>(optimal(kToy, VerifierClass::coupling, 2));
  verifier.runs = row.runs_of(verifier.program.get());
  verifier.drafts = 2;
  const SimulateRequest request{.lengths = {.gamma = 2}, .trials = 40'000};
  const Tallied tallied = run_trials(verifier, rows, request);
  const Estimates estimates = estimate(tallied.tally, rows, request);
  const Estimate& accepted = *estimates.found.find(QuantityId::expected_accepted, {});
  CHECK(std::abs(accepted.mean - 134.0 / 81) < 6 * accepted.standard_error);
}

// --- Rules by their tables

TableRule rule_of(std::vector<std::vector<Rational>> accept,
                  std::vector<std::vector<Rational>> correct) {
  TableRule rule;
  rule.tables = make_acceptance_rule(std::move(accept), std::move(correct));
  return rule;
}

TEST_CASE("Corollary 1's members are lossless and reject according to their share") {
  for (const Rational& share : {Rational(0), Rational(1, 2), Rational(1)}) {
    TableRule rule;
    rule.share = share;
    const auto found = run_program(rule, kToy, {.lengths = {.gamma = kUnbounded, .horizon = 2}});
    CHECK(found.decode->tv_to_target == 0);
    // E[rejections] = T (1 - share sum min(d, t)).
    CHECK(found.decode->rejections == 2 * (1 - share * Rational(2, 3)));
  }
}

/// One token with b and P compared with their formulas: E[rejections] and TV.
FrontPoint one_token(const TableRule& rule) {
  const auto found = run_program(rule, kToy, {.lengths = {.gamma = kUnbounded, .horizon = 1}});
  return {found.decode->rejections, found.decode->tv_to_target};
}

TEST_CASE("Figure 4: every point of the region of one token is realised, and none below it") {
  // Toy pair, TV = 1/3. With b = 1 - r at both tokens the rejected mass is r. The correction moves
  // the emitted law from (2/3, 1/3) to ((1 - r) 2/3 + r p, ..): TV = |1/3 - r 2/3 + r p|.
  const Rational tv(1, 3);
  int points = 0;
  for (int sixths = 0; sixths <= 6; ++sixths) {
    const Rational r(sixths, 6);
    for (int quarters = 0; quarters <= 4; ++quarters) {
      const Rational p(quarters, 4);
      const FrontPoint found = one_token(rule_of({{1 - r, 1 - r}}, {{p, 1 - p}}));
      CHECK(found.rejections == r);
      CHECK(found.distance == abs(Rational(tv - r * Rational(2, 3) + r * p)));
      ++points;
    }
    // On the front itself: b takes from token 0 alone, P gives it to token 1.
    if (sixths <= 2) {
      const FrontPoint edge = one_token(rule_of({{1 - r * Rational(3, 2), Rational(1)}}, {{0, 1}}));
      CHECK(edge.rejections == r);
      CHECK(edge.rejections + edge.distance == tv);
    }
    // Every b and P on a grid lies on the front or above.
    for (int b0 = 0; b0 <= 4; ++b0) {
      for (int b1 = 0; b1 <= 4; ++b1) {
        const FrontPoint any =
            one_token(rule_of({{Rational(b0, 4), Rational(b1, 4)}}, {{1 - r, r}}));
        CHECK(any.rejections + any.distance >= tv);
      }
    }
  }
  CHECK(points == 35);
}

TEST_CASE("without rejection the output is the draft's, whatever the correction") {
  for (const Rational& p : {Rational(0), Rational(1, 2), Rational(1)}) {
    CHECK(one_token(rule_of({{1, 1}}, {{p, 1 - p}})) == FrontPoint{Rational(0), Rational(1, 3)});
  }
}

TEST_CASE("a correction without a law is an undefined outcome") {
  const auto found = run_program(rule_of({{Rational(1, 2), 1}}, {{0, 0}}), kToy,
                                 {.lengths = {.gamma = 1, .horizon = 1}});
  CHECK(found.undefined_mass == Rational(1, 3));
}

// --- The front

/// TV of the first T tokens drafted without rejection, and Theorem 1's E[N_rej].
void ends(const Rows<Rational>& rows, State state, int left, const Rational& draft,
          const Rational& target, Rational& distance, Rational& rejections) {
  if (left == 0) {
    distance += positive_part<Rational>(draft - target);
    return;
  }
  for (Token x = 0; x < rows.vocabulary(); ++x) {
    const Rational& d = rows.draft(state)[static_cast<std::size_t>(x)];
    const Rational& t = rows.target(state)[static_cast<std::size_t>(x)];
    rejections += target * positive_part<Rational>(d - t);
    ends(rows, rows.next(state, x), left - 1, draft * d, target * t, distance, rejections);
  }
}

TEST_CASE("the front of rejections and bias: its ends, and its line at one token") {
  for (const std::string_view pair :
       {kToy, std::string_view("iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])"),
        std::string_view("tree(vocabulary=2,depth=3,seed=4)"),
        std::string_view("iid(draft=[1,0],target=[0,1])")}) {
    const Rows<Rational> rows(make_pair(pair));
    for (const int tokens : {1, 2, 3}) {
      if (tokens == 3 && rows.vocabulary() > 2) continue;
      CAPTURE(pair, tokens);
      const auto front = bias_front(rows, tokens);
      Rational distance(0), rejections(0);
      ends(rows, 0, tokens, Rational(1), Rational(1), distance, rejections);
      CHECK(front.front() == FrontPoint{Rational(0), distance});
      CHECK(front.back() == FrontPoint{rejections, Rational(0)});
      if (tokens == 1) CHECK(front.size() == 2);
      for (std::size_t i = 2; i < front.size(); ++i) {
        // Convex: slopes rise.
        CHECK((front[i - 1].distance - front[i - 2].distance) *
                  (front[i].rejections - front[i - 1].rejections) <
              (front[i].distance - front[i - 1].distance) *
                  (front[i - 1].rejections - front[i - 2].rejections));
      }
    }
  }
  const Rows<Rational> alike(make_pair("iid(draft=[1/2,1/2],target=[1/2,1/2])"));
  CHECK(bias_front(alike, 2) == std::vector<FrontPoint>{{Rational(0), Rational(0)}});
}

TEST_CASE("the front of two tokens of laws that nearly agree") {
  const Rows<Rational> rows(
      make_pair("iid(draft=[500001/1000000,499999/1000000],target=[1/2,1/2])"));
  const auto front = bias_front(rows, 2);
  Rational distance(0), rejections(0);
  ends(rows, 0, 2, Rational(1), Rational(1), distance, rejections);
  CHECK(front.front() == FrontPoint{Rational(0), distance});
  CHECK(front.back() == FrontPoint{rejections, Rational(0)});
}

/// The front's TV at this many rejections.
Rational at(const std::vector<FrontPoint>& front, const Rational& rejections) {
  for (std::size_t i = 1; i < front.size(); ++i) {
    if (front[i].rejections < rejections) continue;
    const FrontPoint& a = front[i - 1];
    const FrontPoint& b = front[i];
    return a.distance +
           (b.distance - a.distance) * (rejections - a.rejections) / (b.rejections - a.rejections);
  }
  return Rational(0);
}

TEST_CASE("no executed rule lies below the front of two tokens") {
  const auto front = bias_front(Rows<Rational>(make_pair(kToy)), 2);
  int below_line = 0;
  for (int b0 = 0; b0 <= 4; ++b0) {
    for (int b1 = 0; b1 <= 4; ++b1) {
      for (int p = 0; p <= 4; ++p) {
        const TableRule rule =
            rule_of({{Rational(b0, 4), Rational(b1, 4)}}, {{Rational(p, 4), 1 - Rational(p, 4)}});
        const auto found =
            run_program(rule, kToy, {.lengths = {.gamma = kUnbounded, .horizon = 2}});
        const Rational least = at(front, found.decode->rejections);
        CHECK(found.decode->tv_to_target >= least);
        if (found.decode->tv_to_target == least) ++below_line;
      }
    }
  }
  CHECK(below_line > 0);  // some are on it
}

}  // namespace
}  // namespace speclab::programs_test
