// Every rule against exact vectors made by an independent program in fractions
// (tests/vectors.h): everything that a vector says, in rationals.
#include <set>

#include "catch.h"
#include "vectors.h"
#include "verifiers/biased/accepted_set.h"
#include "verifiers/biased/constant_ratio.h"
#include "verifiers/biased/dense_tree.h"
#include "verifiers/biased/entropy_verify.h"
#include "verifiers/biased/fly.h"
#include "verifiers/biased/relaxed.h"
#include "verifiers/biased/target_argmax.h"
#include "verifiers/biased/typical_match.h"
#include "verifiers/chain/block.h"
#include "verifiers/chain/gumbel.h"
#include "verifiers/chain/hsd_released.h"
#include "verifiers/chain/match_with_stop.h"
#include "verifiers/chain/sample_match.h"
#include "verifiers/chain/stopping.h"
#include "verifiers/chain/token.h"
#include "verifiers/several/canonical.h"
#include "verifiers/several/naive_tree.h"
#include "verifiers/several/one_hot.h"
#include "verifiers/several/path_block.h"
#include "verifiers/several/recursive_block.h"
#include "verifiers/several/recursive_greedy.h"
#include "verifiers/several/rrs_without.h"
#include "verifiers/several/sglang.h"
#include "verifiers/several/target_only.h"
#include "verifiers/several/traversal.h"

namespace speclab::rules_test {
namespace {

/// A rule of the file: how many vectors it has and what holds them; returns how many it held.
struct RuleCheck {
  std::string_view rule;
  std::size_t vectors;
  std::size_t (*check)();
};

template <class Program>
constexpr RuleCheck rule_of(std::size_t vectors) {
  return {Program::kInfo.name, vectors, [] { return check_vectors<Program>(Program::kInfo.name); }};
}

constexpr RuleCheck kRules[] = {
    rule_of<TokenVerification>(16),
    rule_of<BlockVerification>(16),
    rule_of<SampleMatch>(32),
    rule_of<TargetOnly>(96),
    rule_of<Sglang>(240),
    rule_of<OneHot>(96),
    rule_of<NaiveTree>(48),
    rule_of<RecursiveWithout>(64),
    rule_of<TraversalWithout>(48),
    rule_of<TraversalMerged>(48),
    rule_of<TraversalCounted>(48),
    rule_of<Canonical>(16),
    rule_of<PathBlock>(48),
    rule_of<RecursiveBlock>(48),
    rule_of<RecursiveGreedy>(48),
    rule_of<Gumbel>(16),
    rule_of<Relaxed>(224),
    rule_of<Typical>(224),
    rule_of<TopWithin>(176),
    rule_of<EntropyVerify>(48),
    rule_of<Stopping>(288),
    rule_of<Fly>(80),
    rule_of<FlyReleased>(32),
    rule_of<HsdReleased>(16),
    rule_of<MatchWithStop>(96),
    rule_of<TargetArgmax>(46),
    rule_of<ConstantRatio>(32),
    rule_of<DenseTree>(64),
    rule_of<TypicalMatch>(64),
    // Hierarchical speculative decoding is block verification term by term, with no program.
    {"hsd", 16, [] { return check_vectors<BlockVerification>("hsd", "block"); }},
};

void check_rule(std::string_view rule) {
  bool known = false;
  for (const RuleCheck& row : kRules) {
    if (row.rule != rule) continue;
    known = true;
    CHECK(row.check() == row.vectors);
  }
  CHECK(known);
}

TEST_CASE("every vector of the file belongs to a rule that is checked against it") {
  std::multiset<std::string_view> rules;
  std::size_t held = 0;
  for (const RuleCheck& row : kRules) {
    CAPTURE(row.rule);
    rules.insert(row.rule);
    CHECK(rules.count(row.rule) == 1);
    CHECK(vectors_of(row.rule).size() == row.vectors);
    held += row.vectors;
  }
  CHECK(held == vector_document().at("public").size());
  CHECK(held == 2334);
}

TEST_CASE("vectors of token") { check_rule("token"); }
TEST_CASE("vectors of block") { check_rule("block"); }
TEST_CASE("vectors of sample-match") { check_rule("sample-match"); }
TEST_CASE("vectors of target-only") { check_rule("target-only"); }
TEST_CASE("vectors of sglang") { check_rule("sglang"); }
TEST_CASE("vectors of one-hot") { check_rule("one-hot"); }
TEST_CASE("vectors of naive-tree") { check_rule("naive-tree"); }
TEST_CASE("vectors of rrs-without") { check_rule("rrs-without"); }
TEST_CASE("vectors of traversal-without") { check_rule("traversal-without"); }
TEST_CASE("vectors of traversal-merged") { check_rule("traversal-merged"); }
TEST_CASE("vectors of traversal") { check_rule("traversal"); }
TEST_CASE("vectors of canonical") { check_rule("canonical"); }
TEST_CASE("vectors of path-block") { check_rule("path-block"); }
TEST_CASE("vectors of recursive-block") { check_rule("recursive-block"); }
TEST_CASE("vectors of recursive-greedy") { check_rule("recursive-greedy"); }
TEST_CASE("vectors of gumbel") { check_rule("gumbel"); }
TEST_CASE("vectors of relaxed") { check_rule("relaxed"); }
TEST_CASE("vectors of typical") { check_rule("typical"); }
TEST_CASE("vectors of top-within") { check_rule("top-within"); }
TEST_CASE("vectors of entropy-verify") { check_rule("entropy-verify"); }
TEST_CASE("vectors of stopping") { check_rule("stopping"); }
TEST_CASE("vectors of fly") { check_rule("fly"); }
TEST_CASE("vectors of fly-released") { check_rule("fly-released"); }
TEST_CASE("vectors of hsd-released") { check_rule("hsd-released"); }
TEST_CASE("vectors of hsd") { check_rule("hsd"); }
TEST_CASE("vectors of match-with-stop") { check_rule("match-with-stop"); }
TEST_CASE("vectors of target-argmax") { check_rule("target-argmax"); }
TEST_CASE("vectors of constant-ratio") { check_rule("constant-ratio"); }
TEST_CASE("vectors of dense-tree") { check_rule("dense-tree"); }
TEST_CASE("vectors of typical-match") { check_rule("typical-match"); }

}  // namespace
}  // namespace speclab::rules_test
