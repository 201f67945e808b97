// SPRINTER: the exact laws of zhong2025, printed and repaired, with given rates and those of a
// file.
#include <fmt/format.h>

#include "catch.h"
#include "toy.h"
#include "trained.h"
#include "vectors.h"

namespace speclab::sprinter_test {
namespace {

using nlohmann::json;

constexpr const char* kByToken = "iid(draft=[1/2,1/2,0],target=[1/4,3/8,3/8])";
constexpr const char* kSix =
    "iid(draft=[2/5,1/5,1/5,1/10,1/20,1/20],target=[1/5,1/10,3/10,1/5,1/10,1/10])";

ExactNumbers<Rational> run(std::string_view verifier, std::string_view pair, int gamma,
                           std::optional<int> horizon = std::nullopt) {
  return run_named(verifier, pair, {.lengths = {.gamma = gamma, .horizon = horizon}, .law = true});
}

std::vector<Rational> law_of_one(std::string_view verifier, std::string_view pair) {
  const auto rows = make_pair(pair);
  std::vector<Rational> law(static_cast<std::size_t>(rows->vocabulary()));
  const auto result = run(verifier, pair, kUnbounded, 1);
  for (const auto& [tokens, probability] : result.decode->law) {
    law[static_cast<std::size_t>(tokens[0])] = probability;
  }
  return law;
}

TEST_CASE("sprinter: one token is (1 - fp) t + fp d, whatever tp is") {
  for (const char* tp : {"0", "1/2", "1"}) {
    const auto law = law_of_one(fmt::format("sprinter(fp=1/4,tp={})", tp), kToy);
    CHECK(law == std::vector<Rational>{Rational(5, 12), Rational(7, 12)});
    CHECK(
        run(fmt::format("sprinter(fp=1/4,tp={})", tp), kToy, kUnbounded, 1).decode->tv_to_target ==
        Rational(1, 12));
  }
  CHECK(run("sprinter(fp=0,tp=1)", kToy, kUnbounded, 3).decode->tv_to_target == 0);
}

TEST_CASE("sprinter: rates that depend on the token are weighted by (d - t)+") {
  CHECK(law_of_one("sprinter(fp=[1,0,0],tp=1)", kByToken) ==
        std::vector<Rational>{Rational(1, 2), Rational(3, 8), Rational(1, 8)});
  CHECK(run("sprinter(fp=[1,0,0],tp=1)", kByToken, kUnbounded, 1).decode->tv_to_target ==
        Rational(1, 4));
}

TEST_CASE("sprinter as printed redraws a good token") {
  // A perfect verifier says no to token 0 alone; half of the time the target would keep it, and a
  // fresh token is drawn: 2/3 * 1/2 * 1/3.
  CHECK(law_of_one("sprinter-printed(fp=0,tp=1)", kToy) ==
        std::vector<Rational>{Rational(1, 9), Rational(8, 9)});
  CHECK(run("sprinter-printed(fp=0,tp=1)", kToy, kUnbounded, 1).decode->tv_to_target ==
        Rational(2, 9));
}

TEST_CASE("sprinter: i.i.d. labels pass a geometric number of tokens") {
  // a = P_d(d <= t) = 1/3, rho = 1/3 * 9/10 + 2/3 * 1/10 = 11/30.
  const Rational rho(11, 30);
  const auto result = run("sprinter(fp=1/10,tp=9/10)", kToy, 6);
  Rational tail(1);
  Rational expected(0);
  for (int i = 0; i < 6; ++i) {
    CHECK(result.accepted_law[static_cast<std::size_t>(i)] == tail * (1 - rho));
    tail *= rho;
    expected += tail;
  }
  CHECK(result.accepted_law[6] == tail);
  CHECK(result.expected_accepted == expected);
}

TEST_CASE("sprinter: a run drafts each token it emits, and calls its verifier as often") {
  // To the horizon every position is drafted once.
  for (const int horizon : {1, 2, 4}) {
    CHECK(run("sprinter(fp=1/10,tp=9/10)", kToy, kUnbounded, horizon).decode->draft_steps ==
          horizon);
  }
  // Cut at one token a run no bonus follows: two runs of one step.
  CHECK(run("sprinter(fp=0,tp=1)", kToy, 1, 2).decode->draft_steps == 2);
}

TEST_CASE("sprinter: decodes of the toy pair, computed by an independent program") {
  const json vectors = read_vectors("coupled.json");
  int held = 0;
  for (const json& vector : vectors.at("public").at("sprinter")) {
    const auto pair = vector.at("pair").get<std::string>();
    const auto verifier = fmt::format("sprinter(fp={},tp={})", vector.at("fp").get<std::string>(),
                                      vector.at("tp").get<std::string>());
    const int horizon = vector.at("horizon").get<int>();
    CAPTURE(verifier, horizon);
    CHECK(run(verifier, pair, kUnbounded, horizon).expected_accepted ==
          value_of(vector.at("first_run")));
    // A window cuts runs and changes nothing else: there is no bonus token.
    for (const int gamma : {1, 2, 3, kUnbounded}) {
      CAPTURE(gamma);
      const auto decode = *run(verifier, pair, gamma, horizon).decode;
      CHECK(decode.target_calls == value_of(vector.at("target_calls")));
      CHECK(decode.rejections == value_of(vector.at("rejections")));
      CHECK(decode.draft_steps == value_of(vector.at("draft_steps")));
      CHECK(decode.tv_to_target == value_of(vector.at("tv_to_target")));
      CHECK(decode.tokens == horizon);
      CHECK(decode.acceptance_length.has_value() == (decode.target_calls > 0));
      if (decode.acceptance_length) {
        CHECK(*decode.acceptance_length * decode.target_calls == horizon);
      }
    }
    ++held;
  }
  CHECK(held == 20);
}

TEST_CASE("sprinter: the target is not called after an end-of-sequence token") {
  // d = (1/3, 2/3), t = (2/3, 1/3), and token 1 ends the sequence. It passes with fp = 1 and ends
  // the decode without a call, though the verifier would refuse the padding behind it; token 0 is
  // refused with tp = 0 and kept.
  const char* ends = "bernoulli(draft=2/3,target=1/3,eos=1)";
  for (const int gamma : {1, 2, kUnbounded}) {
    const auto passed = *run("sprinter(fp=1,tp=0)", ends, gamma, 2).decode;
    CHECK(passed.target_calls == Rational(1, 3) * (1 + Rational(1, 3)));
    // Token 1 is refused, and kept as the end or replaced by 0; token 0 passes.
    const auto refused = *run("sprinter(fp=0,tp=1)", ends, gamma, 2).decode;
    CHECK(refused.target_calls == Rational(2, 3) * (1 + Rational(2, 3)));
  }
}

TEST_CASE("sprinter-printed calls the target where sprinter does") {
  for (const int gamma : {1, 2, kUnbounded}) {
    const auto decode = *run("sprinter-printed(fp=1/2,tp=9/10)", kToy, gamma, 4).decode;
    CHECK(decode.target_calls == Rational(22, 15));
    CHECK(decode.draft_steps == 4);
  }
}

TEST_CASE("sprinter: a token with d = t is a good one") {
  // d <= t at tokens 1 and 2: a = 1/2, and not 1/4.
  const char* level = "iid(draft=[1/2,1/4,1/4],target=[1/4,1/4,1/2])";
  CHECK(run("sprinter(fp=0,tp=1)", level, 1).expected_accepted == Rational(1, 2));
  CHECK(run("sprinter(fp=1,tp=0)", level, 1).expected_accepted == Rational(1, 2));
}

TEST_CASE("sprinter: a last token that passes the target's check is no rejection") {
  // Rejected at one position: sum d (1 - pass) (1 - t/d)+ = (1 - fp) TV, as (d - t)+ is bad alone.
  CHECK(run("sprinter(fp=0,tp=1)", kToy, kUnbounded, 1).decode->rejections == Rational(1, 3));
  CHECK(run("sprinter(fp=0,tp=0)", kToy, kUnbounded, 1).decode->rejections == Rational(1, 3));
  CHECK(run("sprinter(fp=1/4,tp=1/2)", kToy, kUnbounded, 1).decode->rejections == Rational(1, 4));
}

TEST_CASE("sprinter(rates=): the file decides per token, exactly") {
  const auto pair = make_pair(kSix);
  Training training;
  training.samples = 1000;
  const Trained trained = train(pair, training);
  const Rows<Rational> rows(pair);
  const Rows<double> doubles(pair);
  for (const char* tau : {"0", "3/10", "1/2", "7/10", "1"}) {
    CAPTURE(tau);
    training.tau = parse_rational(tau);
    Rational distance(0);
    Rational rho(0);
    for (Token x = 0; x < pair->vocabulary(); ++x) {
      const auto i = static_cast<std::size_t>(x);
      const auto draft = doubles.draft(0);
      const double score = trained.rates.score(draft_features(draft, context_features(draft), x));
      if (score < to_double(training.tau)) continue;
      distance += positive_part<Rational>(rows.draft(0)[i] - rows.target(0)[i]);
      rho += rows.draft(0)[i];
    }
    const TrainedFile file(kSix, training);
    const ExactRequest request{.lengths = {.gamma = 2, .horizon = 1}};
    const ExactNumbers<Rational> result = run_exact(make_verifier(file.verifier()), rows, request);
    CHECK(result.decode->tv_to_target == distance);
    CHECK(result.expected_accepted == rho + rho * rho);
    CHECK(run_exact(make_verifier(file.verifier()), doubles, request)
              .at(QuantityId::expected_accepted) ==
          Approx(to_double(rho + rho * rho)).epsilon(1e-12).margin(1e-15));
  }
}

TEST_CASE("sprinter(rates=): between the draft's law and the target's") {
  const char* tree = "tree(vocabulary=3,depth=3,seed=5)";
  // Threshold 0 lets everything pass: the output is the draft's.
  const TrainedFile passing(tree, Training{.tau = Rational(0), .samples = 500});
  const auto all = run(passing.verifier(), tree, kUnbounded, 2);
  const auto rates = run("sprinter(fp=1,tp=1)", tree, kUnbounded, 2);
  CHECK(all.decode->law == rates.decode->law);
  CHECK(all.decode->target_calls == 0);
  CHECK_FALSE(all.decode->acceptance_length.has_value());
  // Threshold 1 lets nothing pass where both labels were seen: the target checks every token.
  const TrainedFile refusing(tree, Training{.tau = Rational(1), .samples = 500});
  const auto none = run(refusing.verifier(), tree, kUnbounded, 2);
  CHECK(none.decode->tv_to_target == 0);
  CHECK(none.decode->target_calls == 2);
}

TEST_CASE("sprinter(rates=): a table of the rates by class is sprinter with those rates") {
  // d > t at token 0 alone.
  const TemporaryFile file(R"({"schema":2,"kind":"table","rates":[["1/10","9/10"]]})");
  for (const char* name : {"sprinter", "sprinter-printed"}) {
    for (const int gamma : {2, kUnbounded}) {
      const auto given = run(fmt::format("{}(fp=1/10,tp=9/10)", name), kToy, gamma, 3);
      const auto read = run(fmt::format("{}(rates={})", name, file.path()), kToy, gamma, 3);
      CHECK(read.accepted_law == given.accepted_law);
      CHECK(read.decode->law == given.decode->law);
      CHECK(read.decode->target_calls == given.decode->target_calls);
      CHECK(read.decode->rejections == given.decode->rejections);
    }
  }
}

}  // namespace
}  // namespace speclab::sprinter_test
