// Expected acceptance against the closed forms of the papers, for all pairs of a size.
#include "prove/closed_forms.h"

#include <algorithm>

#include "answer/proofs.h"
#include "base/error.h"
#include "catch.h"
#include "message_of.h"
#include "proofs.h"
#include "theory/predictions.h"

namespace speclab::closed_forms_test {
namespace {

TEST_CASE("closed forms hold for all pairs or are refuted and exact fractions confirm it") {
  struct Asked {
    const char* verifier;
    const char* claim;
    Contexts contexts;
    int gamma;
    bool holds = true;
  };
  for (const Asked& asked :
       {Asked{"token", "sun2024.theorem2", Contexts::iid, 3},
        {"token", "sun2024.theorem2", Contexts::tree, 1},
        {"block", "sun2025.lemma3", Contexts::iid, 3},
        {"greedy-block", "sun2024.theorem1", Contexts::iid, 2},
        {"sample-match", "miao2023.sample_match", Contexts::iid, 2},
        {"sample-match(draft=argmax)", "miao2023.sample_match", Contexts::iid, 1},
        {"target-only(K=2)", "miao2023.target_only", Contexts::iid, 2},
        {"spectr-coupled(K=2)", "lin2026.equation5", Contexts::iid, 1},
        {"traversal(K=2)", "speclab.traversal.tau", Contexts::tree, 2},
        {"traversal(K=3)", "speclab.traversal.tau", Contexts::iid, 2},
        {"slot-block(K=2)", "slot-block.tau", Contexts::iid, 2},
        {"token", "speclab.text-identity.token", Contexts::iid, 3},
        {"token", "speclab.text-identity.token", Contexts::tree, 2},
        {"block", "speclab.text-identity.block", Contexts::iid, 3},
        {"block", "speclab.text-identity.block", Contexts::tree, 2},
        {"sample-match", "speclab.text-identity.match", Contexts::tree, 2},
        {"target-only(K=2)", "speclab.text-identity.target-only", Contexts::iid, 2},
        {"sample-match(draft=argmax)", "speclab.text-identity.match", Contexts::iid, 1, false},
        {"spectr-gbv(K=2)", "lin2026.theorem5.3", Contexts::iid, 1, false}}) {
    CAPTURE(asked.verifier, asked.claim);
    Prover prover(theorem_of(asked.verifier, asked.contexts, 2, asked.gamma,
                             std::string("predicts:") + asked.claim),
                  {});
    finish(prover);
    CHECK(prover.verdict() == (asked.holds ? TheoremVerdict::proved : TheoremVerdict::refuted));
    if (asked.holds) continue;
    REQUIRE(prover.state().counterexample);
    Bench bench;
    const auto found = confirm(bench, prover.theorem(), *prover.state().counterexample);
    CHECK(found.fails);
    CHECK(found.value != *found.other);
  }
}

TEST_CASE("a closed form that is another verifier's or of one pair alone is refused") {
  const auto refused = [](const char* verifier, const char* property) {
    return message_of([&] { theorem_of(verifier, Contexts::iid, 2, 1, property); });
  };
  CHECK(refused("block", "predicts:sun2024.theorem2")
            .starts_with("'sun2024.theorem2' gives no E[tau] of block"));
  CHECK(refused("kseq(K=2)", "predicts:sun2023.acceptance").find("sun2025.lemma3 (block)") !=
        std::string::npos);
  // Refused where the form is evaluated: it is of two drafts.
  Prover three(theorem_of("slot-block(K=3)", Contexts::iid, 2, 1, "predicts:slot-block.tau"), {});
  CHECK_THROWS_AS(finish(three), InputError);
  CHECK(refused("token", "predicts:nobody").starts_with("'nobody' is not a closed form"));
}

TEST_CASE("every closed form that can be proved is a prediction or a mean over texts") {
  constexpr std::string_view kOverTexts = "speclab.text-identity.";
  const auto rows = prediction_rows();
  for (const ClosedForm& form : closed_forms()) {
    CAPTURE(form.claim);
    CHECK(find_verifier(form.verifier) != nullptr);
    if (form.claim.starts_with(kOverTexts)) continue;
    CHECK(std::any_of(rows.begin(), rows.end(),
                      [&](const PredictionRow& row) { return row.claim == form.claim; }));
  }
}

}  // namespace
}  // namespace speclab::closed_forms_test
