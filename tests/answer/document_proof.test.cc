// What `prove` prints, from made-up states of a proof.
#include <nlohmann/json.hpp>

#include "answer/documents/proof.h"
#include "catch.h"
#include "prove/proofs.h"
#include "report/report.h"

namespace speclab::proof_test {
namespace {

using Json = nlohmann::ordered_json;

/// Block verification for all i.i.d. pairs of two tokens, one drafted.
Theorem theorem(const std::string& property = "lossless") {
  return theorem_of("block", Contexts::iid, 2, 1, property);
}

/// So many cells that hold, branches to be taken and cells that were not decided.
ProofState state_of(std::size_t cells, std::size_t pending, std::size_t undecided) {
  ProofState state;
  state.cells.resize(cells);
  state.pending.resize(pending);
  state.undecided.resize(undecided);
  return state;
}

/// One with a pair on which the theorem fails: d = 1/3 and t = 3/4 of token 0.
ProofState refuted() {
  ProofState state = state_of(2, 1, 0);
  state.counterexample =
      Counterexample{{Rational(1, 3), Rational(3, 4)}, {"the law of (0): 1 > 0", {0, 1}}};
  return state;
}

/// What is said of a state, with what the exact interpreter says of the counterexample.
struct Said {
  std::string text;
  Json json;
};

Said said(ProofState state, std::optional<Confirmation> confirmation = {},
          const std::string& property = "lossless") {
  Prover prover(theorem(property), {});
  prover.resume(std::move(state));
  const ProofReport report{&prover, std::move(confirmation)};
  return {render(proof_document(report), Format::table),
          Json::parse(render(proof_document(report), Format::json)).at("results").at(0)};
}

ProofCertificate certificate(ProofState state) { return {theorem(), true, std::move(state), {}}; }

}  // namespace

TEST_CASE("a proof is proved, false, proved but for some cells, or not finished") {
  CHECK(said(state_of(7, 0, 0)).text.starts_with("proved for all pairs: 7 cells\n  block: "));
  CHECK(said(state_of(7, 0, 0)).json.at("verdict") == "proved");
  CHECK_THAT(said(state_of(7, 0, 2)).text,
             Containing("proved but for 2 cells undecided: 7 cells hold\n"));
  CHECK_THAT(said(state_of(7, 3, 2)).text,
             Containing("not finished: 7 cells hold, 2 undecided, 3 branches still to be taken\n"));
  const Json open = said(state_of(7, 3, 2)).json;
  CHECK(open.at("verdict") == "undecided");
  CHECK(open.at("undecided") == 2);
  CHECK(open.at("pending") == 3);
  CHECK(open.at("counterexample").is_null());
  CHECK_THAT(said(refuted()).text, Containing("false: smallest counterexample below\n"));
  CHECK(said(refuted()).json.at("verdict") == "false");
}

TEST_CASE("a proof for every draft length names the one of its counterexample") {
  const auto every = [](const ProofRun& run) {
    Prover prover({make_verifier("block"), TheoremProperty::lossless, std::nullopt,
                   AllPairs(Contexts::step, 2, AllPairs::kStepGamma)},
                  {});
    ProofState state = state_of(2, 1, 0);
    const Rational half(1, 2);
    state.counterexample = Counterexample{
        {half, Rational(1, 4), half, half, half, half, half, half}, {"the law", run}};
    prover.resume(std::move(state));
    const ProofReport report{&prover, std::nullopt};
    return Said{render(proof_document(report), Format::table),
                Json::parse(render(proof_document(report), Format::json)).at("results").at(0)};
  };
  const Said later = every({AllPairs::kForced, 2});
  CHECK_THAT(later.text,
             Containing("  block: lossless, for all pairs of 2 tokens, every draft length\n") &&
                 Containing("draft=[[0,1],[1/2,1/2],") && Containing("start=0)") &&
                 Containing("  draft length 2\n"));
  CHECK(later.json.at("gamma") == "all");
  CHECK(later.json.at("models") == "any");
  CHECK(later.json.at("counterexample").at("gamma") == 2);
  CHECK(later.json.at("counterexample").at("pair").at("target").at(0) == Json{"1/4", "3/4"});
  const Said first = every({AllPairs::kNode, 1});
  CHECK_THAT(first.text, Containing("start=1)") && Containing("  draft length 1\n"));
  CHECK(first.json.at("counterexample").at("pair").at("start") == 1);
}

TEST_CASE("what settled the cells is counted by its kind") {
  ProofState state = state_of(10, 0, 0);
  state.by_basis = {4, 3, 2, 1};
  state.queries = 12;
  CHECK_THAT(said(state).text,
             Containing("  identities, at random points of a field          4\n"
                        "  identities, at points on the cell's equalities   3\n"
                        "  by the signs of their factors                    2\n"
                        "  by the solver                                    1\n"
                        "  questions to the solver                         12\n"));
}

TEST_CASE("a counterexample is shown with its pair, confirmed by the exact law or not") {
  const Said alone = said(refuted());
  CHECK_THAT(
      alone.text,
      Containing("  the law of (0): 1 > 0\n  pair: iid(draft=[1/3,2/3],target=[3/4,1/4])\n"));
  CHECK_THAT(alone.text, !Containing("exact:"));
  CHECK(alone.json.at("counterexample").at("confirmation").is_null());
  CHECK(alone.json.at("counterexample").at("pair").at("draft") == Json::array({"1/3", "2/3"}));

  const Said lossless =
      said(refuted(), Confirmation{QuantityId::tv_to_target, Rational(1, 9), {}, true});
  CHECK_THAT(lossless.text, Containing("  exact: TV of 2 tokens to the target 1/9\n"));
  CHECK(lossless.json.at("counterexample").at("confirmation") ==
        Json{{"quantity", "output.tv_to_target"},
             {"value", "1/9"},
             {"other", nullptr},
             {"fails", true}});

  const Said hidden =
      said(refuted(), Confirmation{QuantityId::tv_to_target, Rational(0), {}, false});
  CHECK_THAT(hidden.text, Containing("to the target 0; a decode does not show the fault\n"));
  CHECK(hidden.json.at("counterexample").at("confirmation").at("fails") == false);

  const Said less = said(
      refuted(), Confirmation{QuantityId::expected_accepted, Rational(1, 3), Rational(1, 2), true},
      "at-least:token");
  CHECK_THAT(less.text, Containing("block: at-least:token, for all iid pairs of 2 tokens, draft "
                                   "length 1\n") &&
                            Containing("  exact: E[accepted] 1/3 against 1/2\n"));
  CHECK(less.json.at("counterexample").at("confirmation").at("quantity") ==
        "iteration.expected_accepted");
  CHECK(less.json.at("counterexample").at("confirmation").at("other") == "1/2");
}

TEST_CASE("a certificate that was checked says what stands without a sample and by the solver") {
  CertificateCheck found;
  found.cells = 9;
  const std::string plain =
      render(check_document(certificate(state_of(9, 0, 0)), found), Format::table);
  CHECK(plain ==
        "block: lossless, for all iid pairs of 2 tokens, draft length 1\n"
        "  9 cells are right: their samples meet their conditions, which decide every\n"
        "      comparison\n");
  found.without_sample = 2;
  found.covers = true;
  found.queries = 17;
  found.by_solver = 3;
  const std::string all =
      render(check_document(certificate(state_of(9, 0, 0)), found), Format::table);
  CHECK_THAT(all, Containing("  of 2 of them only irrational pairs are known, which are not in the "
                             "file\n"));
  CHECK_THAT(all, Containing("  on 3 of them an answer of the solver stands for the property\n"));
  CHECK_THAT(all, Containing("  the cells cover all pairs, if the solver's 17 answers of \"no "
                             "pair\" are right\n"));
  const Json json =
      Json::parse(render(check_document(certificate(state_of(9, 0, 0)), found), Format::json))
          .at("results")
          .at(0);
  CHECK(json.at("right") == true);
  CHECK(json.at("fault").is_null());
  CHECK(json.at("by_solver") == 3);
  CHECK(json.at("queries") == 17);
  CHECK(json.at("cover_checked") == true);
  CHECK(json.at("without_sample") == 2);
}

TEST_CASE("a certificate that is not finished is marked, and one that is wrong is nothing else") {
  CertificateCheck found;
  found.cells = 4;
  CHECK_THAT(render(check_document(certificate(state_of(4, 2, 0)), found), Format::table),
             Containing("  2 branches are not looked into and 0 cells undecided\n"));
  CHECK_THAT(render(check_document(certificate(state_of(4, 0, 3)), found), Format::table),
             Containing("  0 branches are not looked into and 3 cells undecided\n"));
  found.fault = "cell 1: its sample meets no condition";
  const ProofCertificate wrong = certificate(state_of(4, 1, 0));
  CHECK(render(check_document(wrong, found), Format::table) ==
        "block: lossless, for all iid pairs of 2 tokens, draft length 1\n"
        "  the certificate is wrong: cell 1: its sample meets no condition\n");
  const Json json =
      Json::parse(render(check_document(wrong, found), Format::json)).at("results").at(0);
  CHECK(json.at("right") == false);
  CHECK(json.at("fault") == found.fault);
  CHECK(json.at("pending") == 1);
}

}  // namespace speclab::proof_test
