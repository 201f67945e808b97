#include "catch.h"
#include "small_pairs.h"
#include "theory/leviathan2023.h"
#include "theory/multi_draft.h"
#include "theory/sun2024.h"
#include "theory/yin2024.h"
#include "theory/zhong2025.h"

namespace speclab {
namespace {

using Rationals = std::vector<Rational>;

Rational R(const char* text) { return parse_rational(text); }

std::span<const Rational> view(const Rationals& law) { return {law.data(), law.size()}; }

/// The root of Algorithm 4 step by step, each residual normalised.
struct RootOutcome {
  Rationals accepted;
  Rational rejected;
  Rationals correction;
};
RootOutcome root(const LawsAtState& laws, int batches) {
  RootOutcome out{Rationals(laws.draft.size(), Rational(0)), Rational(1), laws.target};
  for (int m = 0; m < batches && out.rejected > 0; ++m) {
    Rational mass(0);
    Rationals residual;
    for (std::size_t x = 0; x < laws.draft.size(); ++x) {
      out.accepted[x] += out.rejected * std::min(laws.draft[x], out.correction[x]);
      residual.push_back(positive_part<Rational>(out.correction[x] - laws.draft[x]));
      mass += residual.back();
    }
    out.rejected *= mass;
    if (mass == 0) break;
    for (auto& weight : residual) weight /= mass;
    out.correction = residual;
  }
  return out;
}

/// E[rejections] and E[calls after this one] of batch(M) by following the algorithm; `calls` counts
/// a rejection only where a position is left.
Rational follow_batch(const Pair& pair, State state, bool at_root, int batches, int left,
                      bool calls) {
  if (left == 0) return Rational(0);
  const auto laws = laws_at(pair, state);
  const auto out = root(laws, at_root ? batches : 1);
  Rational total(0);
  for (std::size_t x = 0; x < laws.draft.size(); ++x) {
    const State next = pair.next(state, static_cast<Token>(x));
    if (out.accepted[x] > 0) {
      total += out.accepted[x] * follow_batch(pair, next, false, batches, left - 1, calls);
    }
    if (out.rejected * out.correction[x] > 0) {
      total +=
          out.rejected * out.correction[x] *
          ((calls && left == 1 ? 0 : 1) + follow_batch(pair, next, true, batches, left - 1, calls));
    }
  }
  return total;
}

TEST_CASE("expected rejections of the toy pair") {
  const Rows<Rational> rows(toy());
  const auto start = start_law(rows);
  Budget budget;
  CHECK(token_rejections(rows, start, 2, budget).expected() == R("2/3"));
  CHECK(token_rejections(rows, start, 3, budget).expected() == 1);
  CHECK(token_rejections(rows, start, 2, budget).target_calls() == R("4/3"));
  CHECK(batch_rejections(rows, start, 2, 2, budget).expected() == R("43/81"));
  for (int batches = 1; batches <= 6; ++batches) {
    CHECK(batch_rejections(rows, start, batches, 1, budget).expected() ==
          R("1/3") * power<Rational>(R("2/3"), batches - 1));
  }
  CHECK(batch_rejections(rows, start, kManyBatches, 1, budget).expected() == 0);
}

TEST_CASE("a draft that misses target tokens is rejected however many there are") {
  const Rows<Rational> rows(iid({"0", "1"}, {"1/2", "1/2"}));
  Budget budget;
  for (const int batches : {1, 2, 5, 100, kManyBatches}) {
    CHECK(batch_rejections(rows, start_law(rows), batches, 1, budget).expected() == R("1/2"));
  }
}

TEST_CASE("rejections follow the algorithms on random pairs") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const auto pair = random_pair(seed, 1 + seed % 3, 1 + seed % 4);
    const Rows<Rational> rows(pair);
    const Rows<double> near(pair);
    const auto start = point_law(rows, 0);
    const int horizon = 1 + static_cast<int>(seed % 4);
    Budget budget;
    const auto token = token_rejections(rows, start, horizon, budget);
    CHECK(token.expected() == follow_batch(*pair, 0, true, 1, horizon, false));
    CHECK(token.target_calls() == 1 + follow_batch(*pair, 0, true, 1, horizon, true));
    const auto counts =
        stepwise_counts<Rational>(rows, start, token_step<Rational>, kUnbounded, horizon, budget);
    CHECK(counts.rejections == token.expected());
    CHECK(counts.calls == token.target_calls());
    for (int batches = 1; batches <= 4; ++batches) {
      const auto batch = batch_rejections(rows, start, batches, horizon, budget);
      CHECK(batch.expected() == follow_batch(*pair, 0, true, batches, horizon, false));
      CHECK(batch.target_calls() == 1 + follow_batch(*pair, 0, true, batches, horizon, true));
      CHECK(batch_rejections(near, point_law(near, 0), batches, horizon, budget).expected() ==
            Approx(to_double(batch.expected())).margin(1e-13));
    }
    const auto limit = batch_rejections(rows, start, kManyBatches, horizon, budget).expected();
    const auto many = batch_rejections(rows, start, 400, horizon, budget).expected();
    CHECK(to_double(limit) == Approx(to_double(many)).margin(1e-12));
  }
}

TEST_CASE("the first tokens of batch are accepted as its root accepts") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const auto pair = random_pair(seed, 2 + seed % 2, 3);
    const Rows<Rational> rows(pair);
    Budget budget;
    for (int batches = 1; batches <= 3; ++batches) {
      const auto tail = batch_tail(rows, point_law(rows, 0), batches, 2, budget);
      const auto first = root(laws_at(*pair, 0), batches);
      Rational one(0), two(0);
      for (std::size_t x = 0; x < first.accepted.size(); ++x) {
        one += first.accepted[x];
        const auto second = root(laws_at(*pair, pair->next(0, static_cast<Token>(x))), 1);
        two += first.accepted[x] * (1 - second.rejected);
      }
      CHECK(tail == Rationals{Rational(1), one, two});
    }
    CHECK(batch_tail(rows, point_law(rows, 0), 1, 4, budget) ==
          token_tail(rows, point_law(rows, 0), 4, budget));
  }
}

TEST_CASE("batch improvements of one token") {
  Budget budget;
  for (const char* u : {"1/2", "2/3", "1"}) {
    for (const char* v : {"0", "1/3", "1/2"}) {
      const Rows<Rational> rows(iid({to_text(1 - R(u)), u}, {to_text(1 - R(v)), v}));
      for (int batches = 1; batches <= 5; ++batches) {
        CHECK(R(u) - R(v) - bernoulli_improvement(R(u), R(v), batches) ==
              batch_rejections(rows, start_law(rows), batches, 1, budget).expected());
      }
    }
  }
  const Rows<Rational> rows(
      iid({"1/5", "1/5", "1/5", "1/5", "1/5"}, {"1/2", "1/2", "0", "0", "0"}));
  for (int batches = 1; batches <= 5; ++batches) {
    CHECK(R("3/5") - uniform_improvement(R("5/2"), batches) ==
          batch_rejections(rows, start_law(rows), batches, 1, budget).expected());
  }
}

/// Rejections and calls of a stepwise verifier with bounded drafts, by following it.
Rational follow_steps(const Pair& pair, const StepRule<Rational>& rule, State state, int drafted,
                      int gamma, int left, bool calls) {
  if (left == 0) return Rational(0);
  const auto laws = laws_at(pair, state);
  const auto law = rule(0, view(laws.draft), view(laws.target));
  Rational total(0);
  for (std::size_t x = 0; x < laws.draft.size(); ++x) {
    const State next = pair.next(state, static_cast<Token>(x));
    const Rational ended = calls && left == 1 ? 0 : 1;
    if (drafted == gamma) {
      total += laws.target[x] * ((calls ? ended : Rational(0)) +
                                 follow_steps(pair, rule, next, 0, gamma, left - 1, calls));
      continue;
    }
    total += law.accepted[x] * follow_steps(pair, rule, next, drafted + 1, gamma, left - 1, calls);
    total += law.corrected[x] * (ended + follow_steps(pair, rule, next, 0, gamma, left - 1, calls));
  }
  return total;
}

TEST_CASE("counts with bounded drafts follow the algorithm") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const auto pair = random_pair(seed, 2, 3);
    const Rows<Rational> rows(pair);
    Budget budget;
    for (int gamma = 1; gamma <= 3; ++gamma) {
      const auto counts = stepwise_counts<Rational>(rows, point_law(rows, 0), token_step<Rational>,
                                                    gamma, 5, budget);
      CHECK(counts.rejections == follow_steps(*pair, token_step<Rational>, 0, 0, gamma, 5, false));
      CHECK(counts.calls == 1 + follow_steps(*pair, token_step<Rational>, 0, 0, gamma, 5, true));
    }
  }
}

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

TEST_CASE("leviathan's sums have their limits") {
  CHECK(expected_tokens(Rational(1), 4) == 5);
  CHECK(expected_tokens(Rational(0), 4) == 1);
  const Rational a = R("3/4");
  CHECK(expected_tokens(a, 4) == (1 - power<Rational>(a, 5)) / (1 - a));
  CHECK(expected_speedup(a, 4, R("1/10")) ==
        (1 - power<Rational>(a, 5)) / ((1 - a) * (4 * R("1/10") + 1)));
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
}  // namespace speclab
