// The exact values of sun2025, sun2024 and yin2024 on the toy pair, against sums over paths written
// here: nothing below shares code with the verifiers.
#include "toy.h"

#include <cmath>

#include "base/power.h"
#include "catch.h"
#include "exact/exact.h"
#include "model/registry.h"

namespace speclab::toy_test {
namespace {

using Values = std::vector<Rational>;

/// P(tau >= i) of token verification: (1 - TV)^i.
Rational token_tail(int i) { return power(Rational(2, 3), i); }

/// P(tau >= i) of greedy block verification: the overlap of the joint laws of i tokens.
Rational greedy_tail(int i) {
  Rational sum(0);
  Rational choose(1);
  for (int ones = 0; ones <= i; ++ones) {
    const Rational draft = power(Rational(2, 3), i - ones) * power(Rational(1, 3), ones);
    const Rational target = power(Rational(1, 3), i - ones) * power(Rational(2, 3), ones);
    sum += choose * (draft < target ? draft : target);
    choose = choose * (i - ones) / (ones + 1);
  }
  return sum;
}

/// P(tau >= i) of block verification: E_d of the least of 1, e^L_1, ..., e^L_i over all 2^i paths.
Rational block_tail(int i) {
  Rational sum(0);
  for (unsigned path = 0; path < (1U << i); ++path) {
    Rational draft(1);
    Rational ratio(1);
    Rational least(1);
    for (int n = 0; n < i; ++n) {
      const bool one = ((path >> n) & 1U) != 0;
      draft *= one ? Rational(1, 3) : Rational(2, 3);
      ratio *= one ? Rational(2) : Rational(1, 2);
      if (ratio < least) least = ratio;
    }
    sum += draft * least;
  }
  return sum;
}

Values tails(const ExactNumbers<Rational>& result) {
  Values tails(result.accepted_law.size());
  Rational above(0);
  for (std::size_t i = tails.size(); i-- > 0;) tails[i] = above += result.accepted_law[i];
  return tails;
}

TEST_CASE("expected accepted tokens at gamma 2") {
  const ExactRequest request{.lengths = {.gamma = 2}};
  CHECK(run_named("token", kToy, request).expected_accepted == Rational(10, 9));
  CHECK(run_named("block", kToy, request).expected_accepted == Rational(11, 9));
  CHECK(run_named("greedy-block", kToy, request).expected_accepted == Rational(4, 3));
  CHECK(run_named("autoregressive", kToy, request).expected_accepted == 0);
}

TEST_CASE("the variance of the accepted tokens at gamma 3") {
  const Rows<Rational> rows(make_pair(kToy));
  ExactRequest request{.lengths = {.gamma = 3}};
  CHECK(!run_exact<Rational>(make_verifier("token"), rows, request)
             .has(QuantityId::accepted_variance));
  request.variance = true;
  for (const char* verifier : {"token", "block"}) {
    const bool block = std::string(verifier) == "block";
    Rational mean, square;
    for (int i = 1; i <= 3; ++i) {
      const Rational tail = block ? block_tail(i) : token_tail(i);
      mean += tail;
      square += (2 * i - 1) * tail;
    }
    CHECK(run_exact<Rational>(make_verifier(verifier), rows, request)
              .at(QuantityId::accepted_variance) == square - mean * mean);
  }
}

TEST_CASE("the labels of the tokens do not matter") {
  const ExactRequest request{.lengths = {.gamma = 2, .horizon = 4, .iterations = 2}};
  for (const char* verifier : {"autoregressive", "token", "block", "greedy-block"}) {
    const auto here = run_named(verifier, kToy, request);
    const auto mirrored = run_named(verifier, "bernoulli(draft=2/3,target=1/3)", request);
    CHECK(here.accepted_law == mirrored.accepted_law);
    CHECK(here.expected_tokens == mirrored.expected_tokens);
    CHECK(here.decode->rejections == mirrored.decode->rejections);
  }
}

TEST_CASE("expected tokens after i iterations") {
  ExactRequest request{.lengths = {.gamma = 2, .iterations = 4}};
  CHECK(run_named("block", kToy, request).expected_tokens ==
        Values{Rational(20, 9), Rational(40, 9), Rational(20, 3), Rational(80, 9)});
  CHECK(run_named("greedy-block", kToy, request).expected_tokens ==
        Values{Rational(7, 3), Rational(40, 9), Rational(59, 9), Rational(26, 3)});
  CHECK(run_named("token", kToy, request).expected_tokens ==
        Values{Rational(19, 9), Rational(38, 9), Rational(57, 9), Rational(76, 9)});
  CHECK(run_named("autoregressive", kToy, request).expected_tokens == Values{1, 2, 3, 4});
  request.lengths.gamma = 3;
  request.lengths.iterations = 3;
  CHECK(run_named("block", kToy, request).expected_tokens ==
        Values{Rational(8, 3), Rational(16, 3), Rational(8)});
  CHECK(run_named("greedy-block", kToy, request).expected_tokens ==
        Values{Rational(77, 27), Rational(437, 81), Rational(635, 81)});
}

TEST_CASE("tails of the accepted length are the sums over paths") {
  for (int gamma = 1; gamma <= 6; ++gamma) {
    const ExactRequest request{.lengths = {.gamma = gamma}};
    const Values token = tails(run_named("token", kToy, request));
    const Values block = tails(run_named("block", kToy, request));
    const Values greedy = tails(run_named("greedy-block", kToy, request));
    REQUIRE(token.size() == static_cast<std::size_t>(gamma) + 1);
    REQUIRE(block.size() == token.size());
    REQUIRE(greedy.size() == token.size());
    for (int i = 0; i <= gamma; ++i) {
      CAPTURE(gamma, i);
      const auto at = static_cast<std::size_t>(i);
      CHECK(token[at] == token_tail(i));
      CHECK(block[at] == block_tail(i));
      CHECK(greedy[at] == greedy_tail(i));
    }
  }
}

/// E_d of the least of 1, e^L_1, ..., e^L_i for i = 1..count, by the reflected walk
/// w_i = min(1, w_{i-1} e^step), w = 2^-k: its law in O(count^2).
std::vector<double> block_tails(int count) {
  std::vector<double> law{1};
  std::vector<double> result;
  for (int i = 0; i < count; ++i) {
    std::vector<double> after(law.size() + 1);
    for (std::size_t k = 0; k < law.size(); ++k) {
      after[k + 1] += law[k] * 2 / 3;
      after[k == 0 ? 0 : k - 1] += law[k] / 3;
    }
    law = std::move(after);
    double mean = 0;
    for (std::size_t k = 0; k < law.size(); ++k) mean += std::ldexp(law[k], -static_cast<int>(k));
    result.push_back(mean);
  }
  return result;
}

/// The overlap of the joint laws of i tokens for i = 1..count.
std::vector<double> greedy_tails(int count) {
  std::vector<double> zeros{1};  // law of the number of zeros under the draft
  std::vector<double> result;
  for (int i = 1; i <= count; ++i) {
    std::vector<double> after(zeros.size() + 1);
    for (std::size_t k = 0; k < zeros.size(); ++k) {
      after[k] += zeros[k] / 3;
      after[k + 1] += zeros[k] * 2 / 3;
    }
    zeros = std::move(after);
    double overlap = 0;
    for (std::size_t k = 0; k < zeros.size(); ++k) {
      const int surplus = i - 2 * static_cast<int>(k);  // e^L = 2^surplus
      overlap += surplus >= 0 ? zeros[k] : std::ldexp(zeros[k], surplus);
    }
    result.push_back(overlap);
  }
  return result;
}

TEST_CASE("the expected accepted length tends to 2, 8 and 5 as gamma grows") {
  // Every tail is at most (sum of sqrt(d t))^i = (2 sqrt(2) / 3)^i, so what is missing after n
  // terms is at most b^(n+1) / (1 - b).
  const double b = 2 * std::sqrt(2.0) / 3;
  constexpr int kTerms = 600;
  const double missing = std::pow(b, kTerms + 1) / (1 - b);
  REQUIRE(missing < 1e-12);
  const auto greedy = greedy_tails(kTerms);
  const auto block = block_tails(kTerms);
  double token_sum = 0;
  double greedy_sum = 0;
  double block_sum = 0;
  for (int i = 1; i <= kTerms; ++i) {
    const auto at = static_cast<std::size_t>(i) - 1;
    token_sum += std::pow(2.0 / 3, i);
    greedy_sum += greedy[at];
    block_sum += block[at];
    if (i != 4 && i != 9) continue;
    // The laboratory's own values lie on the way there.
    const ExactRequest request{.lengths = {.gamma = i}};
    CHECK(run_named<double>("token", kToy, request).expected_accepted == Approx(token_sum));
    CHECK(run_named<double>("greedy-block", kToy, request).expected_accepted == Approx(greedy_sum));
    CHECK(run_named<double>("block", kToy, request).expected_accepted == Approx(block_sum));
  }
  CHECK(std::abs(token_sum - 2) < 1e-10);
  CHECK(std::abs(greedy_sum - 8) < 1e-10);
  CHECK(std::abs(block_sum - 5) < 1e-10);
}

TEST_CASE("rejections and target calls without a bound on the draft") {
  ExactRequest request{.lengths = {.gamma = kUnbounded, .horizon = 2}};
  const auto token = *run_named("token", kToy, request).decode;
  CHECK(token.rejections == Rational(2, 3));
  CHECK(token.target_calls == Rational(4, 3));
  CHECK(token.tokens == 2);
  CHECK(run_named("block", kToy, request).decode->rejections == Rational(5, 9));
  request.lengths.horizon = 3;
  CHECK(run_named("token", kToy, request).decode->rejections == 1);
  CHECK(run_named("block", kToy, request).decode->rejections == Rational(7, 9));
}

TEST_CASE("a loop of single tokens calls the target once a token and rejects nothing") {
  const auto decode =
      *run_named("autoregressive", kToy, {.lengths = {.gamma = 5, .horizon = 4}}).decode;
  CHECK(decode.target_calls == 4);
  CHECK(decode.rejections == 0);
  CHECK(decode.tokens == 4);
}

}  // namespace
}  // namespace speclab::toy_test
