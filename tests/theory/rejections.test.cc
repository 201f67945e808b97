#include "catch.h"
#include "positions.h"
#include "theory/multi_draft.h"
#include "theory/sun2024.h"
#include "theory/yin2024.h"

namespace speclab::rejections_test {
namespace {

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

/// A biased step law: the correction is a draw from the target.
StepLaw<Rational> biased_by_target(std::span<const Rational> draft,
                                   std::span<const Rational> target) {
  return *biased_step<Rational>(draft, target, Rational(1, 8), Residual::target);
}

TEST_CASE("counts with drafts of four to six tokens follow the algorithm") {
  const StepRule<Rational> rules[] = {StepRule<Rational>(token_step<Rational>),
                                      StepRule<Rational>(biased_by_target)};
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const auto pair = random_pair(100 + seed, 2, 3);
    const Rows<Rational> rows(pair);
    for (int gamma = 4; gamma <= 6; ++gamma) {
      for (const StepRule<Rational>& rule : rules) {
        const int horizon = gamma + 2;
        CAPTURE(seed, gamma);
        Budget budget;
        const auto counts =
            stepwise_counts<Rational>(rows, point_law(rows, 0), rule, gamma, horizon, budget);
        CHECK(counts.rejections == follow_steps(*pair, rule, 0, 0, gamma, horizon, false));
        CHECK(counts.calls == 1 + follow_steps(*pair, rule, 0, 0, gamma, horizon, true));
      }
    }
  }
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

}  // namespace
}  // namespace speclab::rejections_test
