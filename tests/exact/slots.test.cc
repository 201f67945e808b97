// slot-block on two hundred random trees with zeros: exactly lossless, never below block, never
// worse with one draft more.
#include <fmt/format.h>

#include "catch.h"
#include "toy.h"
#include "vectors.h"

namespace speclab::slots_test {
namespace {

/// Both the law of gamma + 1 tokens and the expected accepted tokens of one iteration.
ExactNumbers<Rational> run(const std::string& verifier, const std::string& pair, int gamma,
                           bool decode) {
  ExactRequest request{.lengths = {.gamma = gamma}};
  if (decode) request.lengths.horizon = gamma + 1;
  return run_named(verifier, pair, request);
}

TEST_CASE("slot-block: two hundred random trees") {
  int gained = 0;
  for (int seed = 1; seed <= 200; ++seed) {
    const int vocabulary = 2 + seed % 2;
    const int gamma = 1 + (seed / 2) % 2;
    const std::string pair = fmt::format("tree(vocabulary={},depth={},seed={},denominator={})",
                                         vocabulary, gamma + 1, 1000 + seed, 3 + seed % 5);
    Rational before = run("block", pair, gamma, false).expected_accepted;
    const Rational single = before;
    for (int drafts = 1; drafts <= 3; ++drafts) {
      CAPTURE(pair, gamma, drafts);
      const auto result = run(fmt::format("slot-block(K={})", drafts), pair, gamma, true);
      CHECK(result.decode->tv_to_target == 0);
      CHECK(result.decode->undefined_mass == 0);
      if (drafts == 1) CHECK(result.expected_accepted == single);
      CHECK(result.expected_accepted >= before);
      before = result.expected_accepted;
    }
    gained += before > single;
  }
  CHECK(gained > 50);
}

TEST_CASE("slot-block: values computed independently") {
  const nlohmann::json vectors = read_vectors("coupled.json").at("public").at("slot_block");
  REQUIRE(vectors.size() == 4);
  for (const auto& vector : vectors) {
    CAPTURE(vector.dump());
    const auto verifier = fmt::format("slot-block(K={})", vector.at("K").get<int>());
    CHECK(run(verifier, vector.at("pair").get<std::string>(), vector.at("gamma").get<int>(), false)
              .expected_accepted == value_of(vector.at("slot_block_expected_accepted")));
  }
}

}  // namespace
}  // namespace speclab::slots_test
