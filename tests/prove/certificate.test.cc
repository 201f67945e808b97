// Certificates: those of all theorems are right, and those that were changed are not.
#include "prove/certificate.h"

#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "catch.h"
#include "proofs.h"
#include "prove/algebra_limits.h"
#include "prove/explore.h"
#include "system/interrupt_scope.h"

namespace speclab::certificate_test {
namespace {

using Json = nlohmann::json;

struct Size {
  const char* verifier;
  Contexts contexts;
  Token vocabulary;
  int gamma;
  double seconds;
};

CertificateCheck check(const Json& document) {
  return check_certificate(read_certificate(document.dump(), "here"));
}

/// Proves what it can in some time; its certificate is right, finished or not.
/// @returns whether the theorem was proved
bool proved_and_checked(const Size& size, const std::string& property = "lossless") {
  Prover prover(theorem_of(size.verifier, size.contexts, size.vocabulary, size.gamma, property),
                {});
  explore(prover, {.seconds = size.seconds, .threads = 1});
  const bool proved = prover.verdict() == TheoremVerdict::proved;
  const CertificateCheck checked =
      check_certificate(read_certificate(certificate_text(prover), "here"));
  CAPTURE(size.verifier, size.vocabulary, size.gamma, property);
  CHECK(checked.fault == "");
  CHECK(checked.cells == prover.state().cells.size());
  CHECK(checked.by_solver == prover.state().by_basis[static_cast<std::size_t>(Basis::solver)]);
  CHECK(checked.covers == proved);
  return proved;
}

TEST_CASE("what a proof found is read after a signal too") {
  const Prover prover(theorem_of("token", Contexts::iid, 2, 1), {});
  ProofState state;
  state.pending.resize(10'000);  // as many lists in the text: reading polls on the way
  const std::string text = certificate_text(prover, state, /*queries=*/false);
  const InterruptScope scope;
  raise_interrupt();
  CHECK_THROWS_AS(read_certificate(text, "here"), Error);
  const WithoutPolls storing;
  CHECK(read_certificate(text, "here").state.pending.size() == 10'000);
}

TEST_CASE("the certificate of every verifier is right") {
  std::set<std::string> proved;
  int refused = 0;
  for (const VerifierInfo& row : verifier_rows()) {
    const std::string example(row.example);
    try {
      check_provable(theorem_of(example, Contexts::iid, 2, 2));
    } catch (const InputError&) {
      ++refused;
      continue;
    }
    for (const int gamma : {1, 2}) {
      const Size size{example.c_str(), Contexts::iid, 2, gamma, 0.3};
      try {
        if (proved_and_checked(size)) proved.insert(std::string(row.name));
      } catch (const InputError&) {  // it rounds
        ++refused;
      }
    }
  }
  CHECK(refused > 3);
  for (const char* name : {"token", "block", "greedy-block", "rrs", "traversal", "slot-block",
                           "sample-match", "target-only", "naive-tree", "spectr-coupled"}) {
    CAPTURE(name);
    CHECK(proved.contains(name));
  }
}

TEST_CASE("certificates of larger sizes and of other properties are right") {
  // What a run compares depends on the polynomials that its table has; a table that other cells
  // fill gives the first four other comparisons when they are checked.
  for (const Size& size : {Size{"block", Contexts::tree, 2, 2, 1},
                           {"block", Contexts::iid, 3, 2, 1},
                           {"slot-block(K=2)", Contexts::iid, 2, 2, 1},
                           {"traversal(K=2)", Contexts::tree, 3, 1, 1},
                           {"token", Contexts::tree, 2, 2, 1},
                           {"greedy-block", Contexts::iid, 2, 3, 1}}) {
    proved_and_checked(size);
  }
  CHECK(proved_and_checked({"block", Contexts::iid, 2, 3, 30}, "at-least:token"));
  CHECK(proved_and_checked({"token", Contexts::iid, 2, 3, 30}, "predicts:sun2024.theorem2"));
  CHECK_FALSE(proved_and_checked({"token", Contexts::iid, 2, 2, 30}, "at-least:block"));
}

/// The certificate of a theorem as JSON.
Json certificate_of(const char* verifier, const std::string& property = "lossless") {
  Prover prover(theorem_of(verifier, Contexts::iid, 2, 2, property), {});
  finish(prover);
  return Json::parse(certificate_text(prover));
}

TEST_CASE("a certificate whose cells were changed is wrong") {
  const Json good = certificate_of("block");
  REQUIRE(check(good).fault == "");
  // Each condition has its opposite, n places after it.
  Json with_opposites = good;
  const std::size_t n = good.at("conditions").size();
  for (const Json& condition : good.at("conditions")) {
    auto text = condition.get<std::string>();
    text[text.find_first_of("<>=!")] = text.find('<') != std::string::npos ? '>' : '<';
    with_opposites["conditions"].push_back(text);
  }
  REQUIRE(check(with_opposites).fault == "");
  const auto wrong = [&](std::size_t i, const auto& change) {
    CAPTURE(i);
    Json changed = with_opposites;
    change(changed["cells"][i]);
    CHECK(check(changed).fault != "");
  };
  for (std::size_t i = 0; i < good.at("cells").size(); ++i) {
    wrong(i, [](Json& cell) { cell["sample"] = {"7/11", "3/13"}; });  // outside the order
    for (const char* key : {"branch", "comparisons"}) {
      if (good.at("cells")[i][key].empty()) continue;
      wrong(i, [&](Json& cell) { cell[key].erase(0); });
      wrong(i, [&](Json& cell) { cell[key].erase(cell[key].size() - 1); });
      wrong(i, [&](Json& cell) { cell[key].push_back(cell[key][0]); });
      wrong(i, [&](Json& cell) { cell[key][0] = cell[key][0].get<std::size_t>() + n; });
    }
  }
}

TEST_CASE("a certificate whose tree was changed is wrong") {
  const Json good = certificate_of("block");
  for (const char* key : {"cells", "empty"}) {
    for (std::size_t i = 0; i < good.at(key).size(); ++i) {
      CAPTURE(key, i);
      Json missing = good;
      missing[key].erase(i);
      CHECK_THAT(check(missing).fault, Containing("a branch of"));
      Json twice = good;
      twice[key].push_back(good.at(key)[i]);
      CHECK_THAT(check(twice).fault, Containing("given twice"));
    }
  }
  // A cell with branches below it cannot be called empty; one without can, to be seen by a solver.
  Json called_empty = good;
  called_empty["empty"].push_back({{"branch", good.at("cells")[0].at("branch")}});
  called_empty["cells"].erase(0);
  CHECK_THAT(check(called_empty).fault, Containing("is that of no comparison"));
  Json other_query = good;
  other_query["empty"][0]["query"] = good.at("empty")[1]["query"];
  CHECK_THAT(check(other_query).fault, Containing("the query of the empty branch 1"));
}

TEST_CASE("a certificate of another theorem is wrong") {
  const Json good = certificate_of("block");
  Json other = good;
  other["verifier"] = "wrong-first-failure";
  CHECK(check(other).fault != "");
  other["verifier"] = "token";
  CHECK(check(other).fault != "");
  Json property = good;
  property["property"] = "equals:token";
  CHECK(check(property).fault != "");
  const Json bound = certificate_of("block", "at-least:token");
  REQUIRE(check(bound).by_solver > 0);
  for (std::size_t i = 0; i < bound.at("cells").size(); ++i) {
    if (bound.at("cells")[i]["excluded"].empty()) continue;
    Json less = bound;
    less["cells"][i]["excluded"].erase(0);
    CHECK_THAT(check(less).fault, Containing("follows from no identity"));
    Json more = bound;
    more["cells"][i]["excluded"].push_back(bound.at("cells")[i]["excluded"][0]);
    CHECK_THAT(check(more).fault, Containing("is of no goal"));
  }
  CHECK_THROWS_AS(read_certificate("{}", "here"), InputError);
  CHECK_THROWS_AS(read_certificate("[1", "here"), InputError);
  Json beyond = good;
  beyond["pending"].push_back({good.at("conditions").size()});
  CHECK_THROWS_AS(check(beyond), InputError);
  Json old = good;
  old["schema"] = 2;
  CHECK_THROWS_AS(check(old), InputError);
}

TEST_CASE("a certificate does not show the same with a constant that is 1 modulo a known prime") {
  Json document = certificate_of("lenient(l=1)");
  REQUIRE(check(document).fault == "");
  document["verifier"] = "lenient(l=1/2305843009213693952)";
  CHECK(check(document).fault != "");
}

TEST_CASE("a certificate of unknown models is refused, and not read as one of trees") {
  Prover prover(theorem_of("token", Contexts::tree, 2, 1), {});
  finish(prover);
  Json document = Json::parse(certificate_text(prover));
  REQUIRE(check(document).fault == "");
  document["models"] = "trees";
  CHECK_THROWS_WITH(check(document),
                    Containing("the models 'trees' are none of iid, tree and any"));
  document["models"] = 3;
  CHECK_THROWS_AS(check(document), InputError);
}

}  // namespace
}  // namespace speclab::certificate_test
