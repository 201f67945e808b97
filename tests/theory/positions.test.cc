#include "positions.h"

#include <cmath>
#include <random>

#include "catch.h"
#include "theory/leviathan2023.h"
#include "theory/multi_draft.h"
#include "theory/sun2024.h"
#include "theory/yin2024.h"

namespace speclab::positions_test {
namespace {

TEST_CASE("biased verification: Theorems 4 and 5") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const auto laws = laws_at(*random_pair(seed, 1 + seed % 4, 1), 0);
    const auto draft = view(laws.draft), target = view(laws.target);
    for (const char* eps : {"0", "1/10", "1/3", "2"}) {
      CAPTURE(seed, eps);
      const Rational rejection = biased_rejection(draft, target, R(eps));
      const Rational loss = least_loss(draft, target, R(eps));
      CHECK(rejection + loss == total_variation<Rational>(draft, target));
      for (const Residual residual :
           {Residual::optimal, Residual::standard, Residual::target, Residual::draft}) {
        const auto law = biased_step<Rational>(draft, target, R(eps), residual);
        REQUIRE(law.has_value());
        CHECK(law->rejection() == rejection);
        Rationals emitted;
        Rational total(0);
        for (std::size_t x = 0; x < draft.size(); ++x) {
          // b d with b as the paper defines it.
          const Rational b =
              draft[x] > 0 ? min_one<Rational>((target[x] + R(eps)) / draft[x]) : Rational(1);
          CHECK(law->accepted[x] == b * draft[x]);
          emitted.push_back(law->accepted[x] + law->corrected[x]);
          total += emitted.back();
        }
        CHECK(total == 1);
        const Rational tv = total_variation<Rational>(view(emitted), target);
        if (residual == Residual::optimal || residual == Residual::standard) {
          CHECK(tv == loss);
        } else {
          CHECK(tv >= loss);
        }
      }
    }
  }
}

TEST_CASE("TV of whole decodes equals the sum over all paths") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const auto pair = random_pair(seed, 2 + seed % 2, 3);
    const Rows<Rational> rows(pair);
    const StepRule<Rational> rule = [](auto draft, auto target) {
      return *biased_step<Rational>(draft, target, Rational(1, 8), Residual::target);
    };
    Rational tv(0);
    for (const Path& path : all_paths(*pair, 0, 3)) {
      Rational emitted(1);
      for (std::size_t j = 0; j < 3; ++j) {
        const auto laws = laws_at(*pair, path.states[j]);
        const auto law = rule(0, view(laws.draft), view(laws.target));
        const auto x = static_cast<std::size_t>(path.tokens[j]);
        emitted *= law.accepted[x] + law.corrected[x];
      }
      tv += abs(Rational(emitted - path.joint_target.back())) / 2;
    }
    Budget budget;
    CHECK(stepwise_tv(rows, point_law(rows, 0), rule, 3, budget) == tv);
  }
}

TEST_CASE("recursive rejection sampling and k-sequential selection") {
  const auto laws = laws_at(*toy(), 0);
  const auto draft = view(laws.draft), target = view(laws.target);
  CHECK(1 - rrs_step(draft, target, 2).rejection() == R("7/9"));
  CHECK(1 - rrs_step(draft, target, 3).rejection() == R("23/27"));
  const std::vector<double> d{2.0 / 3, 1.0 / 3}, t{1.0 / 3, 2.0 / 3};
  const std::span<const double> near_d(d), near_t(t);
  CHECK(kseq_acceptance(near_d, near_t, 2) == Approx(0.8114195153).margin(5e-11));
  CHECK(kseq_acceptance(near_d, near_t, 3) == Approx(0.8965764760).margin(5e-11));
  const auto skewed = laws_at(*iid({"1/8", "1/4", "5/8"}, {"1/2", "3/8", "1/8"}), 0);
  CHECK(1 - rrs_step(view(skewed.draft), view(skewed.target), 2).rejection() == R("11/16"));
}

TEST_CASE("rho* solves its equation and the step laws emit the target") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const auto laws = laws_at(*random_pair(seed, 1 + seed % 5, 1), 0);
    const auto draft = view(laws.draft), target = view(laws.target);
    std::vector<double> d, t;
    for (std::size_t x = 0; x < draft.size(); ++x) {
      d.push_back(to_double(draft[x]));
      t.push_back(to_double(target[x]));
    }
    const std::span<const double> near_d(d), near_t(t);
    for (int k = 1; k <= 5; ++k) {
      CAPTURE(seed, k);
      const double rho = kseq_rho(near_d, near_t, k);
      CHECK(rho >= 1);
      CHECK(rho <= k);
      CHECK(kseq_excess(near_d, near_t, rho, k) == Approx(0).margin(1e-14));
      const Rational above = kseq_rho(draft, target, k);
      CHECK(kseq_excess(draft, target, above, k) <= 0);
      CHECK(to_double(above) == Approx(rho).epsilon(1e-12));
      const Rational acceptance = kseq_acceptance(draft, target, k);
      CHECK(to_double(acceptance) == Approx(kseq_acceptance(near_d, near_t, k)).margin(1e-12));
      const Rational best = best_acceptance(draft, target, k);
      CHECK(acceptance <= best);
      CHECK(acceptance >= accepted_once(Rational(1, k), k) * best);
      CHECK(1 - rrs_step(draft, target, k).rejection() <= best);
      for (const auto& law : {kseq_step(draft, target, k), rrs_step(draft, target, k)}) {
        for (std::size_t x = 0; x < draft.size(); ++x) {
          CHECK(law.accepted[x] + law.corrected[x] == target[x]);
          CHECK(law.accepted[x] >= 0);
          CHECK(law.corrected[x] >= 0);
        }
      }
      CHECK(kseq_step(draft, target, k).rejection() == 1 - acceptance);
      CHECK(rrs_step(draft, target, k).rejection() == root(laws, k).rejected);
    }
  }
}

TEST_CASE("leviathan's sums have their limits") {
  CHECK(expected_tokens(Rational(1), 4) == 5);
  CHECK(expected_tokens(Rational(0), 4) == 1);
  const Rational a = R("3/4");
  CHECK(expected_tokens(a, 4) == R("781/256"));
  CHECK(expected_improvement(a, 4, R("1/10")) ==
        (1 - power<Rational>(a, 5)) / ((1 - a) * (4 * R("1/10") + 1)));
}

TEST_CASE("leviathan's sum of a long draft takes as many products as its length has bits") {
  // 2 - 2^-n at a = 1/2.
  const Rational left = 2 - expected_tokens(R("1/2"), 1'000'000);
  CHECK(left * power<Rational>(R("2"), 1'000'000) == 1);
}

TEST_CASE("leviathan's sums at every draft length") {
  for (const char* rate : {"0", "1/3", "3/4", "1"}) {
    const Rational a = R(rate);
    for (int gamma = 0; gamma <= 12; ++gamma) {
      CAPTURE(rate, gamma);
      Rational tokens(1);
      for (int i = 1; i <= gamma; ++i) tokens = 1 + a * tokens;
      CHECK(expected_tokens(a, gamma) == tokens);
      CHECK(expected_tokens(to_double(a), gamma) == Approx(to_double(tokens)).epsilon(1e-14));
      CHECK(expected_improvement(a, gamma, R("1/10")) == tokens / (1 + R("1/10") * gamma));
    }
  }
}

TEST_CASE("alpha* is the least over all sets of tokens, in whatever order they come") {
  const std::vector<std::pair<Rationals, Rationals>> laws{
      {{R("1/2"), R("0"), R("1/2")}, {R("3/4"), R("0"), R("1/4")}},
      {{R("0"), R("1/2"), R("0"), R("1/2")}, {R("0"), R("1/4"), R("1/2"), R("1/4")}},
      // The order of t, of d and of t - d are all others than that of t / d.
      {{R("1/10"), R("1/2"), R("2/5"), R("0")}, {R("1/20"), R("2/5"), R("7/20"), R("1/5")}},
      {{R("1/8"), R("1/4"), R("5/8")}, {R("1/2"), R("3/8"), R("1/8")}},
      {{R("3/20"), R("1/20"), R("1/5"), R("3/5")}, {R("1/4"), R("1/10"), R("1/20"), R("3/5")}}};
  for (const auto& [draft, target] : laws) {
    std::vector<std::size_t> order(draft.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    do {
      Rationals d, t;
      std::vector<double> near_d, near_t;
      for (const std::size_t i : order) {
        d.push_back(draft[i]);
        t.push_back(target[i]);
        near_d.push_back(to_double(draft[i]));
        near_t.push_back(to_double(target[i]));
      }
      for (int k = 1; k <= 4; ++k) {
        CAPTURE(order, k);
        const Rational best = least_over_sets(draft, target, k);
        CHECK(best_acceptance(view(d), view(t), k) == best);
        const double near =
            best_acceptance(std::span<const double>(near_d), std::span<const double>(near_t), k);
        CHECK(std::abs(near - to_double(best)) < 1e-15);
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
  CHECK(best_acceptance(view(laws[0].first), view(laws[0].second), 1) == R("3/4"));
}

TEST_CASE("alpha* in doubles where products of two probabilities are too small for a double") {
  std::mt19937 engine(20260306);
  for (int round = 0; round < 40; ++round) {
    std::vector<double> laws[2];
    Rationals exactly[2];
    for (int model = 0; model < 2; ++model) {
      double total = 0;
      for (int x = 0; x < 60; ++x) {
        const int power = engine() % 2 == 0 ? static_cast<int>(engine() % 8)
                                            : 160 + static_cast<int>(engine() % 800);
        laws[model].push_back(std::ldexp(1.0, -power));
        total += laws[model].back();
      }
      for (double& entry : laws[model]) {
        entry /= total;
        exactly[model].push_back(exact(entry));
      }
    }
    for (const int k : {1, 2, 4}) {
      const double near =
          best_acceptance(std::span<const double>(laws[0]), std::span<const double>(laws[1]), k);
      const Rational best = best_acceptance(view(exactly[0]), view(exactly[1]), k);
      CAPTURE(round, k);
      CHECK(std::abs(near - to_double(best)) < 1e-13);
    }
  }
}

TEST_CASE("lenience keeps tokens below target / l") {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const auto laws = laws_at(*random_pair(seed, 3, 1), 0);
    const auto law = lenient_step<Rational>(view(laws.draft), view(laws.target), R("1/2"));
    REQUIRE(law.has_value());
    for (std::size_t x = 0; x < 3; ++x) {
      CHECK(law->accepted[x] == std::min(laws.draft[x], Rational(2 * laws.target[x])));
    }
  }
  const Rationals level{R("1/2"), R("1/2")};
  CHECK_FALSE(lenient_step<Rational>(view(level), view(level), Rational(2)).has_value());
}

}  // namespace
}  // namespace speclab::positions_test
