// Training a low-complexity verifier: determinism, held-out rates, the ROC curve, the rates file.
#include "train/classifier.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "catch.h"
#include "model/registry.h"
#include "temporary_file.h"

namespace speclab::classifier_test {
namespace {

constexpr const char* kChains = "markov(vocabulary=7,horizon=50,seed=10)";

Training small_training() {
  Training training;
  training.samples = 2000;
  return training;
}

/// The score of token x drafted at a state.
double score(const Trained& trained, const Rows<double>& rows, State state, Token x) {
  const auto draft = rows.draft(state);
  return trained.rates.score(draft_features(draft, context_features(draft), x));
}

TEST_CASE("training is deterministic and keyed by its seed") {
  const Trained one = train(make_pair(kChains), small_training());
  const Trained again = train(make_pair(kChains), small_training());
  CHECK(one.rates == again.rates);
  REQUIRE(one.held_out.size() == again.held_out.size());
  for (std::size_t i = 0; i < one.held_out.size(); ++i) {
    CHECK(one.held_out[i].score == again.held_out[i].score);
    CHECK((one.held_out[i].score >= 0 && one.held_out[i].score <= 1));
  }
  Training other = small_training();
  other.seed = 2;
  const Trained reseeded = train(make_pair(kChains), other);
  CHECK_FALSE(one.rates == reseeded.rates);
  int differing = 0;
  for (std::size_t i = 0; i < one.held_out.size(); ++i) {
    differing += one.held_out[i].excess < reseeded.held_out[i].excess ? 1 : 0;
  }
  CHECK(differing > 500);
}

TEST_CASE("the held-out tokens differ from the training tokens") {
  // Of two tokens the draft has 2/3 and 1/3, so the mean of ln d over the training tokens, which
  // the file standardises with, counts token 1 among them. Held out it is counted by the label.
  const auto pair = make_pair("bernoulli(draft=2/3,target=1/3)");
  constexpr int kSeeds = 200;
  const double low = std::log(1.0 / 3), high = std::log(2.0 / 3);
  double equal = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    Training training = small_training();
    training.seed = static_cast<std::uint64_t>(seed);
    const Trained trained = train(pair, training);
    const double trained_on =
        std::round(training.samples * (high - trained.rates.mean[0]) / (high - low));
    double held_out = 0;
    for (const HeldOut& token : trained.held_out) held_out += token.acceptable ? 1 : 0;
    // Both counts are binomial: 667 with a standard deviation of 21.
    CHECK(std::abs(trained_on - 2000.0 / 3) < 105);
    CHECK(std::abs(held_out - 2000.0 / 3) < 105);
    equal += std::abs(trained_on - held_out) < 0.5 ? 1 : 0;
    x += trained_on, y += held_out;
    xx += trained_on * trained_on, yy += held_out * held_out, xy += trained_on * held_out;
  }
  // Independent counts are equal once in 75, and their correlation is 0 within 1 / sqrt(200) =
  // 0.07.
  CHECK(equal <= 12);
  const double correlation =
      (xy - x * y / kSeeds) / std::sqrt((xx - x * x / kSeeds) * (yy - y * y / kSeeds));
  CHECK(std::abs(correlation) < 0.3);
}

TEST_CASE("the labels of the tokens do not matter to the score") {
  const auto pair = make_pair("iid(draft=[1/2,1/4,1/8,1/8],target=[1/4,1/4,1/4,1/4])");
  const Rows<double> rows(pair);
  const Trained here = train(pair, small_training());
  // Equal features have equal scores, whichever token has them.
  CHECK(score(here, rows, 0, 2) == score(here, rows, 0, 3));
  CHECK(score(here, rows, 0, 0) < score(here, rows, 0, 1));
  CHECK(score(here, rows, 0, 0) < 0.5);
  CHECK(score(here, rows, 0, 2) > 0.5);
}

TEST_CASE("held-out tokens: the classifier has learnt, and the curve is the pairwise order") {
  const Trained trained = train(make_pair(kChains), small_training());
  const auto& samples = trained.held_out;
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
  const Rows<double> rows(pair);
  Training training;
  training.samples = 20000;
  const Trained trained = train(pair, training);
  const double tau = score(trained, rows, 0, 1);
  double passing = 0;
  double all = 0;
  for (Token x = 0; x < pair->vocabulary(); ++x) {
    const auto i = static_cast<std::size_t>(x);
    const double excess = std::max(0.0, rows.draft(0)[i] - rows.target(0)[i]);
    all += excess;
    if (score(trained, rows, 0, x) >= tau) passing += excess;
  }
  const auto rates = measured_rates(trained.held_out, tau);
  REQUIRE(rates.excess_weighted);
  // Tokens 0 and 1 are too likely by 1/5 and 1/10; the second one passes.
  CHECK(passing / all == Approx(1.0 / 3));
  // 20000 tokens: a standard error of the ratio below 0.005.
  CHECK(*rates.excess_weighted == Approx(1.0 / 3).margin(0.03));
  CHECK(*rates.false_positive == Approx(1.0 / 3).margin(0.03));
}

TEST_CASE("one label only: a constant score and no curve") {
  const auto level = make_pair("iid(draft=[1/2,1/2],target=[1/2,1/2])");
  const Trained equal = train(level, small_training());
  CHECK(score(equal, Rows<double>(level), 0, 0) == 1);
  CHECK(roc_curve(equal.held_out).empty());
  CHECK_FALSE(area_under({}));
  const auto rates = measured_rates(equal.held_out, 0.5);
  CHECK_FALSE(rates.false_positive);
  CHECK(*rates.true_positive == 1);
  CHECK_FALSE(rates.excess_weighted);
  const auto apart = make_pair("iid(draft=[1,0],target=[0,1])");
  const Trained disjoint = train(apart, small_training());
  CHECK(score(disjoint, Rows<double>(apart), 0, 0) == 0);
  CHECK(score(disjoint, Rows<double>(apart), 0, 1) == 0);
}

TEST_CASE("lambda moves the labels") {
  const auto share = [](const char* lambda) {
    Training training = small_training();
    training.lambda = parse_rational(lambda);
    double acceptable = 0;
    for (const auto& sample : train(make_pair(kChains), training).held_out) {
      acceptable += sample.acceptable;
    }
    return acceptable;
  };
  CHECK(share("0") == 0);
  CHECK(share("1") < share("6/5"));
  CHECK(share("6/5") < share("3/2"));
  CHECK(share("1000000") == 2000);
}

TEST_CASE("prefixes in equal parts: the prompt alone, and what draft, target or either adds") {
  // After token 0 the draft is (1/2, 1/2), after token 1 (1/4, 3/4), at the start (1/8, 7/8): the
  // largest probability, a feature of the context, identifies where a token was drafted. The draft
  // goes to token 0 once in eight, the target always, and rollouts of two tokens see it at the
  // second.
  const TemporaryFile file(R"({"vocabulary":2,"kind":"tree","draft":{"":["1/8","7/8"],
    "0":["1/2","1/2"],"1":["1/4","3/4"]},"target":{"":[1,0],"0":["1/2","1/2"],"1":["1/2","1/2"]}})");
  const auto pair = make_pair("file(" + file.path() + ")");
  Training training;
  training.samples = 40000;
  training.length = 2;
  const auto share = [&](Prefixes prefixes) {
    training.prefixes = prefixes;
    // The labels do not matter: a context after 0 has draft = target, so excess 0 and label 1.
    // After 1 and at the start one of two tokens has an excess.
    double level = 0;
    const Trained trained = train(pair, training);
    for (const HeldOut& token : trained.held_out) level += token.excess == 0 ? 1 : 0;
    return level / training.samples;
  };
  // Excess 0: at the start token 0 (1/8), after 0 both, after 1 token 0 (1/4).
  const auto second = [](double zero) { return zero + (1 - zero) / 4; };
  const auto two = [&](double zero) { return (0.125 + second(zero)) / 2; };
  const double draft = two(0.125);
  const double equal = (0.125 + draft + two(1) + two((1 + 0.125) / 2)) / 4;
  // A standard error of 0.0025.
  CHECK(share(Prefixes::draft) == Approx(draft).margin(0.0125));
  CHECK(share(Prefixes::equal) == Approx(equal).margin(0.0125));
}

TEST_CASE("rollouts stop at the end-of-sequence token and at the pair's end") {
  for (const char* text : {"bernoulli(draft=2/3,target=1/3,eos=1)",
                           "markov(vocabulary=3,horizon=2,seed=1)", "iid(draft=[1],target=[1])"}) {
    CHECK(train(make_pair(text), small_training()).held_out.size() == 2000);
  }
}

TEST_CASE("the rates file reads back as what was trained") {
  for (const char* text : {kChains, "zipf(vocabulary=16,draft=1,target=3/2,seed=1)",
                           "iid(draft=[1/2,1/2],target=[1/2,1/2])"}) {
    CAPTURE(text);
    const auto pair = make_pair(text);
    Training training = small_training();
    training.lambda = parse_rational("6/5");
    training.tau = parse_rational("1/3");
    const Trained trained = train(pair, training);
    const TrainingReport report = report_training(pair, training, trained);
    const std::string bytes = rates_file_text(pair, training, trained, report);
    const PassRates read("here", bytes);
    CHECK(std::get<LogisticRates>(read.content()) == trained.rates);
    CHECK(trained.rates.threshold == 1.0 / 3);
    const auto recorded = nlohmann::json::parse(bytes)["training"];
    CHECK(recorded["pair"] == pair->name());
    CHECK(recorded["lambda"] == "6/5");
    CHECK(recorded["samples"] == 2000);
    CHECK(recorded["roc"].size() == report.roc.size());
    const auto rates = measured_rates(trained.held_out, 1.0 / 3);
    // Of equal laws every token is acceptable.
    const bool equal = std::string_view(text).starts_with("iid");
    REQUIRE(rates.false_positive.has_value() == !equal);
    if (!equal) {
      CHECK(recorded["false_positive"] == *rates.false_positive);
      CHECK(recorded["area"] == *area_under(roc_curve(trained.held_out)));
    } else {
      CHECK(recorded["false_positive"].is_null());
      CHECK(recorded["area"].is_null());
    }
  }
}

TEST_CASE("a report thins the curve, keeps its ends, and puts the rates into theorem 3.1") {
  Training training = small_training();
  training.lambda = parse_rational("6/5");
  const auto chains = make_pair(kChains);
  const Trained trained = train(chains, training);
  const auto curve = roc_curve(trained.held_out);
  const TrainingReport report = report_training(chains, training, trained);
  CHECK(report.roc.size() <= 201);
  CHECK(report.roc.size() > 90);
  CHECK(report.roc.front().index == 0);
  CHECK(report.roc.back().index == curve.size() - 1);
  CHECK(report.roc[1].point.true_positive == curve[report.roc[1].index].true_positive);
  CHECK_FALSE(report.tv_by_class);
  // TV(d, t) = 3/8.
  const auto pair = make_pair("iid(draft=[1/2,1/4,1/8,1/8],target=[1/8,1/4,1/4,3/8])");
  training.tau = Rational(0);
  const TrainingReport all = report_training(pair, training, train(pair, training));
  CHECK(*all.rates.false_positive == 1);
  CHECK(*all.tv_by_class == 0.375);
  CHECK(*all.tv_by_token == 0.375);
  training.tau = Rational(1, 2);
  const TrainingReport half = report_training(pair, training, train(pair, training));
  REQUIRE(*half.rates.true_positive > *half.rates.false_positive);
  // lambda is 6/5: Theorem 3.1's rate is of the tokens with d > t.
  CHECK(*half.tv_by_class == *half.rates.unacceptable * 0.375);
  CHECK(*half.tv_by_token == *half.rates.excess_weighted * 0.375);
  const auto values = training_values(all);
  CHECK(values.front().quantity == QuantityId::roc_false_positive);
  CHECK(values.back().quantity == QuantityId::theorem_tv_by_token);
  CHECK(values.size() == 2 * all.roc.size() + 6);
}

TEST_CASE("a training's parameters are read strictly") {
  const auto read = [](const char* text) {
    SpecReader reader(parse_spec(text));
    const Training training = read_training(reader);
    reader.finish();
    return std::pair{training, reader.canonical()};
  };
  CHECK(read("train(lambda=1.20)").second == "train(lambda=6/5,tau=1/2)");
  CHECK(read("train(lambda=1,tau=0.25,samples=5,length=6,seed=7)").first ==
        Training{Rational(1), Rational(1, 4), 5, 6, 7});
  CHECK(read("train(lambda=1,prefixes=equal)").first.prefixes == Prefixes::equal);
  for (const auto& [text, part] :
       {std::pair{"train(lambda=1,tau=2)", "tau=2 is out of range"},
        {"train(lambda=1,tau=-1/10)", "tau=-1/10 is out of range"},
        {"train(lambda=-1)", "lambda=-1 is negative"},
        {"train(tau=1/2)", "the parameter lambda is missing"},
        {"train(lambda=1,samples=1)", "samples=1 must be a whole number"},
        {"train(lambda=1,length=0)", "length=0 must be a whole number"},
        {"train(lambda=1,seed=-1)", "seed=-1 must be a whole number"},
        {"train(lambda=1,prefixes=target)", "prefixes=target is not one of"},
        {"train(lambda=1,tua=1/2)", "unknown parameter 'tua'"}}) {
    CAPTURE(text);
    CHECK_THROWS_WITH(read(text), Containing(part));
  }
}

TEST_CASE("the memory of a training is forecast and refused with the numbers") {
  Training training;
  training.samples = 10'000'000;
  const double bytes = training_bytes(training);
  // Each sample has at least its features, twice: as rolled out and as the solver reads them.
  CHECK(bytes >= 1e7 * 3 * static_cast<double>(sizeof(DraftFeatures)));
  CHECK_THROWS_WITH(check_training_memory(training, 768.0 * (1 << 20)),
                    Containing("10000000 samples may take") &&
                        Containing("over the limit of 768 MiB") &&
                        Containing("train on fewer samples"));
  CHECK_THROWS_AS(check_training_memory(training, bytes - 1), LimitError);
  CHECK_NOTHROW(check_training_memory(training, bytes));
}

}  // namespace
}  // namespace speclab::classifier_test
