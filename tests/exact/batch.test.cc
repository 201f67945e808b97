// Two requests that share a budget, exactly: against an enumeration written apart, against decodes
// that share nothing, and against what is known of both.
#include "exact/batch.h"

#include "base/error.h"
#include "base/json.h"
#include "catch.h"
#include "exact/exact.h"
#include "exact_numbers.h"
#include "model/families/json_law.h"
#include "model/registry.h"
#include "run/confidence_threshold.h"
#include "simulated_batches.h"
#include "two_requests.h"

namespace speclab::exact_batch_test {
namespace {

const std::string kThree = "iid(draft=[1/2,1/3,1/6],target=[1/6,1/3,1/2])";

template <class Real = Rational>
ExactBatch<Real> two(const std::string& pair, const BatchSetting& setting,
                     const std::string& verifier = "token", double max_paths = 1e8) {
  return run_exact_batch(make_verifier(verifier), Rows<Real>(make_pair(pair)),
                         {.setting = setting, .max_paths = max_paths});
}

void check_all(const std::string& pair, const BatchSetting& setting) {
  CAPTURE(pair, setting.gamma, setting.horizon, setting.budget, static_cast<int>(setting.split));
  const TwoRequests apart(pair, setting);
  const ExactBatch<Rational> found = two(pair, setting);
  CHECK(found.tokens == 2 * setting.horizon);
  CHECK(found.steps == apart.steps);
  CHECK(found.request_steps == apart.request_steps);
  CHECK(found.verified == apart.verified);
  CHECK(found.accepted == apart.accepted);
  CHECK(found.undefined == 0);
  CHECK(found.law_tokens == std::min(setting.gamma + 1, setting.horizon));
  const auto tokens = static_cast<std::size_t>(found.law_tokens);
  REQUIRE(found.tv.size() == 2);
  CHECK(found.tv[0] == apart.distance(tokens, true, false));
  CHECK(found.tv[1] == apart.distance(tokens, false, true));
  CHECK(found.joint_tv == apart.distance(tokens, true, true));
}

TEST_CASE("two requests that share a budget are decoded as an enumeration apart has it") {
  for (const std::string& pair : {kMemoryless, kContexts}) {
    for (const BatchSplitInfo& split : kBatchSplits) {
      for (int budget = 0; budget <= 5; ++budget) {
        check_all(pair, {.gamma = 2, .horizon = 4, .budget = budget, .split = split.split});
      }
      check_all(pair, {.gamma = 3, .horizon = 3, .budget = 4, .split = split.split});
      check_all(pair, {.gamma = 4, .horizon = 2, .budget = 3, .split = split.split});
    }
  }
  for (const BatchSplitInfo& split : kBatchSplits) {
    check_all(kThree, {.gamma = 2, .horizon = 3, .budget = 2, .split = split.split});
  }
}

TEST_CASE("the split by the drafted tokens' own probabilities has the bias of the claim, exactly") {
  const BatchSetting setting{.gamma = 1, .horizon = 2, .budget = 1, .split = BatchSplit::own};
  const ExactBatch<Rational> found = two("iid(draft=[2/3,1/3],target=[2/3,1/3])", setting);
  CHECK(found.joint_tv == Rational(4, 27));
  // Ties go to the first request. It is not verified where it drafts 1 and the other one 0, (1/3)
  // (2/3), and then draws 0 with 2/3. The second is verified there alone: it emits 0 with
  // (1/3) (2/3) + (7/9) (2/3).
  CHECK(found.tv[0] == Rational(1, 3) * Rational(2, 3) * Rational(2, 3));
  CHECK(found.tv[1] == Rational(2, 9) + Rational(14, 27) - Rational(2, 3));
  for (const BatchSplitInfo& split : kBatchSplits) {
    const BatchSetting other{.gamma = 1, .horizon = 2, .budget = 1, .split = split.split};
    const auto of = two("iid(draft=[2/3,1/3],target=[2/3,1/3])", other);
    CHECK((of.joint_tv > 0) == (split.split == BatchSplit::own));
  }
}

TEST_CASE("a budget for every draft makes two decodes that share nothing") {
  for (const char* verifier : {"token", "block", "greedy-block", "gumbel"}) {
    CAPTURE(verifier);
    const BatchSetting setting{.gamma = 2, .horizon = 6, .budget = 4, .split = BatchSplit::own};
    const ExactBatch<Rational> found = two(kContexts, setting, verifier);
    const ExactNumbers<Rational> alone =
        run_exact(make_verifier(verifier), Rows<Rational>(make_pair(kContexts)),
                  {.lengths = {.gamma = 2, .horizon = 6}});
    CHECK(found.request_steps == 2 * alone.decode->target_calls);
    CHECK(found.accepted == 2 * alone.expected_accepted);
    CHECK(found.joint_tv == Rational(0));
    CHECK(found.steps > alone.decode->target_calls);
  }
}

TEST_CASE("greedy and lazy block verification are biased by splits that read the context") {
  for (const char* verifier : {"token", "block", "greedy-block", "lazy-block"}) {
    CAPTURE(verifier);
    const bool needs = std::string(verifier) == "greedy-block" || verifier[0] == 'l';
    BatchSetting setting{.gamma = 3, .horizon = 4, .budget = 3};
    CHECK(two(kContexts, setting, verifier).joint_tv == Rational(0));
    setting.split = BatchSplit::survival;
    CHECK((*two(kContexts, setting, verifier).joint_tv > 0) == needs);
  }
}

/// The target's text is one, so that a draft's tokens are accepted or not by themselves, and long
/// decodes have few ways.
const std::string kOneText =
    "automaton(draft=[[2/3,1/3],[3/5,2/5],[1/2,1/2]],target=[[1,0],[1,0],[1,0]],"
    "next=[[1,1],[2,2],[0,0]],start=0)";

TEST_CASE("drafts end after tokens below a threshold that follows earlier ones") {
  // From the sixth token on a threshold of 2/3 ends drafts after an accepted 3/5, 2/5 does not.
  for (const int budget : {4, 6}) {
    check_all(kOneText, {.gamma = 3, .horizon = 9, .budget = budget, .split = BatchSplit::roc});
  }
  const BatchSetting setting{.gamma = 3, .horizon = 9, .budget = 6, .split = BatchSplit::roc};
  BatchSetting even = setting;
  even.split = BatchSplit::even;
  CHECK(two(kOneText, setting).verified < two(kOneText, even).verified);
}

TEST_CASE("the threshold of a draft minimises the cost of the ROC curve") {
  using Seen = std::vector<Judged<Rational>>;
  const auto of = [](int top, int bottom, bool accepted) {
    return Judged<Rational>{Rational(top, bottom), accepted};
  };
  const Seen example{of(1, 4, false), of(1, 4, true), of(1, 2, false),
                     of(1, 2, true),  of(3, 4, true), of(3, 4, true)};
  CHECK(confidence_threshold(example) == Rational(1, 4));
  // Too few, and none that was refused.
  CHECK(confidence_threshold(Seen(example.begin(), example.end() - 1)) == Rational(2, 5));
  CHECK(confidence_threshold(Seen(9, of(1, 4, true))) == Rational(2, 5));
  CHECK(confidence_threshold(Seen(9, of(1, 4, false))) == Rational(2, 5));
  // At 1/8 the cost is 1, at 1/4 it is 1/2, at 1/2 it is 1/2 + 3/4.
  const Seen other{of(1, 8, false), of(1, 4, true), of(1, 2, false),
                   of(1, 2, true),  of(3, 4, true), of(3, 4, true)};
  CHECK(confidence_threshold(other) == Rational(1, 4));
  // At 1/2 and at 3/4 the cost is 1: the largest is taken.
  Seen tied(3, of(1, 2, true));
  tied.insert(tied.begin(), of(1, 2, false));
  for (int i = 0; i < 6; ++i) tied.push_back(of(3, 4, true));
  CHECK(confidence_threshold(tied) == Rational(3, 4));
}

TEST_CASE("a threshold on a token's own probability, kept, biases what needs the length ahead") {
  // A 1 ends the draft, and the target refuses half of them.
  const std::string pair = "iid(draft=[2/3,1/3],target=[5/6,1/6])";
  for (const char* verifier : {"token", "block", "greedy-block", "lazy-block"}) {
    CAPTURE(verifier);
    const bool needs = std::string(verifier) == "greedy-block" || verifier[0] == 'l';
    for (const int budget : {3, 6}) {
      CAPTURE(budget);
      const auto found = two(
          pair, {.gamma = 3, .horizon = 4, .budget = budget, .split = BatchSplit::roc}, verifier);
      CHECK((*found.joint_tv > 0) == needs);
    }
  }
}

TEST_CASE("a threshold that was set anew keeps the law of all tokens") {
  // From the sixth of 8 tokens on a draft may end at another threshold than 2/5.
  for (const char* verifier : {"token", "block"}) {
    const auto found =
        two<double>("iid(draft=[2/3,1/3],target=[5/6,1/6])",
                    {.gamma = 7, .horizon = 8, .budget = 14, .split = BatchSplit::roc}, verifier);
    CHECK(found.law_tokens == 8);
    CHECK(*found.joint_tv < 1e-13);
  }
}

TEST_CASE("what the requests never emit counts as much as what they emit too often") {
  // Always 0, where the target draws 0 and 1 evenly.
  const auto found = two("iid(draft=[1,0],target=[1/2,1/2])",
                         {.gamma = 1, .horizon = 1, .budget = 2}, "wrong-always-accept");
  CHECK(found.tv[0] == Rational(1, 2));
  CHECK(found.joint_tv == Rational(3, 4));
}

TEST_CASE("drafts of an adaptive length grow by two and fall by one in an exact batch") {
  // Three drafts are refused, all later ones accepted: 5, 4, 3, 2, 4 and 5 tokens.
  const auto found =
      two("automaton(draft=[[1,0],[1,0],[1,0],[1,0]],target=[[0,1],[0,1],[0,1],[1,0]],"
          "next=[[1,1],[2,2],[3,3],[3,3]],start=0)",
          {.gamma = 5, .horizon = 17, .budget = 10, .split = BatchSplit::adaptive});
  CHECK(found.steps == 6);
  CHECK(found.verified == 2 * (5 + 4 + 3 + 2 + 4 + 5));
}

TEST_CASE("a request of a batch ends with its end token") {
  const ExactBatch<Rational> found =
      two("bernoulli(draft=2/3,target=1/3,eos=1)",
          {.gamma = 2, .horizon = 4, .budget = 2, .split = BatchSplit::known});
  // min(G, 4) tokens each, G geometric with 1/3: 1 + 2/3 + 4/9 + 8/27.
  CHECK(found.tokens == 2 * Rational(65, 27));
  CHECK(found.law_tokens == 3);
  CHECK(found.joint_tv == Rational(0));
}

TEST_CASE("requests of an exact batch begin at prompts of their own") {
  const Rows<Rational> rows(
      read_json_pair(parse_json(R"({"vocabulary":2,"kind":"chain","prompt":["1/8","7/8"],
        "draft":[["3/4","1/4"],["1/4","3/4"]],"target":[["1/4","3/4"],["1/2","1/2"]]})",
                                "test"),
                     "test"));
  const BatchSetting setting{.gamma = 1, .horizon = 3, .budget = 2};
  const ExactBatch<Rational> found =
      run_exact_batch(make_verifier("token"), rows, {.setting = setting});
  const ExactNumbers<Rational> alone =
      run_exact(make_verifier("token"), rows, {.lengths = {.gamma = 1, .horizon = 3}});
  CHECK(found.request_steps == 2 * alone.decode->target_calls);
  CHECK(found.joint_tv == Rational(0));
}

TEST_CASE("an undefined draw ends a request and is outside the target's law, however late") {
  const Rows<Rational> rows(make_pair("bernoulli(draft=2/3,target=1/3)"));
  const Verifier rule = make_verifier("ascend-block");
  const BatchSetting setting{.gamma = 3, .horizon = 6, .budget = 6};
  const ExactBatch<Rational> found = run_exact_batch(rule, rows, {.setting = setting});
  const ExactNumbers<Rational> alone =
      run_exact(rule, rows, {.lengths = {.gamma = 3, .horizon = 6}, .law = true});
  const Rational lost = alone.decode->undefined_mass;
  REQUIRE(lost > 0);
  CHECK(found.undefined == 1 - (1 - lost) * (1 - lost));
  CHECK(found.tokens == 2 * alone.decode->tokens);
  // The first 4 of 6 tokens: a text that was lost after them is none of theirs.
  std::map<std::vector<Token>, Rational> gaps;
  for (const auto& [tokens, mass] : alone.decode->law) {
    gaps[{tokens.begin(), tokens.begin() + 4}] += mass;
  }
  REQUIRE(gaps.size() == 16);
  Rational sum = lost;
  for (const auto& [tokens, mass] : gaps) {
    Rational aim(1);
    for (const Token x : tokens) aim *= rows.target(0)[static_cast<std::size_t>(x)];
    sum += abs(Rational(mass - aim));
  }
  CHECK(found.law_tokens == 4);
  CHECK(found.tv[0] == sum / 2);
  CHECK(found.tv[1] == sum / 2);
}

TEST_CASE("doubles give what fractions give of a batch") {
  for (const BatchSplitInfo& split : kBatchSplits) {
    const BatchSetting setting{.gamma = 2, .horizon = 5, .budget = 3, .split = split.split};
    const ExactBatch<Rational> fractions = two(kContexts, setting, "greedy-block");
    const ExactBatch<double> doubles = two<double>(kContexts, setting, "greedy-block");
    CHECK(doubles.steps == Approx(to_double(fractions.steps)).epsilon(1e-13));
    CHECK(doubles.verified == Approx(to_double(fractions.verified)).epsilon(1e-13));
    CHECK(*doubles.joint_tv == Approx(to_double(*fractions.joint_tv)).margin(1e-13));
  }
}

TEST_CASE("an exact batch that is too large, or of another number of requests, is refused") {
  const BatchSetting setting{.gamma = 3, .horizon = 6, .budget = 3};
  CHECK_THROWS_AS(two(kContexts, setting, "token", 63), LimitError);
  CHECK_THROWS_WITH(two(kContexts, setting, "token", 1000), Containing("max-paths"));
  // At once: no draft of 16 tokens is made.
  CHECK_THROWS_AS(two("uniform(draft=64,target=64)", {.gamma = 16, .horizon = 16}), LimitError);
  CHECK_THROWS_AS(two(kContexts, {.gamma = 1, .horizon = 2, .requests = 3}), UsageError);
  CHECK_THROWS_WITH(two(kContexts, setting, "wrong-greedy-draft"),
                    Containing("accepts other tokens"));
  // Of many tokens none has a joint law that fits.
  CHECK(two<double>("zipf(vocabulary=300,draft=1,target=1.1)", {.horizon = 1}).law_tokens == 0);
}

}  // namespace
}  // namespace speclab::exact_batch_test
