// The trained low-complexity verifier: features, determinism, held-out rates and the ROC curve.
#include "verifiers/sprinter_trained.h"
#include "verifiers/trained.h"

#include <cmath>

#include "catch.h"
#include "model/registry.h"
#include "verifiers/registry.h"

namespace speclab {
namespace {

constexpr const char* kChains = "markov(vocabulary=7,horizon=50,seed=10)";

Training small_training() {
  Training training;
  training.samples = 2000;
  return training;
}

TEST_CASE("draft features are what they say and finite") {
  const std::vector<double> law{0.5, 0.25, 0.25, 0};
  const auto features = draft_features(law, 1);
  CHECK(features[0] == Approx(std::log(0.25)));
  CHECK(features[1] == Approx(std::log(2.0)));  // ties share the better rank
  CHECK(draft_features(law, 2) == features);
  CHECK(features[2] == Approx(1.5 * std::log(2.0)));
  CHECK(features[3] == 0.5);
  CHECK(features[4] == 0.25);
  CHECK(draft_features(law, 0)[1] == 0);
  CHECK(draft_features(law, 3)[0] == Approx(-744.4401).margin(1e-3));
  const std::vector<double> one{1.0};
  CHECK(draft_features(one, 0) == DraftFeatures{0, 0, 0, 1, 1});
}

TEST_CASE("training is deterministic, keyed by its seed, and done once") {
  const auto pair = make_pair(kChains);
  const TrainedClassifier one(pair, small_training());
  const TrainedClassifier again(make_pair(kChains), small_training());
  Training other = small_training();
  other.seed = 2;
  const TrainedClassifier reseeded(pair, other);
  int differing = 0;
  for (State state = 0; state < 20; ++state) {
    for (Token x = 0; x < pair->vocabulary(); ++x) {
      CHECK(one.score(state, x) == again.score(state, x));
      CHECK((one.score(state, x) >= 0 && one.score(state, x) <= 1));
      differing += one.score(state, x) != reseeded.score(state, x);
    }
  }
  CHECK(differing > 100);
  const auto kept = trained_classifier(pair, small_training());
  CHECK(trained_classifier(pair, small_training()) == kept);
  CHECK(trained_classifier(pair, other) != kept);
  CHECK(trained_classifier(make_pair(kChains), small_training()) != kept);
}

TEST_CASE("the labels of the tokens do not matter to the score") {
  const TrainedClassifier here(make_pair("iid(draft=[1/2,1/4,1/8,1/8],target=[1/4,1/4,1/4,1/4])"),
                               small_training());
  // Equal features have equal scores, whichever token has them.
  CHECK(here.score(0, 2) == here.score(0, 3));
  CHECK(here.score(0, 0) < here.score(0, 1));
  CHECK(here.score(0, 0) < 0.5);
  CHECK(here.score(0, 2) > 0.5);
}

TEST_CASE("held-out tokens: the classifier has learnt, and the curve is the pairwise order") {
  const TrainedClassifier classifier(make_pair(kChains), small_training());
  const auto samples = classifier.held_out();
  REQUIRE(samples.size() == 2000);
  const auto curve = roc_curve(samples);
  REQUIRE(curve.size() > 100);
  CHECK(curve.front().false_positive == 0);
  CHECK(curve.front().true_positive == 0);
  CHECK(curve.back().false_positive == 1);
  CHECK(curve.back().true_positive == 1);
  for (std::size_t i = 1; i < curve.size(); ++i) {
    CHECK(curve[i].threshold < curve[i - 1].threshold);
    CHECK(curve[i].false_positive >= curve[i - 1].false_positive);
    CHECK(curve[i].true_positive >= curve[i - 1].true_positive);
  }
  double ordered = 0;
  double pairs = 0;
  for (const auto& good : samples) {
    if (!good.acceptable) continue;
    for (const auto& bad : samples) {
      if (bad.acceptable) continue;
      ++pairs;
      ordered += good.score > bad.score ? 1.0 : good.score == bad.score ? 0.5 : 0.0;
    }
  }
  const auto area = area_under(curve);
  REQUIRE(area);
  CHECK(*area == Approx(ordered / pairs).epsilon(1e-12));
  CHECK(*area > 0.65);
  for (const RocPoint& point : curve) {
    const auto rates = measured_rates(samples, point.threshold);
    CHECK(*rates.false_positive == point.false_positive);
    CHECK(*rates.true_positive == point.true_positive);
  }
}

TEST_CASE("the rate weighted by (d - t)+ is the one that the distance needs") {
  const auto pair =
      make_pair("iid(draft=[2/5,1/5,1/5,1/10,1/20,1/20],target=[1/5,1/10,3/10,1/5,1/10,1/10])");
  Training training;
  training.samples = 20000;
  const TrainedClassifier classifier(pair, training);
  const Rows<double> rows(pair);
  const double tau = classifier.score(0, 1);
  double passing = 0;
  double all = 0;
  for (Token x = 0; x < pair->vocabulary(); ++x) {
    const auto i = static_cast<std::size_t>(x);
    const double excess = positive_part<double>(rows.draft(0)[i] - rows.target(0)[i]);
    all += excess;
    if (classifier.score(0, x) >= tau) passing += excess;
  }
  const auto rates = measured_rates(classifier.held_out(), tau);
  REQUIRE(rates.excess_weighted);
  // Tokens 0 and 1 are too likely by 1/5 and 1/10; the second one passes.
  CHECK(passing / all == Approx(1.0 / 3));
  // 20000 tokens: a standard error of the ratio below 0.005.
  CHECK(*rates.excess_weighted == Approx(1.0 / 3).margin(0.03));
  CHECK(*rates.false_positive == Approx(1.0 / 3).margin(0.03));
}

TEST_CASE("one label only: a constant score and no curve") {
  const TrainedClassifier equal(make_pair("iid(draft=[1/2,1/2],target=[1/2,1/2])"),
                                small_training());
  CHECK(equal.score(0, 0) == 1);
  CHECK(roc_curve(equal.held_out()).empty());
  CHECK_FALSE(area_under({}));
  const auto rates = measured_rates(equal.held_out(), 0.5);
  CHECK_FALSE(rates.false_positive);
  CHECK(*rates.true_positive == 1);
  CHECK_FALSE(rates.excess_weighted);
  const TrainedClassifier disjoint(make_pair("iid(draft=[1,0],target=[0,1])"), small_training());
  CHECK(disjoint.score(0, 0) == 0);
  CHECK(disjoint.score(0, 1) == 0);
}

TEST_CASE("lambda moves the labels") {
  const auto share = [](const char* lambda) {
    Training training = small_training();
    training.lambda = parse_rational(lambda);
    const TrainedClassifier classifier(make_pair(kChains), training);
    double acceptable = 0;
    for (const auto& sample : classifier.held_out()) acceptable += sample.acceptable;
    return acceptable;
  };
  CHECK(share("0") == 0);
  CHECK(share("1") < share("6/5"));
  CHECK(share("6/5") < share("3/2"));
  CHECK(share("1000000") == 2000);
}

TEST_CASE("rollouts stop at the end-of-sequence token and at the pair's end") {
  for (const char* text : {"bernoulli(draft=2/3,target=1/3,eos=1)",
                           "markov(vocabulary=3,horizon=2,seed=1)", "iid(draft=[1],target=[1])"}) {
    const TrainedClassifier classifier(make_pair(text), small_training());
    CHECK(classifier.held_out().size() == 2000);
  }
}

TEST_CASE("prepare: trains what has to learn and leaves the rest alone") {
  const auto pair = make_pair(kChains);
  const Verifier raw = make_verifier("sprinter-trained(lambda=1,samples=2000)");
  CHECK(program_as<SprinterTrained>(raw)->classifier == nullptr);
  const Verifier ready = prepare(raw, pair);
  const auto& program = *program_as<SprinterTrained>(ready);
  REQUIRE(program.classifier != nullptr);
  CHECK(program.classifier == trained_classifier(pair, program.training));
  CHECK(ready.name == raw.name);
  const Verifier token = make_verifier("token");
  CHECK(prepare(token, pair).program == token.program);
}

}  // namespace
}  // namespace speclab
