// Every wrong verifier of one draft is refuted for all pairs of a small size, by a pair on which
// the exact law fails too; or it is said why its fault leaves no trace there.
#include <set>

#include "answer/proofs.h"
#include "base/error.h"
#include "catch.h"
#include "proofs.h"

namespace speclab::wrong_test {
namespace {

struct Trace {
  const char* verifier;
  Contexts contexts;
  Token vocabulary;
  int gamma;
  const char* property = "lossless";
  const char* none = "";     ///< why there is no trace: the theorem is proved
  const char* refused = "";  ///< why it cannot be run: the prover refuses it
};

constexpr const char* kRounds = "it rounds probabilities or takes their logarithms";

const std::vector<Trace> kTraces{
    {"wrong-always-accept", Contexts::iid, 2, 1},
    {"wrong-greedy-draft", Contexts::iid, 2, 1},
    {"wrong-shared-uniform", Contexts::iid, 3, 1},
    {"wrong-reseeded-coins", Contexts::iid, 2, 2},
    {"wrong-closed-coin", Contexts::iid, 2, 2, "lossless",
     "the tests differ where a coin is the acceptance probability itself, of probability 0"},
    {"wrong-token-zero", Contexts::iid, 2, 1},
    {"wrong-one-hot-residual", Contexts::iid, 3, 1},
    {"wrong-no-draft-law", Contexts::iid, 2, 1},
    {"wrong-no-bonus", Contexts::iid, 2, 2, "lossless",
     "what it emits is right; it emits a token less, which neither the law nor E[tau] shows"},
    {"wrong-draft-bonus", Contexts::iid, 2, 1},
    {"wrong-late-residual", Contexts::tree, 2, 1},
    {"wrong-correction-accepted", Contexts::iid, 2, 1, "equals:token"},
    {"wrong-drawn-draft(by=rounded)", Contexts::iid, 2, 1, "lossless", "", kRounds},
    {"wrong-filtered-law(model=target)", Contexts::iid, 3, 1},
    {"wrong-filtered-law(model=draft)", Contexts::iid, 3, 1},
    {"wrong-late-rejection", Contexts::iid, 2, 1},
    {"wrong-late-stop(theta=1/2)", Contexts::iid, 2, 1},
    {"wrong-frozen-target", Contexts::tree, 2, 1},
    {"wrong-coin-product", Contexts::iid, 2, 2, "lossless", "", kRounds},
    {"wrong-weight-coins", Contexts::iid, 2, 2},
    {"wrong-block-residual(weight=none)", Contexts::iid, 3, 2},
    {"wrong-block-residual(weight=first)", Contexts::iid, 2, 2, "lossless",
     "w_1 is the weight of tau = 1, and a correction after tau = 2 needs gamma 3"},
    {"wrong-first-failure", Contexts::iid, 2, 2},
    {"wrong-no-carry", Contexts::iid, 2, 2},
    {"wrong-flat-carry", Contexts::iid, 2, 2},
};

TEST_CASE("every wrong verifier of one draft has its row") {
  std::set<std::string> listed;
  for (const VerifierInfo& row : verifier_rows()) {
    if (row.kind != VerifierKind::wrong) continue;
    if (make_verifier(row.example).drafts == 1) listed.insert(std::string(row.name));
  }
  std::set<std::string> here;
  for (const Trace& trace : kTraces) here.insert(parse_spec(trace.verifier).name);
  CHECK(listed == here);
}

TEST_CASE("wrong verifiers of one draft are refuted and exact fractions confirm it") {
  Bench bench;
  for (const Trace& trace : kTraces) {
    if (*trace.none != '\0' || *trace.refused != '\0') continue;
    CAPTURE(trace.verifier, trace.vocabulary, trace.gamma);
    Prover prover(
        theorem_of(trace.verifier, trace.contexts, trace.vocabulary, trace.gamma, trace.property),
        {});
    finish(prover);
    REQUIRE(prover.verdict() == TheoremVerdict::refuted);
    CHECK(confirm(bench, prover.theorem(), *prover.state().counterexample).fails);
  }
}

TEST_CASE("wrong verifiers without a trace are proved and those that round are refused") {
  for (const Trace& trace : kTraces) {
    const auto prove = [&] {
      Prover prover(theorem_of(trace.verifier, trace.contexts, trace.vocabulary, trace.gamma), {});
      finish(prover);
      return prover.verdict();
    };
    CAPTURE(trace.verifier);
    if (*trace.none != '\0') CHECK(prove() == TheoremVerdict::proved);
    if (*trace.refused != '\0') CHECK_THROWS_AS(prove(), InputError);
  }
}

}  // namespace
}  // namespace speclab::wrong_test
