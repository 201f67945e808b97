// The closed forms of the rules, as the table of predictions has them, against the enumerator.
#include <set>
#include <string>

#include "catch.h"
#include "exact/exact.h"
#include "model/registry.h"
#include "theory/predictions.h"
#include "toy.h"

namespace speclab::rules_predictions_test {
namespace {

/// Holds every prediction that has an exact number to compare with; the claims that were held.
std::set<std::string> check_predictions(const std::string& spec, std::string_view pair,
                                        const Lengths& lengths) {
  CAPTURE(spec, pair, lengths.gamma);
  const Rows<Rational> rows(make_pair(pair));
  const Verifier verifier = make_verifier(spec);
  const ExactResult<Rational> found = run_exact(verifier, rows, {.lengths = lengths});
  Setting setting;
  setting.pair = rows.pair_pointer();
  setting.verifier = verifier.spec;
  setting.lengths = lengths;
  setting.arithmetic = Arithmetic::rational;
  std::set<std::string> held;
  for (const Prediction& prediction : predict(setting)) {
    const QuantityIndex index =
        prediction.index ? QuantityIndex{*prediction.index} : QuantityIndex{};
    const Rational* value = found.find(prediction.quantity, index);
    CAPTURE(prediction.claim, quantity(prediction.quantity).path(), index);
    REQUIRE(value != nullptr);
    REQUIRE(prediction.exact);
    switch (prediction.relation) {
      case Relation::equals:
        CHECK(*value == *prediction.exact);
        break;
      case Relation::at_most:
        CHECK(*value <= *prediction.exact);
        break;
      case Relation::at_least:
        CHECK(*value >= *prediction.exact);
        break;
    }
    held.insert(prediction.claim);
  }
  return held;
}

/// The claims that are held on small pairs, with zeros and with several states, at gamma 1 and 2.
std::set<std::string> held_of(const std::string& spec) {
  std::set<std::string> held;
  for (const std::string_view pair :
       {kToy, std::string_view("iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])"),
        std::string_view("iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])"),
        std::string_view("tree(vocabulary=2,depth=3,seed=5)"),
        std::string_view("tree(vocabulary=3,depth=3,seed=8)")}) {
    for (const int gamma : {1, 2}) {
      held.merge(check_predictions(spec, pair, {.gamma = gamma, .horizon = 3, .iterations = 1}));
    }
  }
  held.merge(check_predictions(spec, kToy, {.gamma = kUnbounded, .horizon = 2}));
  return held;
}

using Claims = std::set<std::string>;

TEST_CASE("closed forms of one chain are what the enumerator finds") {
  const Claims match{"miao2023.naive_lossless", "miao2023.sample_match"};
  CHECK(held_of("sample-match") == match);
  CHECK(held_of("sample-match(draft=argmax)") == match);
  CHECK(held_of("gumbel") == Claims{"daliri2024.lossless", "daliri2024.gumbel"});
  for (const char* pi : {"pi=ensemble,weight=1/3", "pi=fuzzy,divergence=tv,threshold=1/3",
                         "pi=cascade-opt,alpha=1/2", "pi=cascade-top,alpha=1/4",
                         "pi=ensemble,weight=1/3,bonus=relaxed"}) {
    CHECK(held_of("relaxed(" + std::string(pi) + ")") == Claims{"narasimhan2025.relaxed"});
  }
}

TEST_CASE("closed forms of several drafts are what the enumerator finds") {
  const std::string best = "hu2025.optimum";
  for (const char* drafts : {"(K=1)", "(K=2)", "(K=3)"}) {
    const auto of = [&](const char* name) { return held_of(name + std::string(drafts)); };
    CHECK(of("target-only") == Claims{best, "miao2023.naive_lossless", "miao2023.target_only"});
    CHECK(of("one-hot") == Claims{best, "miao2023.naive_lossless", "miao2023.target_only"});
    CHECK(of("naive-tree") == Claims{best, "naive-tree.lossless", "naive-tree.acceptance"});
  }
  for (const char* list : {"gumbel-list(K=1)", "gumbel-list(K=2)", "gumbel-list(K=3)",
                           "gumbel-list(K=2,clocks=all)", "gumbel-list(K=3,clocks=all)"}) {
    CHECK(held_of(list) == Claims{"rowan2025.lossless", "rowan2025.acceptance",
                                  "rowan2025.list-matching", "rowan2025.optimum",
                                  "speclab.decodes.gumbel-list"});
  }
  for (const char* list : {"poisson-list(K=1)", "poisson-list(K=2)", "poisson-list(K=3)"}) {
    CHECK(held_of(list) == Claims{best, "speclab.poisson-list.lossless",
                                  "speclab.poisson-list.acceptance",
                                  "speclab.poisson-list.matching"});
  }
  for (const char* nodes : {"1", "2", "4"}) {
    CHECK(held_of("best-and-tail(nodes=" + std::string(nodes) + ")") ==
          Claims{"speclab.best-and-tail.lossless", "speclab.best-and-tail.acceptance"});
  }
  for (const char* drafts : {"2", "3", "4"}) {
    CHECK(held_of("canonical(K=" + std::string(drafts) + ")") ==
          Claims{best, "khisti2025.lossless", "khisti2025.optimum"});
  }
  CHECK(held_of("spectr-coupled(K=2)") ==
        Claims{best, "lin2026.coupled_lossless", "lin2026.equation5"});
  for (const char* drafts : {"(K=1)", "(K=2)", "(K=3)"}) {
    CHECK(held_of("traversal" + std::string(drafts)) ==
          Claims{best, "weng2025.lossless", "speclab.traversal.tau"});
  }
  CHECK(held_of("slot-block(K=2)") ==
        Claims{best, "slot-block.lossless", "slot-block.above-block", "slot-block.tau"});
  CHECK(held_of("slot-block(K=3)") ==
        Claims{best, "slot-block.lossless", "slot-block.above-block"});
  CHECK(held_of("traversal-merged(K=2)") == Claims{best, "weng2025.lossless"});
  CHECK(held_of("path-block(K=2)") == Claims{best, "thomas2026.lossless"});
  const Claims again{"speclab.recycle.lossless", "speclab.recycle.acceptance"};
  for (const char* rule : {"token", "block", "rrs", "wrong-largest-rho", "batch", "recursive-block",
                           "path-block", "traversal"}) {
    for (const char* drafts : {"1", "2", "3"}) {
      CHECK(held_of("recycle(rule=" + std::string(rule) + ",K=" + drafts + ")") == again);
    }
  }
  CHECK(held_of("recycle(rule=slot-block,K=2)") == Claims{"speclab.recycle.lossless"});
  CHECK(held_of("recursive-block(K=2)") == Claims{best, "recursive-block.lossless"});
  CHECK(held_of("recursive-greedy(K=2)") == Claims{best, "recursive-block.lossless"});
}

TEST_CASE("decodes of several iterations are what the enumerator finds") {
  for (const char* rule : {"token", "block", "rrs(K=2)", "gumbel-list(K=2)"}) {
    for (const std::string_view pair :
         {kToy, std::string_view("iid(draft=[1/4,1/4,1/2],target=[1/2,1/4,1/4])"),
          std::string_view("tree(vocabulary=2,depth=6,seed=5,denominator=6)"),
          std::string_view("automaton(draft=[[1/2,1/2,0],[1/3,1/3,1/3]],target=[[1/2,1/4,1/4],[0,1/"
                           "3,2/3]],next=[[0,1,1],[1,0,0]],start=0)")}) {
      for (int gamma = 1; gamma <= 3; ++gamma) {
        const std::string name = std::string(rule).substr(0, std::string_view(rule).find('('));
        const auto held = check_predictions(rule, pair, {.gamma = gamma, .horizon = 5});
        CHECK(held.contains("speclab.decodes." + name));
      }
    }
  }
}

TEST_CASE("drafts verified as blocks have the law of tau of longer drafts too") {
  for (const char* rule : {"traversal(K=2)", "traversal(K=3)", "slot-block(K=2)"}) {
    for (const char* pair :
         {"iid(draft=[1/3,2/3],target=[1/2,1/2])", "tree(vocabulary=2,depth=5,seed=3)"}) {
      const int gamma = std::string_view(rule) == "traversal(K=3)" ? 3 : 4;
      const auto held = check_predictions(rule, pair, {.gamma = gamma});
      CHECK(held.contains("speclab.traversal.tau") + held.contains("slot-block.tau") == 1);
    }
  }
}

TEST_CASE("of drafts that are not i.i.d. the optimum over i.i.d. ones is not said") {
  CHECK(held_of("rrs-without(K=2)") == Claims{"jeon2024.lossless"});
  CHECK(held_of("spechub(K=2)") ==
        Claims{"speclab.spechub.lossless", "speclab.spechub.acceptance"});
  CHECK(held_of("traversal-without(K=2)") == Claims{"weng2025.lossless"});
  const Lengths one{.gamma = 1, .horizon = 2};
  CHECK(check_predictions("target-only(tree=2,draw=without)", kToy, one) ==
        Claims{"miao2023.naive_lossless"});
}

}  // namespace
}  // namespace speclab::rules_predictions_test
