// Planted faults in other verifiers than their first: each changes what the verifier does.
#include <set>
#include <string>

#include "catch.h"
#include "toy.h"
#include "verifiers/faults/fault.h"
#include "wrong_pairs.h"

namespace speclab::faults_test {
namespace {

auto run_on(std::string_view verifier, std::string_view pair) {
  return run_named(std::string(verifier), pair,
                   {.lengths = {.gamma = 2, .horizon = 4, .iterations = 1}});
}

constexpr std::string_view kSureDraft = "iid(draft=[1,0],target=[1/2,1/2])";
/// A filter of the two likeliest drafts leaves the last token out.
constexpr std::string_view kUneven = "iid(draft=[1/2,3/8,1/8],target=[1/5,3/10,1/2])";

TEST_CASE("a fault in another verifier shows in an exact law") {
  std::set<std::string> idle;
  int planted = 0;
  for (const VerifierInfo& row : verifier_rows()) {
    if (row.kind != VerifierKind::lossless) continue;
    const Verifier right = make_verifier(row.example);
    for (const std::string& text : faults_in(right)) {
      ++planted;
      bool shown = false;
      for (const std::string_view pair : {kToy, kThree, kTree, kSureDraft, kUneven}) {
        const auto wrong = run_on(text, pair);
        const auto meant = run_on(right.name, pair);
        shown = shown || wrong.decode->tv_to_target > 0 ||
                wrong.accepted_law != meant.accepted_law ||
                wrong.expected_tokens != meant.expected_tokens;
      }
      if (!shown) idle.insert(text);
    }
  }
  CHECK(planted >= 40);
  // These show where a coin is 0: see wrong_coins.test.cc.
  for (const std::string& text : idle) {
    CAPTURE(text);
    CHECK(text.rfind("wrong-closed-coin", 0) == 0);
  }
}

}  // namespace
}  // namespace speclab::faults_test
