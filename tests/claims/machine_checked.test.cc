// Theorems that Coq checked: their names are in proofs/, and their claims are known.
#include "claims/engine/machine_checked.h"

#include <regex>
#include <set>
#include <string>

#include "catch.h"
#include "claims/engine/registry.h"
#include "slurp.h"

namespace speclab::machine_checked_test {

TEST_CASE("every machine-checked theorem is in its file, and its claims are claims") {
  std::set<std::string_view> ids;
  for (const ClaimRow& claim : claim_rows()) ids.insert(claim.id);
  REQUIRE(!machine_checked_theorems().empty());
  for (const MachineChecked& theorem : machine_checked_theorems()) {
    CAPTURE(theorem.file, theorem.theorem);
    const std::string text =
        slurp(SPECLAB_SOURCE_DIR "/proofs/" + std::string(theorem.file) + ".v");
    const std::regex name("(^|\n)(Theorem|Corollary|Lemma) " + std::string(theorem.theorem) +
                          "[^A-Za-z0-9_']");
    CHECK(std::regex_search(text, name));
    for (const std::string_view claim : theorem.claims) {
      CAPTURE(claim);
      CHECK(ids.contains(claim));
    }
  }
}

TEST_CASE("a claim names its theorems") {
  CHECK(machine_checked_text("sun2025.theorem1") ==
        "proved for all pairs: proofs/block.v block_lossless");
  CHECK(machine_checked_text("sun2025.theorem2") ==
        "printed statement refuted: proofs/refuted.v theorem2_refuted");
  CHECK(machine_checked_links("sun2025.theorem2", "..") ==
        "printed statement refuted: [`theorem2_refuted`](../proofs/refuted.v)");
  CHECK(machine_checked_text("no.claim").empty());
}

TEST_CASE("what is proved for all pairs holds, and what is refuted does not") {
  int proved = 0, refuted = 0;
  for (const ClaimRow& claim : claim_rows()) {
    for (const MachineChecked* theorem : machine_checked(claim.id)) {
      CAPTURE(claim.id, theorem->theorem);
      CHECK((claim.recorded == ClaimVerdict::holds) == !theorem->refutes);
      ++(theorem->refutes ? refuted : proved);
    }
  }
  CHECK(proved > 10);
  CHECK(refuted > 0);
}

}  // namespace speclab::machine_checked_test
