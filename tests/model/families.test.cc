#include <cmath>

#include "base/integer.h"
#include "model/families/automaton.h"
#include "pairs.h"

namespace speclab::families_test {
namespace {

TEST_CASE("bernoulli: draft and target are the probabilities of token 1") {
  const PairPointer pair = make_pair("bernoulli(target=0.75, draft=1/3)");
  CHECK(pair->name() == "bernoulli(draft=1/3,target=3/4)");
  CHECK(pair->memoryless());
  const auto laws = laws_at<Rational>(*pair, 0);
  CHECK(laws.draft == fractions({"2/3", "1/3"}));
  CHECK(laws.target == fractions({"1/4", "3/4"}));
  CHECK(laws_at<double>(*pair, 0).draft == std::vector<double>{2.0 / 3, 1.0 / 3});
  check_pair(*make_pair("bernoulli(draft=0,target=1)"));
}

TEST_CASE("uniform: the first n tokens") {
  const auto laws = laws_at<Rational>(*make_pair("uniform(draft=2,target=3)"), 0);
  CHECK(laws.draft == fractions({"1/2", "1/2", "0"}));
  CHECK(laws.target == fractions({"1/3", "1/3", "1/3"}));
  CHECK(make_pair("uniform(draft=1,target=1)")->vocabulary() == 1);
}

TEST_CASE("iid: decimals are read exactly") {
  const auto laws = laws_at<Rational>(*make_pair("iid(draft=[0.1,0.2,0.7],target=[0,1,0])"), 0);
  CHECK(laws.draft == fractions({"1/10", "1/5", "7/10"}));
  CHECK(laws.target == fractions({"0", "1", "0"}));
}

TEST_CASE("automaton: a row a state, and what is wrong with one") {
  const std::string text =
      "automaton(draft=[[1,0],[1/2,1/2]],target=[[1/2,1/2],[0,1]],next=[[0,1],[1,0]],start=1)";
  const PairPointer pair = make_pair(text);
  CHECK(pair->name() == text);
  check_pair(*pair);
  CHECK(pair->vocabulary() == 2);
  CHECK(pair->states() == 2);
  CHECK(pair->start().front().state == 1);
  CHECK(pair->next(0, 1) == 1);
  CHECK(laws_at<Rational>(*pair, 1).draft == fractions({"1/2", "1/2"}));
  CHECK(automaton_text({{fractions({"1", "0"}), fractions({"1/2", "1/2"}), {0, 1}},
                        {fractions({"1/2", "1/2"}), fractions({"0", "1"}), {1, 0}}},
                       1) == text);
  CHECK(make_pair("automaton(next=[[0]],draft=[[1]],target=[[1]])")->name() ==
        "automaton(draft=[[1]],target=[[1]],next=[[0]],start=0)");
  const auto refused = [](const std::string& arguments, const char* message) {
    CHECK_THROWS_WITH(make_pair("automaton(" + arguments + ")"), Containing(message));
  };
  refused("draft=[[1]],target=[[1],[1]],next=[[0]]",
          "draft has 1 rows and target has 2; give each one row a state");
  refused(
      "draft=[[1],[1,0]],target=[[1],[1]],next=[[0],[0]]",
      "draft, state 1 has 2 entries and draft, state 0 has 1; give every row one entry a token");
  refused("draft=[[1]],target=[[1,0]],next=[[0]]", "target, state 0 has 2 entries");
  refused("draft=[[1]],target=[[1]],next=[[0,0]]", "next, state 0 has 2 entries");
  refused("draft=[[1]],target=[[1/2]],next=[[0]]", "target, state 0");
  refused("draft=[[1]],target=[[1]],next=[[1]]",
          "next, state 0: 1 is not a state; give a whole number from 0 to 0");
  refused("draft=[[1]],target=[[1]],next=[[1/2]]", "next, state 0: 1/2 is not a state");
  refused("draft=[[1]],target=[[1]],next=[[0]],start=1", "start=1 must be a whole number from 0");
  refused("draft=[1],target=[[1]],next=[[0]]",
          "draft takes a list of rows such as [[1/2,1/2],[1,0]]");
  refused("draft=[[1]],target=[[1]]", "the parameter next is missing");
}

TEST_CASE("logits: the error parameter scales the draft's error, and seeds give different pairs") {
  const auto laws = [](const std::string& parameters, State state) {
    return laws_at<double>(*make_pair("logits(vocabulary=16," + parameters + ")"), state);
  };
  // Without an error the draft is the target; without sharpness the target is uniform.
  const auto exact = laws("sharpness=4,error=0", 3);
  CHECK(exact.draft == exact.target);
  const auto flat = laws("sharpness=0,error=1", 3);
  for (const double share : flat.target) CHECK(std::abs(share - 1.0 / 16) < 1e-15);
  CHECK(flat.draft != flat.target);
  // Log ratios of draft and target are error * h up to a constant: twice the error, twice the gaps.
  const auto one = laws("sharpness=2,error=1,seed=7", 5),
             two = laws("sharpness=2,error=2,seed=7", 5);
  CHECK(one.target == two.target);
  for (std::size_t x = 1; x < 16; ++x) {
    const auto gap = [&](const auto& of) {
      return std::log(of.draft[x] / of.target[x]) - std::log(of.draft[0] / of.target[0]);
    };
    CHECK(std::abs(gap(two) - 2 * gap(one)) < 1e-9);
  }
  CHECK(laws("sharpness=2,error=1,seed=8", 5).target != one.target);
  CHECK(laws("sharpness=2,error=1,seed=7", 6).target != one.target);
  // Standard normal h over the pairs of tokens of all contexts: the mean square of the gaps is 2.
  double squares = 0;
  int count = 0;
  for (State state = 0; state < 16; ++state) {
    const auto each = laws("sharpness=2,error=1,seed=7", state);
    for (std::size_t x = 0; x + 1 < 16; x += 2, ++count) {
      squares += std::pow(std::log(each.draft[x] / each.target[x]) -
                              std::log(each.draft[x + 1] / each.target[x + 1]),
                          2);
    }
  }
  CHECK(std::abs(squares / count - 2) < 4 * 2 * std::sqrt(2.0 / count));
}

TEST_CASE("zipf: exact power laws without noise, a bounded error with it") {
  const auto plain = laws_at<double>(*make_pair("zipf(vocabulary=4,draft=1,target=2,noise=0)"), 0);
  const double first = 1 / (1 + 0.25 + 1.0 / 9 + 1.0 / 16);
  for (std::size_t x = 0; x < 4; ++x) {
    const double rank = static_cast<double>(x) + 1;
    CHECK(plain.draft[x] == Approx(12.0 / 25 / rank).epsilon(1e-14));
    CHECK(plain.target[x] == Approx(first / (rank * rank)).epsilon(1e-14));
  }
  const auto noisy = laws_at<double>(*make_pair("zipf(vocabulary=1000,draft=1,target=1)"), 0);
  double lowest = 1e9;
  double highest = 0;
  for (std::size_t x = 0; x < 1000; ++x) {
    lowest = std::min(lowest, noisy.draft[x] / noisy.target[x]);
    highest = std::max(highest, noisy.draft[x] / noisy.target[x]);
  }
  CHECK(highest / lowest <= std::exp(2));  // each rank changes by a factor of at most e^noise
  CHECK(highest / lowest > 5);
  const auto other =
      laws_at<double>(*make_pair("zipf(vocabulary=1000,draft=1,target=1,seed=2)"), 0);
  CHECK(other.target == noisy.target);
  CHECK(other.draft != noisy.draft);
  CHECK(make_pair("zipf(vocabulary=4,draft=1,target=1.1)")->name() ==
        "zipf(vocabulary=4,draft=1,target=11/10,seed=1,noise=1)");
}

/// E[N_rej] = sum over n of E_{x ~ t}[TV(d_n, t_n)(.|x_1..x_{n-1})] (yin2024, Theorem 1), by
/// forward recursion over states.
double expected_rejections(const Pair& pair) {
  std::vector<double> reach(pair.states(), 0.0);
  for (const Start& start : pair.start()) reach[start.state] += to_double(start.probability);
  double result = 0;
  for (int n = 0; n < *pair.length(); ++n) {
    std::vector<double> after(pair.states(), 0.0);
    for (State state = 0; state < pair.states(); ++state) {
      if (reach[state] == 0) continue;
      const auto laws = laws_at<double>(pair, state);
      for (std::size_t x = 0; x < laws.draft.size(); ++x) {
        result += reach[state] * std::max(laws.target[x] - laws.draft[x], 0.0);
        after[pair.next(state, static_cast<Token>(x))] += reach[state] * laws.target[x];
      }
    }
    reach = after;
  }
  return result;
}

TEST_CASE("markov: the chains of yin2024's figures, and NumPy's numbers") {
  const PairPointer pair = make_pair("markov");
  CHECK(pair->name() == "markov(vocabulary=7,horizon=50,seed=10)");
  CHECK(pair->length() == 50);
  CHECK(expected_rejections(*pair) == Approx(16.404890).margin(5e-7));
  CHECK(expected_rejections(*make_pair("markov(horizon=100)")) == Approx(33.534849).margin(5e-7));
  // numpy.random.seed(10); numpy.random.rand(4)
  const double first[]{0.771320643266746, 0.0207519493594015, 0.6336482349262754,
                       0.7488038825386119};
  const PairPointer small = make_pair("markov(vocabulary=2,horizon=1)");
  for (const State row : {0U, 1U}) {
    const double sum = first[2 * row] + first[2 * row + 1];
    const auto laws = laws_at<double>(*small, row);
    CHECK(laws.draft[0] == Approx(first[2 * row] / sum).epsilon(1e-15));
    CHECK(laws.draft[1] == Approx(first[2 * row + 1] / sum).epsilon(1e-15));
  }
  REQUIRE(pair->start().size() == 7);
  CHECK(pair->start()[3].probability == Rational(1, 7));
  CHECK(pair->next(3, 5) == 12);
  CHECK(pair->states() == 51 * 7);
  CHECK(pair->next(50 * 7, 2) == 50 * 7 + 2);
}

TEST_CASE("markov: every seed gives NumPy's numbers") {
  // numpy.random.seed(s); numpy.random.rand(4), as documented for NumPy's legacy generator.
  struct Numbers {
    const char* seed;
    double rand[4];
  };
  const Numbers known[] = {
      {"0", {0.5488135039273248, 0.7151893663724195, 0.6027633760716439, 0.5448831829968969}},
      {"1", {0.417022004702574, 0.7203244934421581, 0.00011437481734488664, 0.30233257263183977}},
      {"42", {0.3745401188473625, 0.9507143064099162, 0.7319939418114051, 0.5986584841970366}},
      {"123", {0.6964691855978616, 0.28613933495037946, 0.2268514535642031, 0.5513147690828912}}};
  for (const auto& [seed, rand] : known) {
    CAPTURE(seed);
    const PairPointer pair =
        make_pair(std::string("markov(vocabulary=2,horizon=1,seed=") + seed + ")");
    for (const State row : {0U, 1U}) {
      const auto draft = laws_at<double>(*pair, row).draft;
      const double sum = rand[2 * row] + rand[2 * row + 1];
      CHECK(std::abs(draft[0] - rand[2 * row] / sum) < 1e-15);
      CHECK(std::abs(draft[1] - rand[2 * row + 1] / sum) < 1e-15);
    }
  }
  // The largest seed of the generator is not truncated.
  const auto largest = laws_at<double>(*make_pair("markov(seed=4294967295)"), 0);
  CHECK_FALSE(largest == laws_at<double>(*make_pair("markov(seed=65535)"), 0));
  CHECK_FALSE(largest == laws_at<double>(*make_pair("markov(seed=2147483647)"), 0));
}

TEST_CASE("tree: rational laws with zeros in both, a prefix beyond the depth uses its beginning") {
  const PairPointer pair = make_pair("tree(vocabulary=3,depth=4,seed=7)");
  CHECK(pair->name() == "tree(vocabulary=3,depth=4,seed=7,denominator=12)");
  CHECK(pair->states() == 1 + 3 + 9 + 27 + 81);
  CHECK_FALSE(pair->length());
  check_pair(*pair);
  int draft_zeros = 0;
  int target_zeros = 0;
  bool twelfths = true;
  for (State state = 0; state < pair->states(); ++state) {
    const auto laws = laws_at<Rational>(*pair, state);
    for (std::size_t x = 0; x < 3; ++x) {
      draft_zeros += laws.draft[x] == 0 ? 1 : 0;
      target_zeros += laws.target[x] == 0 ? 1 : 0;
      twelfths = twelfths && denominator(Rational(laws.draft[x] * 12)) == 1 &&
                 denominator(Rational(laws.target[x] * 12)) == 1;
    }
  }
  CHECK(twelfths);
  for (const int zeros : {draft_zeros, target_zeros}) {
    CHECK(zeros > 363 / 10);
    CHECK(zeros < 363 * 6 / 10);
  }
  CHECK(walk(*pair, {1, 2}) == (1 + 1) * 3 + 2 + 1);
  CHECK(walk(*pair, {0, 1, 2, 0, 2, 2}) == walk(*pair, {0, 1, 2, 0}));
  CHECK(walk(*pair, {0, 1, 2, 0}) != walk(*pair, {0, 1, 2, 1}));
  CHECK_FALSE((laws_at<Rational>(*pair, 0) ==
               laws_at<Rational>(*make_pair("tree(vocabulary=3,depth=4,seed=8)"), 0)));
  check_pair(*make_pair("tree(vocabulary=1,depth=3)"));
  check_pair(*make_pair("tree(vocabulary=5,depth=0,denominator=1)"));
}

}  // namespace
}  // namespace speclab::families_test
