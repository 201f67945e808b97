// Every verifier that says it is lossless is, exactly, on random and on awkward pairs.
#include <fmt/format.h>

#include "catch.h"
#include "greedy_carry.h"
#include "toy.h"

namespace speclab::lossless_test {
namespace {

/// The exact TV of the output to the target at a horizon, with the other sums that must hold.
Rational tv(const std::string& verifier, const std::string& pair, int gamma, int horizon) {
  ExactRequest request;
  request.lengths.gamma = gamma;
  request.lengths.horizon = horizon;
  request.law = true;
  const auto result = run_named(verifier, pair, request);
  Rational accepted(0);
  for (const Rational& share : result.accepted_law) accepted += share;
  CHECK(accepted == 1);
  Rational law(0);
  for (const auto& [tokens, probability] : result.decode->law) law += probability;
  CHECK(law == 1);
  CHECK(result.undefined_mass == 0);
  CHECK(result.decode->undefined_mass == 0);
  return result.decode->tv_to_target;
}

/// Random trees whose laws differ at every position up to the horizon gamma + 2.
std::string random_tree(int vocabulary, int gamma, int seed) {
  return fmt::format("tree(vocabulary={},depth={},seed={})", vocabulary, gamma + 1, seed);
}

TEST_CASE("fifty random trees with zeros: the output's law is the target's") {
  for (int seed = 1; seed <= 50; ++seed) {
    for (const int vocabulary : {2, 3}) {
      for (int gamma = 1; gamma <= 3; ++gamma) {
        const std::string pair = random_tree(vocabulary, gamma, seed);
        for (const char* verifier : {"autoregressive", "token", "block", "greedy-block"}) {
          CAPTURE(pair, gamma, verifier);
          CHECK(tv(verifier, pair, gamma, gamma + 2) == 0);
        }
      }
    }
  }
}

TEST_CASE("the random trees distinguish a missing and a flat carry from a nested one") {
  int none = 0;
  int flat = 0;
  for (int seed = 1; seed <= 50; ++seed) {
    ExactRequest request;
    request.lengths.gamma = 3;
    request.lengths.horizon = 5;
    const std::string pair = random_tree(3, 3, seed);
    none += run_program(Greedy<Carry::none>{}, pair, request).decode->tv_to_target > 0;
    flat += run_program(Greedy<Carry::flat>{}, pair, request).decode->tv_to_target > 0;
  }
  CHECK(none >= 30);
  CHECK(flat >= 30);
}

TEST_CASE("the random trees have zeros in both laws") {
  int draft_misses = 0;
  int target_misses = 0;
  for (int seed = 1; seed <= 50; ++seed) {
    const Rows<Rational> rows(make_pair(random_tree(3, 1, seed)));
    for (State state = 0; state < rows.pair().states(); ++state) {
      for (std::size_t x = 0; x < rows.draft(state).size(); ++x) {
        const bool drafted = rows.draft(state)[x] > 0;
        const bool wanted = rows.target(state)[x] > 0;
        draft_misses += wanted && !drafted;
        target_misses += drafted && !wanted;
      }
    }
  }
  CHECK(draft_misses > 100);
  CHECK(target_misses > 100);
}

TEST_CASE("every lossless verifier of the registry is lossless on awkward pairs") {
  int rows = 0;
  for (const VerifierInfo& row : verifier_rows()) {
    if (row.kind != VerifierKind::lossless) continue;
    ++rows;
    for (const std::string_view pair : kHardPairs) {
      for (const int gamma : {1, 2, kUnbounded}) {
        CAPTURE(row.name, pair, gamma);
        CHECK(tv(std::string(row.example), std::string(pair), gamma, 3) == 0);
      }
    }
  }
  CHECK(rows >= 4);
}

TEST_CASE("equal models: nothing is rejected") {
  for (const char* verifier : {"token", "block", "greedy-block"}) {
    ExactRequest request;
    request.lengths.gamma = 3;
    request.lengths.horizon = 7;
    const auto result = run_named(verifier, "iid(draft=[2/3,1/3],target=[2/3,1/3])", request);
    CHECK(result.expected_accepted == 3);
    CHECK(result.decode->rejections == 0);
    CHECK(result.decode->target_calls == 2);
  }
}

TEST_CASE("disjoint models: everything is rejected") {
  for (const char* verifier : {"token", "block", "greedy-block"}) {
    ExactRequest request;
    request.lengths.gamma = 3;
    request.lengths.horizon = 5;
    const auto result = run_named(verifier, "iid(draft=[1,0],target=[0,1])", request);
    CHECK(result.expected_accepted == 0);
    CHECK(result.decode->rejections == 5);
    CHECK(result.decode->target_calls == 5);
  }
}

}  // namespace
}  // namespace speclab::lossless_test
