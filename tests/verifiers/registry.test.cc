#include "verifiers/registry.h"

#include <set>
#include <string>

#include "base/error.h"
#include "catch.h"
#include "verifiers/several/batch.h"

namespace speclab::registry_test {
namespace {

TEST_CASE("every row of the registry is complete, names itself and makes what it names") {
  CHECK(all_verifier_rows().size() == listed_verifiers().size());
  std::set<std::string_view> names;
  for (const VerifierInfo& row : all_verifier_rows()) {
    CAPTURE(row.name);
    CHECK(names.insert(row.name).second);
    CHECK_FALSE(row.prose.empty());
    CHECK(row.source.empty() == (row.kind == VerifierKind::wrong));
    if (row.kind == VerifierKind::wrong) CHECK_FALSE(row.fault_of.empty());
    if (row.kind == VerifierKind::lossless) CHECK(row.fault_of.empty());
    CHECK_FALSE(kind_name(row.kind).empty());
    const Verifier verifier = make_verifier(row.example);
    CHECK(verifier.info == &row);
    CHECK(find_verifier(row.name) == &row);
    // The canonical form reads back as itself.
    CHECK(make_verifier(verifier.name).name == verifier.name);
    CHECK(verifier.name.substr(0, row.name.size()) == row.name);
  }
}

TEST_CASE("the single-draft verifiers exist") {
  for (const char* name : {"autoregressive", "token", "block", "greedy-block"}) {
    const Verifier verifier = make_verifier(name);
    CHECK(verifier.name == name);
    CHECK(verifier.info->kind == VerifierKind::lossless);
  }
}

TEST_CASE("a verifier's program is found under its own type alone") {
  const Verifier batch = make_verifier("batch(M=3)");
  REQUIRE(program_as<BatchVerification>(batch) != nullptr);
  CHECK(program_as<BatchVerification>(batch)->drafts == 3);
  CHECK(program_as<BatchPrinted>(batch) == nullptr);
  CHECK(program_as<TokenVerification>(batch) == nullptr);
}

TEST_CASE("the number of drafts is a field, whatever the parameter is called") {
  CHECK(make_verifier("autoregressive").drafts == 0);
  CHECK(make_verifier("token").drafts == 1);
  CHECK(make_verifier("batch(M=4)").drafts == 4);
  CHECK(make_verifier("kseq(K=3)").drafts == 3);
  CHECK(make_verifier("wrong-swapped-rows").drafts == 2);
  for (const VerifierInfo& row : all_verifier_rows()) {
    CAPTURE(row.name);
    if (row.drafts.empty()) continue;
    const std::string name(row.name);
    CHECK(make_verifier(name + "(" + std::string(row.drafts) + "=5)").drafts == 5);
  }
}

TEST_CASE("drafts from the draft's law alone are distinguished from others") {
  for (const char* text :
       {"token", "rrs(K=2)", "sample-match", "target-only(K=2)", "canonical(K=2)"}) {
    CAPTURE(text);
    CHECK(make_verifier(text).drafts_iid);
  }
  for (const char* text : {"sample-match(draft=argmax)", "rrs-without(K=2)",
                           "target-only(tree=2-1,draw=top)", "one-hot(tree=2,draw=without)"}) {
    CAPTURE(text);
    CHECK_FALSE(make_verifier(text).drafts_iid);
  }
  CHECK(make_verifier("rrs-without(tree=3-2)").drafts == 6);
  CHECK(make_verifier("canonical(K=2)").drafts == 2);
}

TEST_CASE("a faulty verifier names the correct one, which takes as many drafts") {
  for (const VerifierInfo& row : all_verifier_rows()) {
    CAPTURE(row.name);
    const Verifier verifier = make_verifier(row.example);
    const Verifier right = correct_counterpart(verifier);
    CHECK(right.drafts == verifier.drafts);
    if (!row.fault_of.empty()) {
      CHECK(right.info->kind == VerifierKind::lossless);
      CHECK(right.name == row.fault_of);
    } else {
      CHECK(right.name == verifier.name);
    }
  }
  CHECK(correct_counterpart(make_verifier("wrong-sibling-draft(K=7)")).name == "batch(M=7)");
}

TEST_CASE("rational arithmetic is exact except for irrational roots and logarithms") {
  std::set<std::string_view> rounded;
  for (const VerifierInfo& row : all_verifier_rows()) {
    if (!row.exact) rounded.insert(row.name);
  }
  CHECK(rounded == std::set<std::string_view>{"ascend-block", "kseq", "wrong-coin-product"});
}

TEST_CASE("a row with an existing name is refused") {
  CHECK_THROWS_WITH(add_verifier(*find_verifier("token")), Containing("'token' exists already"));
}

TEST_CASE("an unknown verifier is named, with a near match") {
  CHECK_THROWS_AS(make_verifier("blocks"), InputError);
  CHECK_THROWS_WITH(make_verifier("blocks"), Containing("did you mean 'block'?"));
  CHECK_THROWS_WITH(make_verifier("gredy-block"), Containing("did you mean 'greedy-block'?"));
  CHECK_THROWS_WITH(make_verifier("zzzzzz"),
                    Catch::Matchers::StartsWith("unknown verifier 'zzzzzz'; "));
  CHECK_THROWS_WITH(make_verifier(std::string(100000, 'x')), Containing("xxx"));
}

TEST_CASE("unknown parameters of a verifier are refused") {
  CHECK_THROWS_WITH(make_verifier("token(K=2)"), Containing("unknown parameter 'K'"));
  CHECK_THROWS_AS(make_verifier("block(1)"), InputError);
  CHECK_THROWS_AS(make_verifier("greedy-block(gamma=3)"), InputError);
  CHECK_THROWS_AS(make_verifier(""), InputError);
  CHECK_THROWS_AS(make_verifier("token("), InputError);
}

}  // namespace
}  // namespace speclab::registry_test
