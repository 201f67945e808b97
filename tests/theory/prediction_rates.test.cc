// Predictions of verifiers with rates: from a file's decisions, and of stopping time and work.
#include "asked.h"
#include "catch.h"
#include "theory/predictions.h"

namespace speclab::prediction_rates_test {
namespace {

TEST_CASE("a verifier with a rates file is predicted from its decisions") {
  // d = (1/2, 1/2, 0), t = (1/4, 3/8, 3/8), a verifier that passes token 0 only: the law is
  // (1/2, 3/8, 1/8), TV 1/4.
  const auto three = iid({"1/2", "1/2", "0"}, {"1/4", "3/8", "3/8"});
  const Decisions first(*three, [](State, Token x) { return x == 0; });
  Asked asked = setting(three, first.verifier().c_str(), kUnbounded, 1);
  const std::string claim = "zhong2025.theorem3.1-by-token", tv = "output.tv_to_target";
  CHECK(exactly(asked, claim, tv) == R("1/4"));
  CHECK_FALSE(find(asked, "zhong2025.theorem3.1", tv).has_value());
  CHECK(exactly(asked, "zhong2025.theoremA.4", "decode.rejections") == R("1/8"));
  asked.lengths.horizon = 2;
  CHECK(exactly(asked, "zhong2025.theorem3.3", "iteration.expected_accepted") == R("3/4"));
  CHECK(exactly(asked, "zhong2025.iid_labels", "decode.target_calls") == R("1"));
  // Two tokens: (1/2, 3/8, 1/8) squared is above (1/4, 3/8, 3/8) squared by 24/64 at 00, 01, 10.
  CHECK(exactly(asked, claim, tv) == R("3/8"));
  // Equal given rates make the same predictions.
  Asked given = asked;
  given.verifier = parse_spec("sprinter(fp=[1,0],tp=0)");
  CHECK(exactly(given, claim, tv) == R("3/8"));
  // A decision may depend on the state.
  for (unsigned seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    const auto pair = random_pair(seed, 3, 4);
    const Decisions decisions(*pair, even);
    Asked chain = setting(pair, decisions.verifier().c_str(), 3, 3);
    Rational tail[] = {Rational(1), Rational(0), Rational(0), Rational(0)};
    const Rows<Rational> rows(chain.pair);
    for (int i = 1; i <= 3; ++i) {
      for (const Start& start : chain.pair->start()) {
        for (const Path& path : all_paths(*chain.pair, start.state, i)) {
          bool passes = true;
          for (std::size_t j = 0; j < path.tokens.size(); ++j) {
            passes = passes && even(path.states[j], path.tokens[j]);
          }
          if (passes) tail[i] += start.probability * path.joint_draft.back();
        }
      }
    }
    CHECK(exactly(chain, "zhong2025.theorem3.3", "iteration.expected_accepted") ==
          tail[1] + tail[2] + tail[3]);
    // The third token is drafted and verified where two have passed.
    chain.latency = Latency{.draft = 0.25, .verifier = 1, .target = 2, .single = 2};
    CHECK(exactly(chain, "zhong2025.theorem3.4", "modelled_time.stop") ==
          (1 + tail[1] + tail[2]) * R("5/4"));
  }
}

TEST_CASE("stopping time and work of SPRINTER and of token verification") {
  // Toy: a = 1/3, rho = 1/3 tp + 2/3 fp = 1/2.
  Asked asked = setting(toy(), "sprinter(fp=1/4,tp=1)", kUnbounded, 3);
  CHECK_FALSE(find(asked, "zhong2025.theorem3.4", "modelled_time.stop").has_value());
  CHECK_FALSE(find(asked, "zhong2025.equation6", "modelled_work.decode").has_value());
  asked.latency = Latency{.draft = 2, .verifier = 0.5, .target = 16, .single = 16};
  CHECK(exactly(asked, "zhong2025.theorem3.4", "modelled_time.stop") == R("35/8"));
  CHECK(exactly(asked, "zhong2025.iid_labels", "modelled_time.stop") == R("5"));
  // Each of three positions calls the target with 1 - rho = 1/2.
  CHECK(exactly(asked, "zhong2025.equation6", "modelled_work.decode") == R("31.5"));
  // A verifier that passes all tokens never calls it, and one that passes none calls it each time.
  asked.verifier = parse_spec("sprinter(fp=1,tp=1)");
  CHECK(exactly(asked, "zhong2025.equation6", "modelled_work.decode") == R("7.5"));
  asked.verifier = parse_spec("sprinter(fp=0,tp=0)");
  CHECK(exactly(asked, "zhong2025.equation6", "modelled_work.decode") == R("55.5"));
  // A window cuts runs and changes neither calls nor work.
  asked.lengths.gamma = 2;
  CHECK(exactly(asked, "zhong2025.equation6", "modelled_work.decode") == R("55.5"));
  CHECK(exactly(asked, "zhong2025.iid_labels", "decode.target_calls") == 3);
  // Token, gamma = 1, two tokens: a bonus after an accepted token, another run after a rejected.
  asked.verifier = parse_spec("token");
  asked.lengths.gamma = 1;
  asked.lengths.horizon = 2;
  const auto found = find(asked, "zhong2025.equation5", "modelled_work.decode");
  REQUIRE(found.has_value());
  CHECK(found->relation == Relation::at_most);
  CHECK(*found->exact == R("4/3") * 34);
}

}  // namespace
}  // namespace speclab::prediction_rates_test
