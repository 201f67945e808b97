// Batches and bias: the exact values of yin2024 and of the repairs, in rational arithmetic.
#include <fmt/format.h>

#include <algorithm>

#include "catch.h"
#include "toy.h"

namespace speclab::batches_test {
namespace {

constexpr const char* kPrintedPair = "iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])";

DecodeNumbers<Rational> decode(std::string_view verifier, std::string_view pair, int horizon,
                               int gamma = kUnbounded) {
  return *run_named(verifier, pair, {.lengths = {.gamma = gamma, .horizon = horizon}, .law = true})
              .decode;
}

/// TV(d, t) at the first position, averaged over the prompt.
Rational first_distance(std::string_view pair) {
  const Rows<Rational> rows(make_pair(pair));
  Rational sum(0);
  for (const Start& start : rows.pair().start()) {
    for (std::size_t x = 0; x < rows.draft(start.state).size(); ++x) {
      sum += start.probability *
             positive_part<Rational>(rows.draft(start.state)[x] - rows.target(start.state)[x]);
    }
  }
  return sum;
}

TEST_CASE("batch: rejections and target calls on the toy pair") {
  CHECK(decode("batch(M=2)", kToy, 2).rejections == Rational(43, 81));
  CHECK(decode("batch(M=2)", kToy, 2).target_calls == Rational(11, 9));
  CHECK(decode("batch(M=1)", kToy, 2).rejections == Rational(2, 3));
  CHECK(decode("batch(M=1)", kToy, 2).target_calls == Rational(4, 3));
  Rational expected(1, 3);
  for (int m = 1; m <= 6; ++m) {
    CHECK(decode(fmt::format("batch(M={})", m), kToy, 1).rejections == expected);
    expected *= Rational(2, 3);
  }
}

TEST_CASE("batch: tokens that the draft lacks are rejected with any number of drafts") {
  for (int m = 1; m <= 5; ++m) {
    const std::string batch = fmt::format("batch(M={})", m);
    CHECK(decode(batch, "iid(draft=[0,1],target=[1/2,1/2])", 1).rejections == Rational(1, 2));
    CHECK(decode(batch, "iid(draft=[1/4,3/4],target=[1/4,3/4])", 3).rejections == 0);
  }
}

TEST_CASE("batch: improvement over one draft for Bernoulli and uniform pairs") {
  for (int m = 1; m <= 4; ++m) {
    const std::string batch = fmt::format("batch(M={})", m);
    Rational draft_power(1);
    Rational miss_power(1, 2);
    for (int i = 1; i < m; ++i) {
      draft_power *= Rational(3, 4);
      miss_power /= 2;
    }
    const char* bernoulli = "bernoulli(draft=3/4,target=1/5)";
    CHECK(first_distance(bernoulli) - decode(batch, bernoulli, 1).rejections ==
          Rational(11, 20) * (1 - draft_power));
    const char* uniform = "uniform(draft=8,target=4)";
    CHECK(first_distance(uniform) - decode(batch, uniform, 1).rejections ==
          Rational(1, 2) - miss_power);
  }
}

TEST_CASE("batch as printed is biased and its M is idle") {
  for (int m = 1; m <= 3; ++m) {
    const auto law = decode(fmt::format("batch-printed(M={})", m), kPrintedPair, 1);
    CHECK(law.tv_to_target == Rational(1, 6));
    REQUIRE(law.law.size() == 2);
    CHECK(law.law[0] == std::pair{std::vector<Token>{0}, Rational(1, 2)});
    CHECK(law.law[1] == std::pair{std::vector<Token>{1}, Rational(1, 2)});
    CHECK(decode(fmt::format("batch(M={})", m), kPrintedPair, 3).tv_to_target == 0);
  }
}

TEST_CASE("biased: rejection and least loss add up to the distance, for two of the residuals") {
  for (const std::string_view pair : kHardPairs) {
    for (const char* eps : {"0", "1/20", "1/4", "1"}) {
      CAPTURE(pair, eps);
      const auto run = [&](const char* residual) {
        return decode(fmt::format("biased(eps={},residual={})", eps, residual), pair, 1);
      };
      const auto optimal = run("optimal");
      const auto standard = run("standard");
      const Rational distance = first_distance(pair);
      CHECK(optimal.rejections + optimal.tv_to_target == distance);
      CHECK(standard.rejections + standard.tv_to_target == distance);
      for (const char* residual : {"target", "draft"}) {
        const auto other = run(residual);
        CHECK(other.rejections == optimal.rejections);
        CHECK(other.tv_to_target >= optimal.tv_to_target);
      }
    }
  }
}

TEST_CASE("biased: one optimum where b = (3/4, 1)") {
  const char* pair = "iid(draft=[1,0],target=[1/2,1/2])";
  CHECK(decode("biased(eps=1/4,residual=optimal)", pair, 1).tv_to_target == Rational(1, 4));
  CHECK(decode("biased(eps=1/4,residual=standard)", pair, 1).tv_to_target == Rational(1, 4));
  CHECK(decode("biased(eps=1/4,residual=target)", pair, 1).tv_to_target == Rational(3, 8));
  CHECK(decode("biased(eps=1/4,residual=draft)", pair, 1).tv_to_target == Rational(1, 2));
}

TEST_CASE("biased: no slack is token verification") {
  for (const std::string_view pair : kHardPairs) {
    CAPTURE(pair);
    const auto here = decode("biased(eps=0)", pair, 3, 2);
    const auto token = decode("token", pair, 3, 2);
    CHECK(here.law == token.law);
    CHECK(here.rejections == token.rejections);
    CHECK(here.draft_steps == token.draft_steps);
  }
}

TEST_CASE("lenient: accepts with min(1, t / (l d))") {
  CHECK(decode("lenient(l=1)", kToy, 1).tv_to_target == 0);
  CHECK(decode("lenient(l=3/4)", kToy, 1).rejections == Rational(2, 9));
  CHECK(decode("lenient(l=3/4)", kToy, 1).tv_to_target == Rational(1, 9));
  CHECK(decode("lenient(l=1/2)", kToy, 1).rejections == 0);
  CHECK(decode("lenient(l=1/2)", kToy, 1).tv_to_target == Rational(1, 3));
}

TEST_CASE("draft steps: the window of every iteration, cut at the horizon") {
  // One draft, then a bonus or another draft: 2/3 * 1 + 1/3 * 2.
  CHECK(decode("token", kToy, 2, 1).draft_steps == Rational(4, 3));
  CHECK(decode("block", kToy, 2, 1).draft_steps == Rational(4, 3));
  CHECK(decode("rrs(K=2)", kToy, 2, 1).draft_steps == Rational(11, 9));
  CHECK(decode("autoregressive", kToy, 4, 3).draft_steps == 0);
  // Drafts to the horizon: 2 at first, 1 more where the first token was rejected.
  CHECK(decode("token", kToy, 2).draft_steps == 2 + Rational(1, 3));
}

}  // namespace
}  // namespace speclab::batches_test
