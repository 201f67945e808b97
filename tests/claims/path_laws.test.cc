// The corrections by path of the exact interpreter are yin2024's f: of batches, by equation (22).
#include <map>

#include "catch.h"
#include "claims/papers/yin2024/recursion.h"
#include "toy.h"
#include "verifiers/several/batch.h"

namespace speclab::path_laws_test {
namespace {

TEST_CASE("corrections by path of batches are f of equation 22") {
  const std::vector<Instance> instances{
      make_instance("iid(draft=[2/3,1/3],target=[1/3,2/3])", 3),
      make_instance("iid(draft=[0,1/2,1/2],target=[1/2,1/2,0])", 3),
      make_instance("tree(vocabulary=3,depth=3,seed=5)", 3)};
  int paths = 0;
  for (const Instance& instance : instances) {
    for (const int many : {1, 2, 3}) {
      const BatchVerification batch{.drafts = many};
      ExactRequest request;
      request.lengths = {.gamma = kUnbounded, .horizon = instance.gamma};
      request.law = true;
      const auto found = run_with<PairView<Rational>>(any_runner<PairView<Rational>>(batch),
                                                      *instance.rows, request);
      std::map<std::vector<Token>, Rational> expected;
      for (const Weighed& path : equation22(instance, many)) {
        if (!path.tokens.empty() && path.f != 0) expected[path.tokens] += path.f;
      }
      std::map<std::vector<Token>, Rational> law;
      REQUIRE(found.find(QuantityId::corrected_law) != nullptr);
      for (const auto& [tokens, value] : found.find(QuantityId::corrected_law)->values) {
        law[tokens] = value;
      }
      CAPTURE(instance.name(), many);
      CHECK(law == expected);
      paths += static_cast<int>(law.size());
    }
  }
  CHECK(paths > 50);
}

}  // namespace
}  // namespace speclab::path_laws_test
