#include <cmath>

#include "catch.h"
#include "small_pairs.h"
#include "theory/leviathan2023.h"
#include "theory/lin2026.h"
#include "theory/multi_draft.h"
#include "theory/sun2024.h"
#include "theory/sun2025.h"
#include "theory/yin2024.h"

namespace speclab::blocks_test {
namespace {

/// P(tau >= i | path) of block verification by its coins: tau is the largest i whose coin accepts.
/// A coin of 0/0 is never decisive; it is taken to accept.
Rationals block_tail_by_coins(const Pair& pair, int gamma) {
  Rationals tail(static_cast<std::size_t>(gamma) + 1, Rational(0));
  for (const Path& path : all_paths(pair, 0, gamma)) {
    const Rational& mass = path.joint_draft.back();
    if (mass == 0) continue;
    Rationals accepts{Rational(1)};
    Rational w(1);
    for (std::size_t i = 1; i <= static_cast<std::size_t>(gamma); ++i) {
      const auto before = laws_at(pair, path.states[i - 1]);
      const auto x = static_cast<std::size_t>(path.tokens[i - 1]);
      w = min_one<Rational>(w * before.target[x] / before.draft[x]);
      if (i == static_cast<std::size_t>(gamma)) {
        accepts.push_back(w);
        break;
      }
      const auto here = laws_at(pair, path.states[i]);
      Rational excess(0);
      for (std::size_t y = 0; y < here.draft.size(); ++y) {
        excess += positive_part<Rational>(w * here.target[y] - here.draft[y]);
      }
      const Rational scale = excess + 1 - w;
      accepts.push_back(scale == 0 ? Rational(1) : Rational(excess / scale));
    }
    Rational none(1);  // no coin after i accepts
    for (std::size_t i = accepts.size(); i-- > 0;) {
      for (std::size_t j = 0; j <= i; ++j) tail[j] += mass * none * accepts[i];
      none *= 1 - accepts[i];
    }
  }
  return tail;
}

/// E[N(i)] of block verification, one iteration after the other, path by path.
Rational block_tokens_by_paths(const Pair& pair, State start, int gamma, int iterations) {
  if (iterations == 0) return Rational(0);
  Rational total(0);
  for (int length = 0; length <= gamma; ++length) {
    for (const Path& path : all_paths(pair, start, length)) {
      if (path.joint_draft.back() == 0) continue;
      Rational w(1);
      for (std::size_t i = 0; i < path.tokens.size(); ++i) {
        const auto laws = laws_at(pair, path.states[i]);
        const auto x = static_cast<std::size_t>(path.tokens[i]);
        w = min_one<Rational>(w * laws.target[x] / laws.draft[x]);
      }
      const auto laws = laws_at(pair, path.states.back());
      for (std::size_t y = 0; y < laws.draft.size(); ++y) {
        const Rational share = length == gamma
                                   ? Rational(w * laws.target[y])
                                   : positive_part<Rational>(w * laws.target[y] - laws.draft[y]);
        if (share == 0) continue;
        const State next = pair.next(path.states.back(), static_cast<Token>(y));
        total += path.joint_draft.back() * share *
                 (length + 1 + block_tokens_by_paths(pair, next, gamma, iterations - 1));
      }
    }
  }
  return total;
}

/// Starts at state 0 with probability 1/4, at state 1 with 3/4.
struct Prompted : ListedPair {
  [[nodiscard]] std::vector<Start> start() const override { return {{0, R("1/4")}, {1, R("3/4")}}; }
};

TEST_CASE("the toy pair's exact values") {
  const Rows<Rational> rows(toy());
  const auto start = start_law(rows);
  Budget budget;
  CHECK(expectation(token_tail(rows, start, 2, budget)) == R("10/9"));
  CHECK(expectation(block_tail(rows, start, 2, budget)) == R("11/9"));
  CHECK(expectation(greedy_tail(rows, start, 2, budget)) == R("4/3"));
  CHECK(block_tokens(rows, start, 2, 4, budget) ==
        Rationals{R("20/9"), R("40/9"), R("20/3"), R("80/9")});
  CHECK(block_tokens(rows, start, 3, 3, budget) == Rationals{R("8/3"), R("16/3"), R("8")});
  CHECK(1 + expectation(greedy_tail(rows, start, 3, budget)) == R("77/27"));
  CHECK(expectation(spectr_gbv_tail(rows, start, 2, 1, budget)) == R("5/6"));
  CHECK(expectation(spectr_gbv_tail(rows, start, 2, 2, budget)) == R("19/12"));
  CHECK(best_tail(rows, 0, 2, 1, budget)[1] == R("8/9"));
  CHECK(best_tail(rows, 0, 3, 1, budget)[1] == 1);
  CHECK(expected_tokens(R("2/3"), 2) == 1 + R("10/9"));
}

TEST_CASE("long drafts of the toy pair approach 2, 8 and 5 accepted tokens") {
  const Rows<double> rows(toy());
  const auto start = start_law(rows);
  Budget budget(1e8);
  CHECK(expectation(token_tail(rows, start, 100, budget)) == Approx(2).epsilon(1e-12));
  CHECK(expectation(greedy_tail(rows, start, 400, budget)) == Approx(8).epsilon(1e-6));
  CHECK(expectation(block_tail(rows, start, 400, budget)) == Approx(5).epsilon(1e-6));
}

TEST_CASE("values of named instances") {
  Budget budget;
  const auto bound = [&](const PairPointer& pair, int drafts, int gamma) {
    const Rows<Rational> rows(pair);
    return expectation(spectr_gbv_tail(rows, start_law(rows), drafts, gamma, budget));
  };
  CHECK(bound(iid({"1/2", "1/2"}, {"1/2", "1/2"}), 2, 1) == 1);
  CHECK(bound(iid({"1/2", "1/2"}, {"1/2", "1/2"}), 3, 1) == 1);
  CHECK(bound(iid({"1/2", "1/2"}, {"3/4", "1/4"}), 2, 1) == R("11/12"));
  CHECK(bound(iid({"1/8", "1/4", "5/8"}, {"1/2", "3/8", "1/8"}), 2, 1) == R("65/96"));
  // The bound does not reach the draft length where the draft misses target tokens.
  for (const int drafts : {1, 2, 7, 100}) {
    CHECK(bound(iid({"1", "0"}, {"1/2", "1/2"}), drafts, 1) == R("1/2"));
  }
  // No gain of blocks over tokens.
  const Rows<Rational> level(iid({"1", "0"}, {"1/4", "3/4"}));
  CHECK(expectation(token_tail(level, start_law(level), 2, budget)) == R("5/16"));
  CHECK(expectation(block_tail(level, start_law(level), 2, budget)) == R("5/16"));
  CHECK(expectation(greedy_tail(level, start_law(level), 2, budget)) == R("5/16"));
  const Rows<Rational> block(iid({"1/6", "5/6"}, {"1/2", "1/2"}));
  CHECK(expectation(block_tail(block, start_law(block), 3, budget)) == R("19/12"));
}

TEST_CASE("section 3.1's sums, printed and corrected") {
  const Rational d = R("2/3"), t = R("1/3");
  CHECK(bernoulli_token_accepted(d, t, 1, FirstTerm::as_printed) == R("5/3"));
  CHECK(bernoulli_token_accepted(d, t, 1, FirstTerm::corrected) == R("2/3"));
  CHECK(bernoulli_block_accepted(d, t, 1, FirstTerm::as_printed) == R("5/3"));
  for (const auto& [draft, target] : std::vector<std::pair<const char*, const char*>>{
           {"2/3", "1/3"}, {"1/5", "3/4"}, {"0", "1"}, {"1", "1/4"}, {"1/2", "1/2"}}) {
    const Rational u = R(draft), v = R(target);
    const Rows<Rational> rows(iid({to_text(1 - u), draft}, {to_text(1 - v), target}));
    Budget budget;
    for (int gamma = 1; gamma <= 6; ++gamma) {
      CHECK(bernoulli_token_accepted(u, v, gamma, FirstTerm::corrected) ==
            expectation(token_tail(rows, start_law(rows), gamma, budget)));
      CHECK(bernoulli_block_accepted(u, v, gamma, FirstTerm::corrected) ==
            expectation(greedy_tail(rows, start_law(rows), gamma, budget)));
    }
  }
}

/// P(tau >= i | path) summed over all paths.
struct TailSums {
  Rationals token, greedy;
  std::vector<Rationals> bound;  ///< by K, 1 to 3
};
TailSums tails_by_paths(const Pair& pair, int gamma) {
  TailSums sums{{Rational(1)}, {Rational(1)}, std::vector<Rationals>(4, Rationals(1, Rational(1)))};
  for (int i = 1; i <= gamma; ++i) {
    Rational product_sum(0), min_sum(0);
    Rationals bound_sum(4, Rational(0));
    for (const Path& path : all_paths(pair, 0, i)) {
      Rational product(1);
      for (std::size_t j = 0; j < path.tokens.size(); ++j) {
        const auto laws = laws_at(pair, path.states[j]);
        const auto x = static_cast<std::size_t>(path.tokens[j]);
        product *= std::min(laws.draft[x], laws.target[x]);
      }
      product_sum += product;
      const Rational& d = path.joint_draft.back();
      const Rational& t = path.joint_target.back();
      min_sum += std::min(d, t);
      if (t == 0) continue;
      for (int drafts = 1; drafts <= 3; ++drafts) {
        Rational miss(1);
        for (int k = 0; k < drafts; ++k) miss *= 1 - min_one<Rational>(d / t);
        bound_sum[static_cast<std::size_t>(drafts)] += t * (1 - miss);
      }
    }
    sums.token.push_back(product_sum);
    sums.greedy.push_back(min_sum);
    for (std::size_t drafts = 1; drafts <= 3; ++drafts) {
      sums.bound[drafts].push_back(bound_sum[drafts]);
    }
  }
  return sums;
}

TEST_CASE("tails equal sums over all paths on random pairs") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const auto pair = random_pair(seed, 1 + seed % 3, 1 + seed % 4);
    const Rows<Rational> rows(pair);
    const auto start = point_law(rows, 0);
    const int gamma = 1 + static_cast<int>(seed % 4);
    Budget budget;
    const TailSums sums = tails_by_paths(*pair, gamma);
    CHECK(token_tail(rows, start, gamma, budget) == sums.token);
    CHECK(greedy_tail(rows, start, gamma, budget) == sums.greedy);
    CHECK(best_tail(rows, 0, 1, gamma, budget) == sums.greedy);
    for (int drafts = 1; drafts <= 3; ++drafts) {
      CHECK(spectr_gbv_tail(rows, start, drafts, gamma, budget) ==
            sums.bound[static_cast<std::size_t>(drafts)]);
    }
    const auto block = block_tail(rows, start, gamma, budget);
    CHECK(block == block_tail_by_paths(rows, 0, gamma));
    CHECK(block == block_tail_by_coins(*pair, gamma));
  }
}

TEST_CASE("tails in doubles are near those in rationals on random pairs") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const auto pair = random_pair(seed, 1 + seed % 3, 1 + seed % 4);
    const Rows<Rational> rows(pair);
    const auto start = point_law(rows, 0);
    const int gamma = 1 + static_cast<int>(seed % 4);
    Budget budget;
    const Rows<double> near(pair);
    const auto near_start = point_law(near, 0);
    const auto block = block_tail(rows, start, gamma, budget);
    const auto near_block = block_tail(near, near_start, gamma, budget);
    const auto best = best_tail(rows, 0, 2, gamma, budget);
    const auto near_best = best_tail(near, 0, 2, gamma, budget);
    for (std::size_t i = 0; i < block.size(); ++i) {
      CHECK(near_block[i] == Approx(to_double(block[i])).margin(1e-13));
      CHECK(near_best[i] == Approx(to_double(best[i])).margin(1e-12));
    }
    CHECK(expectation(spectr_gbv_tail(near, near_start, 3, gamma, budget)) ==
          Approx(to_double(expectation(tails_by_paths(*pair, gamma).bound[3]))).margin(1e-12));
  }
}

TEST_CASE("ratios that nearly agree are not merged in doubles") {
  // The ratios t/d differ from one token to the next by a relative 2^-16, 2^-20 and 2^-30.
  for (const int bits : {16, 20, 30}) {
    const Rational small(1, std::int64_t{1} << bits);
    const auto text = [&](const Rational& value) { return to_text(value); };
    const auto pair = iid({"1/4", "1/4", "1/2"}, {text(R("1/8")), text(R("1/8") * (1 + small)),
                                                  text(R("3/4") - R("1/8") * small)});
    const Rows<Rational> rows(pair);
    const Rows<double> near(pair);
    Budget budget;
    for (int gamma = 1; gamma <= 4; ++gamma) {
      CAPTURE(bits, gamma);
      const auto check = [](const auto& exact_tail, const auto& near_tail) {
        REQUIRE(exact_tail.size() == near_tail.size());
        for (std::size_t i = 0; i < exact_tail.size(); ++i) {
          CHECK(std::abs(near_tail[i] - to_double(exact_tail[i])) < 1e-14);
        }
      };
      check(block_tail(rows, start_law(rows), gamma, budget),
            block_tail(near, start_law(near), gamma, budget));
      check(greedy_tail(rows, start_law(rows), gamma, budget),
            greedy_tail(near, start_law(near), gamma, budget));
      check(spectr_gbv_tail(rows, start_law(rows), 2, gamma, budget),
            spectr_gbv_tail(near, start_law(near), 2, gamma, budget));
      check(best_tail(rows, 0, 2, gamma, budget), best_tail(near, 0, 2, gamma, budget));
    }
  }
}

TEST_CASE("closed forms take the prompt by its weights") {
  // After 0 nothing is accepted, after 1 all is; the prompt is 0 with probability 1/4.
  auto chain = std::make_shared<Prompted>();
  chain->drafts = {law_of({"1", "0"}), law_of({"0", "1"})};
  chain->targets = {law_of({"0", "1"}), law_of({"0", "1"})};
  chain->successors = {{0, 1}, {0, 1}};
  const Rows<Rational> rows(chain);
  Budget budget;
  const auto start = start_law(rows);
  CHECK(token_tail(rows, start, 2, budget) == Rationals{1, R("3/4"), R("3/4")});
  CHECK(block_tail(rows, start, 2, budget) == Rationals{1, R("3/4"), R("3/4")});
  CHECK(greedy_tail(rows, start, 2, budget) == Rationals{1, R("3/4"), R("3/4")});
  CHECK(spectr_gbv_tail(rows, start, 2, 2, budget) == Rationals{1, R("3/4"), R("3/4")});
  CHECK(block_tokens(rows, start, 2, 1, budget) == Rationals{1 + R("3/2")});
  CHECK(token_rejections(rows, start, 3, budget).expected() == R("1/4"));
}

TEST_CASE("expected tokens after several iterations equal sums over all paths") {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    const auto pair = random_pair(seed, 1 + seed % 3, 1 + seed % 3);
    const Rows<Rational> rows(pair);
    Budget budget;
    const int gamma = 1 + static_cast<int>(seed % 2);
    const auto tokens = block_tokens(rows, point_law(rows, 0), gamma, 3, budget);
    for (int i = 1; i <= 3; ++i) {
      CHECK(tokens[static_cast<std::size_t>(i) - 1] == block_tokens_by_paths(*pair, 0, gamma, i));
    }
  }
}

TEST_CASE("the best acceptance is the least over all sets of blocks") {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const auto pair = random_pair(seed, 1 + seed % 3, 1 + seed % 3);
    const Rows<Rational> rows(pair);
    Budget budget;
    const int k = 1 + static_cast<int>(seed % 3);
    const auto bound = best_tail(rows, 0, k, 2, budget);
    for (int i = 1; i <= 2; ++i) {
      Rationals draft, target;
      for (const Path& path : all_paths(*pair, 0, i)) {
        draft.push_back(path.joint_draft.back());
        target.push_back(path.joint_target.back());
      }
      CHECK(bound[static_cast<std::size_t>(i)] == least_over_sets(draft, target, k));
    }
  }
}

TEST_CASE("a closed form stops at its budget") {
  const Rows<Rational> rows(random_pair(3, 3, 4));
  Budget budget(1000);
  CHECK_THROWS_AS(block_tail(rows, point_law(rows, 0), 8, budget), LimitError);
}

}  // namespace
}  // namespace speclab::blocks_test
