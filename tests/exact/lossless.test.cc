// Every verifier that says it is lossless is, exactly, on awkward pairs; on random ones that is
// checked in rules_lossless.test.cc.
#include "catch.h"
#include "toy.h"

namespace speclab::lossless_test {
namespace {

/// The exact TV of the output to the target at a horizon, with the other sums that must hold.
Rational tv(const std::string& verifier, const std::string& pair, int gamma, int horizon) {
  const auto result =
      run_named(verifier, pair, {.lengths = {.gamma = gamma, .horizon = horizon}, .law = true});
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

TEST_CASE("trees that are wider than what there is to draw are lossless on awkward pairs") {
  for (const char* verifier : {"target-only(tree=3-1,draw=top)", "one-hot(tree=3-1,draw=top)",
                               "rrs-without(tree=3-1)", "traversal-without(tree=3-1)"}) {
    for (const std::string_view pair : kHardPairs) {
      CAPTURE(verifier, pair);
      CHECK(tv(verifier, std::string(pair), 2, 3) == 0);
    }
  }
}

TEST_CASE("equal models: nothing is rejected") {
  for (const char* verifier : {"token", "block", "greedy-block"}) {
    const auto result = run_named(verifier, "iid(draft=[2/3,1/3],target=[2/3,1/3])",
                                  {.lengths = {.gamma = 3, .horizon = 7}});
    CHECK(result.expected_accepted == 3);
    CHECK(result.decode->rejections == 0);
    CHECK(result.decode->target_calls == 2);
  }
}

TEST_CASE("disjoint models: everything is rejected") {
  for (const char* verifier : {"token", "block", "greedy-block"}) {
    const auto result = run_named(verifier, "iid(draft=[1,0],target=[0,1])",
                                  {.lengths = {.gamma = 3, .horizon = 5}});
    CHECK(result.expected_accepted == 0);
    CHECK(result.decode->rejections == 5);
    CHECK(result.decode->target_calls == 5);
  }
}

}  // namespace
}  // namespace speclab::lossless_test
