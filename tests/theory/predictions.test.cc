#include "theory/predictions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "catch.h"
#include "model/registry.h"
#include "small_pairs.h"
#include "temporary_file.h"

namespace speclab {
namespace {

/// A setting with the latencies that its costs are asked at.
struct Asked : Setting {
  std::optional<Latency> latency;
};

std::vector<Prediction> predictions(const Asked& asked) {
  std::vector<Prediction> all = predict(asked);
  if (asked.latency) {
    for (Prediction& cost : predict_costs(asked, *asked.latency)) all.push_back(std::move(cost));
  }
  return all;
}

Asked setting(PairPointer pair, const char* verifier, int gamma,
              std::optional<int> horizon = std::nullopt,
              Arithmetic arithmetic = Arithmetic::rational) {
  Asked asked;
  asked.pair = std::move(pair);
  asked.verifier = parse_spec(verifier);
  asked.lengths.gamma = gamma;
  asked.lengths.horizon = horizon;
  asked.arithmetic = arithmetic;
  return asked;
}

/// "iteration.accepted_law[1]": the path of a prediction's quantity with its index.
std::string path_of(const Prediction& prediction) {
  std::string path = quantity(prediction.quantity).path();
  if (prediction.index) path += "[" + std::to_string(*prediction.index) + "]";
  return path;
}

/// The one prediction of `claim` about the quantity of this path, or nothing.
std::optional<Prediction> find(const Asked& asked, const std::string& claim,
                               const std::string& path) {
  std::optional<Prediction> found;
  for (const Prediction& prediction : predictions(asked)) {
    if (prediction.claim != claim || path_of(prediction) != path) continue;
    CHECK_FALSE(found.has_value());
    found = prediction;
  }
  return found;
}

Rational exactly(const Asked& asked, const std::string& claim, const std::string& path) {
  const auto found = find(asked, claim, path);
  REQUIRE(found.has_value());
  REQUIRE(found->exact.has_value());
  CHECK(found->value == to_double(*found->exact));
  return *found->exact;
}

Rational R(const char* text) { return parse_rational(text); }

const char* const kVerifiers[] = {"autoregressive",
                                  "token",
                                  "block",
                                  "block-listing",
                                  "greedy-block",
                                  "rrs(K=2)",
                                  "kseq(K=3)",
                                  "batch(M=2)",
                                  "batch-printed(M=2)",
                                  "spectr-gbv(K=2)",
                                  "slot-block(K=2)",
                                  "spectr-coupled(K=2)",
                                  "sample-match",
                                  "sample-match(draft=argmax)",
                                  "target-only(K=2)",
                                  "one-hot(K=2)",
                                  "naive-tree(K=3)",
                                  "canonical(K=2)",
                                  "traversal(K=2)",
                                  "rrs-without(K=2)",
                                  "path-block(K=2)",
                                  "recursive-block(K=2)",
                                  "gumbel",
                                  "relaxed(pi=ensemble,weight=1/3)",
                                  "relaxed(pi=fuzzy,divergence=tv,threshold=1/3)",
                                  "relaxed(pi=cascade-opt,alpha=1/2)",
                                  "relaxed(pi=cascade-top,alpha=1/4)",
                                  "biased(eps=1/10,residual=optimal)",
                                  "biased(eps=1/10,residual=draft)",
                                  "lenient(l=1/2)",
                                  "lenient(l=2)",
                                  "sprinter(fp=1/4,tp=3/4)",
                                  "sprinter(fp=[0,1],tp=1)",
                                  "sprinter(fp=1,tp=1)",
                                  "sprinter-printed(fp=0,tp=1)"};

/// A rates file of yes and no, as a verifier with such a file.
class Decisions {
 public:
  Decisions(const Pair& pair, const std::function<bool(State, Token)>& passes)
      : file_(text(pair, passes)) {}
  [[nodiscard]] std::string verifier() const { return "sprinter(rates=" + file_.path() + ")"; }

 private:
  static std::string text(const Pair& pair, const std::function<bool(State, Token)>& passes) {
    std::string rows;
    for (State state = 0; state < pair.states(); ++state) {
      rows += state == 0 ? "[" : ",[";
      for (Token x = 0; x < pair.vocabulary(); ++x) {
        rows += std::string(x == 0 ? "" : ",") + (passes(state, x) ? "1" : "0");
      }
      rows += "]";
    }
    return R"({"schema":2,"kind":"table","rates":[)" + rows + "]}";
  }
  TemporaryFile file_;
};

bool even(State state, Token x) { return (state + static_cast<State>(x)) % 2 == 0; }

TEST_CASE("predictions of the toy pair") {
  const std::string tau = "iteration.expected_accepted";
  CHECK(exactly(setting(toy(), "token", 2), "sun2024.theorem2", tau) == R("10/9"));
  CHECK(exactly(setting(toy(), "block", 2), "sun2025.theorem2", tau) == R("11/9"));
  CHECK(exactly(setting(toy(), "greedy-block", 2), "sun2024.theorem1", tau) == R("4/3"));
  CHECK(exactly(setting(toy(), "greedy-block", 2), "sun2024.section3.1", tau) == R("4/3"));
  CHECK(exactly(setting(toy(), "token", 2), "leviathan.expected_tokens", tau) == R("10/9"));
  CHECK(exactly(setting(toy(), "spectr-gbv(K=2)", 1), "lin2026.theorem5.3", tau) == R("5/6"));
  CHECK(exactly(setting(toy(), "spectr-gbv(K=2)", 2), "lin2026.theorem5.3", tau) == R("19/12"));
  CHECK(exactly(setting(toy(), "spectr-gbv(K=1)", 2), "lin2026.theorem5.3", tau) == R("4/3"));
  CHECK(exactly(setting(toy(), "rrs(K=2)", 1), "miao2023.acceptance", tau) == R("7/9"));
  CHECK(exactly(setting(toy(), "rrs(K=2)", 1), "hu2025.optimum", tau) == R("8/9"));
  CHECK(exactly(setting(toy(), "block", 2), "sun2025.lemma3", "iteration.accepted_law[1]") ==
        R("1/9"));
  const int inf = kUnbounded;
  const std::string rejections = "decode.rejections", calls = "decode.target_calls";
  CHECK(exactly(setting(toy(), "token", inf, 2), "yin2024.theorem1", rejections) == R("2/3"));
  CHECK(exactly(setting(toy(), "token", inf, 2), "yin2024.theorem1", calls) == R("4/3"));
  CHECK(exactly(setting(toy(), "batch(M=2)", inf, 2), "yin2024.theorem3", rejections) ==
        R("43/81"));
  CHECK(exactly(setting(toy(), "batch(M=3)", inf, 1), "yin2024.batch_bernoulli", rejections) ==
        R("4/27"));
  const std::string tv = "output.tv_to_target";
  CHECK(exactly(setting(toy(), "sprinter(fp=1/2,tp=1)", inf, 1), "zhong2025.theorem3.1", tv) ==
        R("1/6"));
  CHECK(exactly(setting(toy(), "biased(eps=1/6)", inf, 1), "yin2024.theorem5", rejections) ==
        R("1/6"));
  CHECK(exactly(setting(toy(), "biased(eps=1/6)", inf, 1), "yin2024.theorem4", tv) == R("1/6"));
  Asked iterations = setting(toy(), "block", 2);
  iterations.lengths.iterations = 4;
  CHECK(exactly(iterations, "sun2025.theorem2", "iterations.expected_tokens[4]") == R("80/9"));
}

TEST_CASE("k-sequential selection has no exact value, only doubles") {
  const auto found =
      find(setting(toy(), "kseq(K=2)", 1), "sun2023.acceptance", "iteration.expected_accepted");
  REQUIRE(found.has_value());
  CHECK_FALSE(found->exact.has_value());
  CHECK(found->value == Approx(0.8114195153).margin(5e-11));
}

TEST_CASE("expected rejections of the chains of yin2024's figures") {
  const auto rejections = [](int horizon, const std::string& verifier, const char* claim) {
    const auto pair =
        make_pair("markov(vocabulary=7,horizon=" + std::to_string(horizon) + ",seed=10)");
    const auto found =
        find(setting(pair, verifier.c_str(), kUnbounded, horizon, Arithmetic::floating), claim,
             "decode.rejections");
    REQUIRE(found.has_value());
    return found->value;
  };
  const auto batch = [&](int horizon, int batches) {
    return rejections(horizon, "batch(M=" + std::to_string(batches) + ")", "yin2024.theorem3");
  };
  CHECK(rejections(50, "token", "yin2024.theorem1") == Approx(16.404890).margin(1e-6));
  CHECK(batch(50, 1) == Approx(16.404890).margin(1e-6));
  CHECK(batch(50, 2) == Approx(15.002349).margin(1e-6));
  CHECK(batch(50, 4) == Approx(14.090080).margin(1e-6));
  CHECK(batch(50, 5) == Approx(13.868446).margin(1e-6));
  CHECK(batch(50, 1000) == Approx(12.118779).margin(1e-6));
  CHECK(rejections(100, "token", "yin2024.theorem1") == Approx(33.534849).margin(1e-6));
  CHECK(batch(100, 2) == Approx(30.867525).margin(1e-6));
}

TEST_CASE("leviathan's speedup") {
  Asked asked = setting(toy(), "token", 3);
  CHECK_FALSE(find(asked, "leviathan.speedup", "speedup").has_value());
  asked.latency = Latency{.draft = 0.25, .verifier = 0, .target = 2};
  // a = 2/3, c = 1/8: (1 + 2/3 + 4/9 + 8/27) / (1 + 3/8)
  CHECK(exactly(asked, "leviathan.speedup", "speedup") == R("65/27") / R("11/8"));
  asked.pair = iid({"1/2", "1/2"}, {"1/2", "1/2"});
  CHECK(exactly(asked, "leviathan.speedup", "speedup") == R("4") / R("11/8"));
}

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
  CHECK(exactly(asked, "zhong2025.iid_labels", "decode.target_calls") == R("3/2"));
  // Two tokens: (1/2, 3/8, 1/8) squared is above (1/4, 3/8, 3/8) squared by 24/64 at 00, 01, 10.
  CHECK(exactly(asked, claim, tv) == R("3/8"));
  // Given rates that say the same make the same predictions.
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
    // The stopping time in units of t_d: the third token is drafted where two have passed.
    chain.latency = Latency{.draft = 0.25, .verifier = 1, .target = 2};
    CHECK(exactly(chain, "zhong2025.theorem3.4", "modelled_time.stop") ==
          (1 + tail[1] + tail[2]) / 4);
  }
}

TEST_CASE("stopping time and work of SPRINTER and of token verification") {
  // Toy: a = 1/3, rho = 1/3 tp + 2/3 fp = 1/2.
  Asked asked = setting(toy(), "sprinter(fp=1/4,tp=1)", kUnbounded, 3);
  CHECK_FALSE(find(asked, "zhong2025.theorem3.4", "modelled_time.stop").has_value());
  CHECK_FALSE(find(asked, "zhong2025.equation6", "modelled_work.decode").has_value());
  asked.latency = Latency{.draft = 2, .verifier = 0.5, .target = 16};
  CHECK(exactly(asked, "zhong2025.theorem3.4", "modelled_time.stop") == R("7/2"));
  CHECK(exactly(asked, "zhong2025.iid_labels", "modelled_time.stop") == R("4"));
  // Two positions may end a run: 1 + 2 (1 - rho) = 2 target calls.
  CHECK(exactly(asked, "zhong2025.equation6", "modelled_work.decode") == R("39.5"));
  // A verifier that says yes to all makes one run: equation (6) itself.
  asked.verifier = parse_spec("sprinter(fp=1,tp=1)");
  CHECK(exactly(asked, "zhong2025.equation6", "modelled_work.decode") == R("23.5"));
  // Token, gamma = 1, two tokens: a bonus after an accepted token, another run after a rejected.
  asked.verifier = parse_spec("token");
  asked.lengths.gamma = 1;
  asked.lengths.horizon = 2;
  const auto found = find(asked, "zhong2025.equation5", "modelled_work.decode");
  REQUIRE(found.has_value());
  CHECK(found->relation == Relation::at_most);
  CHECK(*found->exact == R("4/3") * 18);
}

TEST_CASE("every lossless verifier is predicted to be lossless") {
  const auto lossless = [](const Asked& asked) {
    bool said = false;
    for (const Prediction& prediction : predict(asked)) {
      if (prediction.quantity != QuantityId::tv_to_target) continue;
      CHECK(*prediction.exact == 0);
      CHECK(prediction.relation == Relation::equals);
      said = true;
    }
    return said;
  };
  for (const char* verifier : {"autoregressive",
                               "token",
                               "block",
                               "greedy-block",
                               "rrs(K=2)",
                               "kseq(K=2)",
                               "batch(M=2)",
                               "slot-block(K=2)",
                               "spectr-coupled(K=2)",
                               "sample-match",
                               "target-only(K=2)",
                               "one-hot(K=2)",
                               "naive-tree(K=2)",
                               "rrs-without(K=2)",
                               "traversal-without(K=2)",
                               "traversal-merged(K=2)",
                               "traversal(K=2)",
                               "canonical(K=2)",
                               "path-block(K=2)",
                               "recursive-block(K=2)",
                               "recursive-greedy(K=2)",
                               "gumbel",
                               "lenient(l=1)",
                               "sprinter(fp=0,tp=1)"}) {
    CAPTURE(verifier);
    CHECK(lossless(setting(toy(), verifier, kUnbounded, 3)));
    if (parse_spec(verifier).name == "sprinter") continue;  // Theorem 3.1 speaks of long drafts
    CHECK(lossless(setting(toy(), verifier, 2, 3)));
    CHECK_FALSE(lossless(setting(toy(), verifier, 2)));
  }
}

TEST_CASE("slot-block is never below block") {
  const std::string tau = "iteration.expected_accepted";
  const auto found = find(setting(toy(), "slot-block(K=2)", 2), "slot-block.above-block", tau);
  REQUIRE(found.has_value());
  CHECK(*found->exact == R("11/9"));
  CHECK(found->relation == Relation::at_least);
  const auto single = find(setting(toy(), "slot-block(K=1)", 2), "slot-block.above-block", tau);
  REQUIRE(single.has_value());
  CHECK(single->relation == Relation::equals);
}

TEST_CASE("formulas are silent outside their hypotheses") {
  const auto chain = random_pair(5, 3, 4);
  CHECK_FALSE(
      find(setting(chain, "token", 2), "leviathan.expected_tokens", "iteration.expected_accepted"));
  CHECK_FALSE(
      find(setting(chain, "token", 2), "sun2024.section3.1", "iteration.expected_accepted"));
  CHECK_FALSE(find(setting(chain, "token", 2, 6), "yin2024.theorem1", "decode.rejections"));
  CHECK_FALSE(find(setting(toy(), "token", 2), "yin2024.theorem1", "decode.rejections"));
  CHECK_FALSE(find(setting(toy(), "sprinter(fp=[0,1],tp=1)", kUnbounded, 1), "zhong2025.theorem3.1",
                   "output.tv_to_target"));
  CHECK_FALSE(find(setting(toy(), "batch(M=2)", kUnbounded, 1), "yin2024.batch_uniform",
                   "decode.rejections"));
  // d = t and l = 2: half of the drafts are rejected and the residual is 0/0.
  const auto level = iid({"1/2", "1/2"}, {"1/2", "1/2"});
  CHECK(predict(setting(level, "lenient(l=2)", 2, 2)).empty());
  // Without horizon or length there is no draft length.
  for (const char* verifier : kVerifiers) {
    CHECK(predict(setting(toy(), verifier, kUnbounded)).empty());
  }
  // A run that may end at an end-of-sequence token has fewer tokens and calls.
  Asked ending = setting(make_pair("bernoulli(draft=2/3,target=1/3,eos=1)"), "token", 2, 2);
  ending.lengths.iterations = 2;
  CHECK_FALSE(find(ending, "sun2024.theorem2", "iterations.expected_tokens[1]"));
  CHECK_FALSE(find(ending, "yin2024.theorem1", "decode.target_calls"));
  CHECK(find(ending, "yin2024.theorem1", "decode.rejections"));
}

TEST_CASE("work beyond the limit leaves a prediction out") {
  Asked asked = setting(random_pair(3, 3, 4), "block", 9, 9, Arithmetic::floating);
  CHECK(find(asked, "sun2025.theorem2", "iteration.expected_accepted").has_value());
  asked.max_work = 10;
  CHECK_FALSE(find(asked, "sun2025.theorem2", "iteration.expected_accepted").has_value());
  // What costs nothing stays.
  CHECK(find(asked, "sun2025.theorem1", "output.tv_to_target").has_value());
}

TEST_CASE("every prediction is finite, names a row's claim and agrees in both arithmetics") {
  std::set<std::string> claims;
  for (const PredictionRow& row : prediction_rows()) {
    CHECK_FALSE(row.prose.empty());
    CHECK_FALSE(row.source.empty());
    claims.insert(std::string(row.claim));
  }
  std::set<std::string> made;
  std::vector<PairPointer> pairs{toy(), iid({"1"}, {"1"}), iid({"1", "0"}, {"0", "1"}),
                                 iid({"1/2", "1/2"}, {"1/2", "1/2"}),
                                 iid({"1/4", "1/4", "1/4", "1/4"}, {"1/2", "0", "1/2", "0"})};
  for (unsigned seed = 1; seed <= 10; ++seed) {
    pairs.push_back(random_pair(seed, 1 + seed % 3, 1 + seed % 4));
  }
  for (const auto& pair : pairs) {
    const Decisions decisions(*pair, even);
    std::vector<std::string> verifiers(std::begin(kVerifiers), std::end(kVerifiers));
    verifiers.push_back(decisions.verifier());
    verifiers.push_back("sprinter-printed" + decisions.verifier().substr(8));
    for (const std::string& verifier : verifiers) {
      for (const auto& [gamma, horizon] : {std::pair{1, 3}, {2, 1}, {3, 3}, {kUnbounded, 2}}) {
        CAPTURE(pair->name(), verifier, gamma, horizon);
        Asked asked = setting(pair, verifier.c_str(), gamma, horizon);
        asked.lengths.iterations = 2;
        asked.latency = Latency{0.1, 0.01, 1};
        const auto exact_values = predictions(asked);
        asked.arithmetic = Arithmetic::floating;
        const auto values = predictions(asked);
        REQUIRE(values.size() == exact_values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
          CAPTURE(values[i].claim, path_of(values[i]));
          CHECK(claims.count(values[i].claim) == 1);
          made.insert(values[i].claim);
          CHECK(path_of(values[i]) == path_of(exact_values[i]));
          CHECK(std::isfinite(values[i].value));
          CHECK(values[i].value >= 0);
          CHECK(values[i].value == Approx(exact_values[i].value).margin(1e-12));
          CHECK_FALSE(values[i].exact.has_value());
        }
      }
    }
  }
  CHECK(made == claims);
}

}  // namespace
}  // namespace speclab
