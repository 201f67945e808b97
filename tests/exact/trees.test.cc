// The rules that verify a draft tree: exact vectors, losslessness, and what the rules have to do
// with each other.
#include <fmt/format.h>

#include "catch.h"
#include "toy.h"
#include "vectors.h"
#include "verifiers/naive_tree.h"
#include "verifiers/one_hot.h"
#include "verifiers/rrs_without.h"
#include "verifiers/sglang.h"
#include "verifiers/target_only.h"
#include "verifiers/traversal.h"

namespace speclab {
namespace {

TEST_CASE("vectors: target-only") { CHECK(check_vectors<TargetOnly>("target-only") == 96); }
TEST_CASE("vectors: sglang") { CHECK(check_vectors<Sglang>("sglang") == 240); }
TEST_CASE("vectors: one-hot") { CHECK(check_vectors<OneHot>("one-hot") == 96); }
TEST_CASE("vectors: naive-tree") { CHECK(check_vectors<NaiveTree>("naive-tree") == 48); }
TEST_CASE("vectors: rrs-without") { CHECK(check_vectors<RecursiveWithout>("rrs-without") == 64); }
TEST_CASE("vectors: traversal-without") {
  CHECK(check_vectors<TraversalWithout>("traversal-without") == 48);
}
TEST_CASE("vectors: traversal-merged") {
  CHECK(check_vectors<TraversalMerged>("traversal-merged") == 48);
}
TEST_CASE("vectors: traversal") { CHECK(check_vectors<TraversalCounted>("traversal") == 48); }

}  // namespace
}  // namespace speclab
