#include <nlohmann/json.hpp>

#include "catch.h"
#include "positions.h"
#include "system/read_file.h"
#include "theory/zhong2025.h"

namespace speclab::sprinter_test {
namespace {

TEST_CASE("SPRINTER's law and acceptance") {
  const VerifierRates<Rational> by_token{{Rational(1), Rational(0), Rational(0)}, Rational(0)};
  const auto pair = iid({"1/2", "1/2", "0"}, {"1/4", "3/8", "3/8"});
  const auto laws = laws_at(*pair, 0);
  CHECK_FALSE(by_token.by_class());
  CHECK(sprinter_tv(view(laws.draft), view(laws.target), by_token) == R("1/4"));
  const auto law = sprinter_step(view(laws.draft), view(laws.target), by_token);
  CHECK(law.accepted[0] + law.corrected[0] == R("1/2"));
  CHECK(law.accepted[1] + law.corrected[1] == R("3/8"));
  CHECK(law.accepted[2] + law.corrected[2] == R("1/8"));
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const auto random = laws_at(*random_pair(seed, 1 + seed % 4, 1), 0);
    const auto draft = view(random.draft), target = view(random.target);
    const VerifierRates<Rational> rates{{Rational(static_cast<long>(seed % 5), 4)},
                                        Rational(static_cast<long>(seed % 3), 2)};
    const auto step = sprinter_step(draft, target, rates);
    const Rational tv = total_variation<Rational>(draft, target);
    Rationals emitted;
    for (std::size_t x = 0; x < draft.size(); ++x) {
      emitted.push_back(step.accepted[x] + step.corrected[x]);
      CHECK(emitted.back() == (1 - rates.fp[0]) * target[x] + rates.fp[0] * draft[x]);
    }
    CHECK(total_variation<Rational>(view(emitted), target) == rates.fp[0] * tv);
    CHECK(sprinter_tv(draft, target, rates) == rates.fp[0] * tv);
    CHECK(1 - step.rejection() == sprinter_acceptance(tv, rates.fp[0]));
  }
}

TEST_CASE("SPRINTER's numbers of passed tokens") {
  const Rational fp = R("1/3"), tp = R("3/4");
  for (int r = 0; r <= 5; ++r) {
    Rational mean(0), mass(0);
    for (int i = 0; i <= 200; ++i) {
      mean += i * passed_probability(fp, tp, r, i);
      mass += passed_probability(fp, tp, r, i);
    }
    CHECK(to_double(mass) == Approx(1).epsilon(1e-14));
    CHECK(to_double(mean) == Approx(to_double(expected_passed(fp, tp, r))).epsilon(1e-13));
    // The printed forms, equations (3) and (4).
    const Rational tail = power<Rational>(tp, r);
    CHECK(expected_passed(fp, tp, r) == (tp - tail) / (1 - tp) + tail / (1 - fp));
    CHECK(expected_stopping_time(fp, tp, r, R("1/10")) ==
          R("1/10") * ((1 - tail) / (1 - tp) + tail / (1 - fp)));
  }
  CHECK(expected_passed(fp, Rational(1), 5) == 4 + 1 / (1 - fp));

  // i.i.d. labels on the toy pair: a = 1/3, rho = a tp + (1 - a) fp = 17/36.
  const Rows<Rational> rows(toy());
  const VerifierRates<Rational> rates{{fp}, tp};
  const Rational rho = passing(rows.draft(0), rows.target(0), rates);
  CHECK(rho == R("17/36"));
  CHECK(expected_passed_iid(rho) == R("17/19"));
  CHECK(expected_stopping_time_iid(rho, R("1/10")) == R("36/190"));
  Budget budget;
  const auto tail = passed_tail(rows, start_law(rows), rates, 4, budget);
  for (int i = 0; i <= 4; ++i) {
    CHECK(tail[static_cast<std::size_t>(i)] == power<Rational>(rho, i));
  }
  CHECK(speculative_flops(5, R("1"), R("10")) == 55);
  CHECK(sprinter_flops(5, R("1"), R("1/10"), R("10")) == R("31/2"));
}

TEST_CASE("SPRINTER's theorems, computed by an independent program") {
  int held = 0;
  const auto vectors =
      nlohmann::json::parse(read_file(SPECLAB_SOURCE_DIR "/tests/data/coupled.json"));
  for (const auto& vector : vectors.at("public").at("sprinter_theorems")) {
    const auto number = [](const nlohmann::json& text) {
      return parse_rational(text.get<std::string>());
    };
    const int r = vector.at("r").get<int>();
    const Rational fp = number(vector.at("fp")), tp = number(vector.at("tp"));
    CHECK(expected_passed(fp, tp, r) == number(vector.at("expected_passed")));
    CHECK(expected_stopping_time(fp, tp, r, Rational(1)) ==
          number(vector.at("stopping_time_per_draft_step")));
    int i = 0;
    for (const auto& mass : vector.at("law")) {
      CHECK(passed_probability(fp, tp, r, i++) == number(mass));
    }
    ++held;
  }
  CHECK(held == 3);
}

TEST_CASE("SPRINTER's calls and rejections of the toy pair: T (1 - rho) and T (1 - fp) TV") {
  const Rows<Rational> rows(toy());
  const VerifierRates<Rational> rates{{R("3/4")}, R("9/10")};
  Budget budget;
  for (const int horizon : {1, 4, 6}) {
    const auto counts = sprinter_counts(rows, start_law(rows), rates, horizon, budget);
    CHECK(counts.calls == R("1/5") * horizon);
    CHECK(counts.rejections == R("1/12") * horizon);
  }
}

TEST_CASE("FLOPs of Table 3") {
  // K F_d(gamma) + F_t(nodes); F_t(nodes) + depth F_d(nodes / depth).
  CHECK(medusa_flops(5, 3, 8, R("1"), R("10")) == 95);
  CHECK(eagle2_flops(8, 4, R("1"), R("10")) == 88);
}

TEST_CASE("Theorem 3.3 with its own hypothesis: r acceptable tokens, then none") {
  // State s counts tokens; d = t before r, disjoint supports from then on.
  constexpr std::size_t kAcceptable = 3, kLength = 6;
  auto pair = std::make_shared<ListedPair>();
  for (std::size_t s = 0; s <= kLength; ++s) {
    const bool acceptable = s < kAcceptable;
    pair->drafts.push_back(law_of(acceptable ? std::vector<std::string>{"1/2", "1/2", "0"}
                                             : std::vector<std::string>{"1/3", "2/3", "0"}));
    pair->targets.push_back(law_of(acceptable ? std::vector<std::string>{"1/2", "1/2", "0"}
                                              : std::vector<std::string>{"1/4", "0", "3/4"}));
    pair->successors.emplace_back(3, static_cast<State>(std::min(s + 1, kLength)));
  }
  const Rows<Rational> rows(pair);
  const VerifierRates<Rational> rates{{R("2/5")}, R("5/6")};
  Budget budget;
  const auto tail = passed_tail(rows, start_law(rows), rates, kLength, budget);
  for (std::size_t i = 0; i < kLength; ++i) {
    CHECK(tail[i] - tail[i + 1] ==
          passed_probability(rates.fp[0], rates.tp, kAcceptable, static_cast<int>(i)));
  }
}

}  // namespace
}  // namespace speclab::sprinter_test
