// The table of faults, and the spec texts of faults in other verifiers than their first.
#include <set>
#include <string>

#include "catch.h"
#include "verifiers/faults/fault.h"

namespace speclab::faults_test {
namespace {

TEST_CASE("every fault of the table is listed, in its order") {
  std::vector<std::string_view> listed;
  for (const VerifierInfo& row : all_verifier_rows()) {
    if (row.kind == VerifierKind::wrong) listed.push_back(row.name);
  }
  std::vector<std::string_view> table;
  for (const FaultRow& fault : faults()) {
    table.push_back(fault.info.name);
    CHECK(make_verifier(fault.info.fault_of).info->kind == VerifierKind::lossless);
    for (const std::string_view other : fault.others) {
      CAPTURE(fault.info.name, other);
      CHECK(find_verifier(other) != nullptr);
    }
  }
  CHECK(listed == table);
}

TEST_CASE("a fault in another verifier has a canonical text and its drafts") {
  const Verifier bonus = make_verifier("wrong-draft-bonus( rule = block )");
  CHECK(bonus.name == "wrong-draft-bonus(rule=block)");
  CHECK(correct_counterpart(bonus).name == "block");
  const Verifier drawn = make_verifier("wrong-drawn-draft(rule=\"rrs(K=3)\")");
  CHECK(drawn.name == "wrong-drawn-draft(by=rounded,rule=\"rrs(K=3)\")");
  CHECK(make_verifier(drawn.name).name == drawn.name);
  CHECK(drawn.drafts == 3);
  CHECK(correct_counterpart(drawn).name == "rrs(K=3)");
  CHECK(correct_counterpart(make_verifier("wrong-dense-tree(tree=2-1)")).name ==
        "rrs-without(tree=2-1,draw=without)");
}

TEST_CASE(
    "a verifier that cannot have a fault is refused, and so is a text that is not canonical") {
  CHECK_THROWS_WITH(make_verifier("wrong-draft-bonus(rule=gumbel)"),
                    Containing("gumbel cannot have this fault; give one of block, greedy-block"));
  CHECK_THROWS_WITH(make_verifier("wrong-late-stop(theta=1/2,rule=block)"),
                    Containing("leave rule= out"));
  CHECK_THROWS_WITH(make_verifier("wrong-draft-bonus(rule=\"rrs( K=2 )\")"),
                    Containing("write rrs(K=2)"));
  CHECK_THROWS_WITH(make_verifier("wrong-draft-bonus(rule=\"rrs\")"), Containing("K is missing"));
}

TEST_CASE("the faults in a verifier are made from their texts") {
  for (const char* rule :
       {"block", "greedy-block", "rrs(K=2)", "batch(M=3)", "kseq(K=2)", "slot-block(K=2)",
        "path-block(K=2)", "rrs-without(K=2)", "gumbel-list(K=2,clocks=all)"}) {
    std::set<std::string> names;
    for (const std::string& text : faults_in(make_verifier(rule))) {
      CAPTURE(text);
      const Verifier made = make_verifier(text);
      CHECK(made.name == text);
      CHECK(correct_counterpart(made).name == rule);
      CHECK(names.insert(text).second);
    }
    CAPTURE(rule);
    CHECK(names.size() >= 4);
  }
  CHECK(faults_in(make_verifier("token")).empty());
}

}  // namespace
}  // namespace speclab::faults_test
