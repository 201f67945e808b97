// A proof by several threads: the same bytes for any number of them.
#include "prove/explore.h"

#include "catch.h"
#include "proofs.h"
#include "prove/certificate.h"
#include "system/interrupt_scope.h"

namespace speclab::dealt_proof_test {
namespace {

struct Case {
  const char* verifier;
  const char* property;
  Contexts contexts;
  Token vocabulary;
  int gamma;
};

/// All that is found, as text.
std::string found(const Case& asked, int threads) {
  Prover prover(
      theorem_of(asked.verifier, asked.contexts, asked.vocabulary, asked.gamma, asked.property),
      {});
  CHECK(explore(prover, {.threads = threads}) == ProofEnd::finished);
  std::string text = certificate_text(prover);
  if (const auto& counterexample = prover.state().counterexample) {
    for (const Rational& share : counterexample->point) text += to_text(share) + " ";
    text += counterexample->failure.detail;
  }
  return text + std::to_string(prover.error_bound());
}

// A proof of some tasks, one of a single task, and two theorems that do not hold.
constexpr Case kCases[] = {{"token", "lossless", Contexts::tree, 2, 2},
                           {"block", "lossless", Contexts::iid, 2, 1},
                           {"token", "at-least:block", Contexts::tree, 2, 2},
                           {"wrong-first-failure", "lossless", Contexts::tree, 2, 2}};

TEST_CASE("a proof is the same for any number of threads") {
  for (const Case& asked : kCases) {
    CAPTURE(asked.verifier, asked.property);
    const std::string alone = found(asked, 1);
    CHECK(found(asked, 2) == alone);
    CHECK(found(asked, 7) == alone);
  }
}

TEST_CASE("a proof in tasks covers every pair once") {
  Prover::Limits limits;
  limits.symmetry = false;
  Prover prover(theorem_of("rrs(K=2)", Contexts::iid, 3, 1), limits);
  int tasks = 0;
  const auto count = [&](const ProofState&, std::size_t) { ++tasks; };
  REQUIRE(explore(prover, {.threads = 2, .progress = count}) == ProofEnd::finished);
  CHECK(tasks > 3);
  REQUIRE(prover.verdict() == TheoremVerdict::proved);
  CHECK(misplaced(prover.theorem().family, prover.state().cells, prover.factors(), 5) == 0);
}

TEST_CASE("a proof in tasks that is cut short goes on to the end") {
  Prover prover(theorem_of("token", Contexts::tree, 2, 2), {});
  CHECK(explore(prover, {.seconds = 0}) == ProofEnd::out_of_time);
  CHECK(prover.state().cells.empty());
  CHECK(prover.state().pending.size() == 1);
  {
    const InterruptScope scope;  // clears the flag at its end
    const auto stop = [](const ProofState& state, std::size_t branches) {
      if (!state.cells.empty() && branches > 0) raise_interrupt();
    };
    CHECK(explore(prover, {.progress = stop}) == ProofEnd::interrupted);
  }
  const std::size_t before = prover.state().cells.size();
  CHECK(before > 0);
  CHECK_FALSE(prover.state().pending.empty());
  CHECK(explore(prover, {}) == ProofEnd::finished);
  CHECK(prover.verdict() == TheoremVerdict::proved);
  CHECK(prover.state().cells.size() > before);
}

}  // namespace
}  // namespace speclab::dealt_proof_test
