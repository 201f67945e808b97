// Claims that are proved for all pairs of a size: what the evidence says, and that a fault turns
// it.
#include "base/text.h"
#include "catch.h"
#include "claims/engine/examination.h"
#include "claims/engine/registry.h"
#include "prove/theorem.h"

namespace speclab::for_all_pairs_test {
namespace {

constexpr ClaimContext kThorough{.effort = Effort::thorough};

Comparisons nothing_wrong(const Instance& instance) {
  return {{"E[tau] of token", accepted("token", instance), Order::at_least, Rational(0)}};
}

/// A claim that holds on the toy pair, whatever its proof says.
ClaimRow row_with(const ForAllPairs& proof) {
  ClaimRow row{.id = "test.proved",
               .source = "here",
               .statement = "as the proof says",
               .hypotheses = "none",
               .check = nothing_wrong,
               .places = {NamedPair{kToy, 1}}};
  row.proofs = {{proof}};
  return row;
}

const Evidence* proof_in(const ClaimResult& result) {
  for (const Evidence& evidence : result.evidence) {
    if (evidence.method == Method::proof) return &evidence;
  }
  return nullptr;
}

TEST_CASE("a theorem that holds is evidence with its cells and only at the full effort") {
  const ClaimRow row = row_with({.verifier = "token", .gamma = 2});
  const ClaimResult result = run_claim(row, kThorough);
  CHECK(result.verdict == ClaimVerdict::holds);
  const Evidence* proof = proof_in(result);
  REQUIRE(proof != nullptr);
  CHECK(proof->pair == "all iid pairs of 2 tokens, gamma 2");
  CHECK(proof->cells == 7U);
  CHECK(proof->detail.starts_with("proved for all pairs, token lossless: 7 cells"));
  CHECK(proof_in(run_claim(row, {.effort = Effort::quick})) == nullptr);
  CHECK(proof_in(run_claim(row, {})) == nullptr);
}

TEST_CASE("a planted fault turns the proof into a refutation") {
  for (const ForAllPairs& planted :
       {ForAllPairs{.verifier = "wrong-first-failure"}, ForAllPairs{.verifier = "wrong-flat-carry"},
        ForAllPairs{.verifier = "token", .property = "at-least:block"},
        ForAllPairs{.verifier = "block", .property = "equals:token"},
        ForAllPairs{.verifier = "spectr-gbv(K=2)", .property = "predicts:lin2026.theorem5.3"}}) {
    CAPTURE(planted.text());
    const ClaimResult result = run_claim(row_with(planted), kThorough);
    CHECK(result.verdict == ClaimVerdict::refuted);
    const Evidence* proof = proof_in(result);
    REQUIRE(proof != nullptr);
    CHECK(proof == &result.evidence.front());
    CHECK(proof->pair.starts_with("iid(draft=["));
    CHECK(proof->detail.starts_with("violated, gamma=2: "));
  }
}

TEST_CASE("what cannot be proved is said and decides nothing") {
  const ClaimResult result = run_claim(row_with({.verifier = "kseq(K=2)"}), kThorough);
  CHECK(result.verdict == ClaimVerdict::holds);
  const Evidence* proof = proof_in(result);
  REQUIRE(proof != nullptr);
  CHECK(proof->detail.starts_with("not proved, kseq(K=2) lossless: "));
  CHECK_FALSE(proof->cells.has_value());
}

TEST_CASE("the theorems that claims name can be asked") {
  int asked = 0;
  for (const ClaimRow& row : claim_rows()) {
    for (const ForAllPairs& proof : row.proofs) {
      if (proof.verifier.empty()) continue;
      CAPTURE(row.id, proof.text());
      Theorem theorem{make_verifier(proof.verifier), TheoremProperty::lossless, std::nullopt,
                      AllPairs(proof.contexts, proof.vocabulary, proof.gamma)};
      CHECK_NOTHROW(read_property(std::string(proof.property), theorem));
      CHECK_NOTHROW(check_provable(theorem));
      CHECK(join(row.checked_on(), "; ").find(proof.text()) != std::string::npos);
      ++asked;
    }
  }
  CHECK(asked > 20);
}

}  // namespace
}  // namespace speclab::for_all_pairs_test
