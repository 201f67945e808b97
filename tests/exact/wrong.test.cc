// The verifiers that are wrong on purpose: what gives each away, on a smallest instance, and by
// exactly how much; the right verifier that is meant passes the same check.
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "base/random.h"
#include "catch.h"
#include "simulate/sampler.h"
#include "theory/sun2024.h"
#include "toy.h"
#include "verifiers/block.h"
#include "verifiers/greedy_block.h"
#include "verifiers/token.h"
#include "verifiers/wrong_block.h"
#include "verifiers/wrong_multi.h"
#include "verifiers/wrong_single.h"

namespace speclab {
namespace {

/// What is measured; 0 for a right verifier (not above 0 for kExcess).
enum Property {
  kOutput,     ///< TV of the joint law of `horizon` tokens to the target's
  kUndefined,  ///< probability of a 0/0 in one iteration
  kExcess,     ///< E[tau] less the optimum of one draft, the sums of the lesser joint probability
  kTokens,     ///< E[N(1)] less E[tau] and the one token that follows
  kLabels,     ///< TV of the laws of tau on the toy pair and with its two labels exchanged
};

struct Evidence {
  const char* wrong;
  const char* right;
  Property property;
  std::string_view pair;
  int gamma;
  int horizon;
  const char* size;
};

constexpr std::string_view kMirroredToy = "iid(draft=[1/3,2/3],target=[2/3,1/3])";
constexpr std::string_view kThree = "iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])";
constexpr std::string_view kHalves = "iid(draft=[0,1/2,1/2],target=[1/2,0,1/2])";
constexpr std::string_view kQuarters = "iid(draft=[1/2,1/2,0],target=[1/4,1/4,1/2])";
/// A context that matters: with memoryless laws these faults are none.
constexpr std::string_view kTree = "tree(vocabulary=2,depth=1,seed=1)";
constexpr std::string_view kFineTree = "tree(vocabulary=2,depth=1,seed=13,denominator=6)";

const std::vector<Evidence> kEvidence{
    {"wrong-always-accept", "token", kOutput, kToy, 1, 1, "1/3"},
    {"wrong-always-accept", "token", kExcess, kToy, 1, 1, "1/3"},
    {"wrong-greedy-draft", "token", kOutput, kToy, 1, 1, "1/6"},
    {"wrong-shared-uniform", "token", kOutput, kThree, 1, 1, "1/6"},
    {"wrong-reseeded-coins", "token", kOutput, kToy, 2, 2, "1/9"},
    {"wrong-reseeded-coins", "token", kExcess, kQuarters, 2, 2, "1/4"},
    {"wrong-token-zero", "token", kOutput, kToy, 1, 1, "1/3"},
    {"wrong-token-zero", "token", kLabels, kToy, 1, 1, "1/3"},
    {"wrong-token-zero", "token", kExcess, kToy, 1, 1, "1/3"},
    {"wrong-one-hot-residual", "token", kOutput, kHalves, 1, 1, "1/4"},
    {"wrong-no-draft-law", "token", kOutput, kToy, 1, 1, "1/9"},
    {"wrong-no-draft-law", "token", kUndefined, "uniform(draft=2,target=2)", 1, 1, "1/2"},
    {"wrong-no-bonus", "token", kTokens, kToy, 1, 1, "-2/3"},
    {"wrong-draft-bonus", "token", kOutput, kToy, 1, 2, "2/9"},
    {"wrong-late-residual", "token", kOutput, kTree, 1, 2, "1/4"},
    {"wrong-correction-accepted", "token", kExcess, kToy, 1, 1, "1/3"},
    {"wrong-correction-accepted", "token", kTokens, kToy, 1, 1, "-1/3"},
    {"wrong-weight-coins", "block", kUndefined, kToy, 2, 2, "1/6"},
    {"wrong-weight-coins", "block", kOutput, kToy, 2, 2, "1/6"},
    {"wrong-weight-coins", "block", kOutput, kQuarters, 2, 2, "1/8"},
    {"wrong-first-failure", "block", kOutput, kToy, 2, 2, "1/3"},
    {"wrong-no-carry", "greedy-block", kOutput, kToy, 2, 2, "1/9"},
    {"wrong-no-carry", "greedy-block", kOutput, kToy, 3, 3, "4/27"},
    {"wrong-flat-carry", "greedy-block", kOutput, kToy, 2, 3, "1/27"},
    {"wrong-flat-carry", "greedy-block", kOutput, kToy, 2, 4, "4/81"},
    {"wrong-without-replacement(K=2)", "batch(M=2)", kOutput, kThree, 1, 1, "1/3"},
    {"wrong-sibling-draft(K=2)", "batch(M=2)", kOutput, kTree, 2, 2, "3/16"},
    {"wrong-sibling-draft(K=2)", "batch(M=2)", kUndefined, kTree, 2, 2, "3/16"},
    {"wrong-sibling-draft(K=2)", "batch(M=2)", kOutput, kFineTree, 2, 2, "5/144"},
    {"wrong-swapped-rows", "batch(M=2)", kOutput, kTree, 1, 2, "3/8"},
};

/// The wrong verifiers that have a test of their own below.
const std::set<std::string> kElsewhere{"wrong-closed-coin", "wrong-coin-product",
                                       "wrong-one-draft-fewer(K=2)", "wrong-largest-rho(K=2)",
                                       "wrong-early-slots(K=2)"};

Rational measure(const char* verifier, const Evidence& evidence) {
  ExactRequest request;
  request.lengths.gamma = evidence.gamma;
  request.lengths.horizon = evidence.horizon;
  request.lengths.iterations = 1;
  const auto result = run_named(verifier, evidence.pair, request);
  const Rational& accepted = result.expected_accepted;
  switch (evidence.property) {
    case kOutput:
      return result.decode->tv_to_target;
    case kUndefined:
      return result.undefined_mass;
    case kExcess: {
      const Rows<Rational> rows(make_pair(evidence.pair));
      Budget budget;
      Rational optimum(-1);  // the tail starts with P(tau >= 0) = 1
      for (const auto& tail : greedy_tail(rows, start_law(rows), evidence.gamma, budget)) {
        optimum += tail;
      }
      return accepted - optimum;
    }
    case kTokens:
      return result.expected_tokens[0] - accepted - 1;
    case kLabels: {
      const auto mirrored = run_named(verifier, kMirroredToy, request);
      Rational distance(0);
      for (std::size_t i = 0; i < result.accepted_law.size(); ++i) {
        distance += positive_part<Rational>(result.accepted_law[i] - mirrored.accepted_law[i]);
      }
      return distance;
    }
  }
  return Rational(0);
}

TEST_CASE("every wrong verifier is wrong by exactly so much") {
  for (const Evidence& evidence : kEvidence) {
    CAPTURE(evidence.wrong, evidence.property, evidence.pair, evidence.gamma, evidence.horizon);
    CHECK(to_text(measure(evidence.wrong, evidence)) == evidence.size);
  }
}

TEST_CASE("the right verifier passes the check that rejects the wrong one") {
  for (const Evidence& evidence : kEvidence) {
    CAPTURE(evidence.right, evidence.property, evidence.pair, evidence.gamma, evidence.horizon);
    const Rational size = measure(evidence.right, evidence);
    if (evidence.property == kExcess) {
      CHECK(size <= 0);
    } else {
      CHECK(size == 0);
    }
  }
}

TEST_CASE("every wrong verifier of the registry is here, and there are twenty-three") {
  std::set<std::string> listed;
  for (const VerifierInfo& row : verifier_rows()) {
    if (row.kind == VerifierKind::wrong) listed.insert(std::string(row.example));
  }
  std::set<std::string> proved = kElsewhere;
  for (const Evidence& evidence : kEvidence) proved.insert(evidence.wrong);
  CHECK(listed == proved);
  CHECK(listed.size() == 23);
}

TEST_CASE("faults that the law of the output does not show") {
  for (const char* wrong : {"wrong-no-bonus", "wrong-correction-accepted", "wrong-closed-coin"}) {
    for (const std::string_view pair : {kToy, kThree, kQuarters, kTree}) {
      ExactRequest request;
      request.lengths.gamma = 2;
      request.lengths.horizon = 4;
      CAPTURE(wrong, pair);
      CHECK(run_named(wrong, pair, request).decode->tv_to_target == 0);
    }
  }
}

TEST_CASE("faults of a context are none without one, and two tokens hide a residual's shape") {
  for (const char* wrong : {"wrong-late-residual", "wrong-sibling-draft(K=2)", "wrong-swapped-rows",
                            "wrong-shared-uniform", "wrong-one-hot-residual"}) {
    ExactRequest request;
    request.lengths.gamma = 2;
    request.lengths.horizon = 3;
    CAPTURE(wrong);
    CHECK(run_named(wrong, kToy, request).decode->tv_to_target == 0);
  }
}

/// E over full acceptance of TV(law of the bonus token, target): 0 where the bonus is right.
template <class Program>
Rational bonus_distance(const Program& program, std::string_view pair, int gamma) {
  const Rows<Rational> rows(make_pair(pair));
  const PairView<Rational> view(rows);
  std::map<std::vector<Token>, Rational> law;
  Rational whole(0);
  ProgramRunner<Program, PairView<Rational>> runner(program);
  runner.enumerate(view, view.root(0), {.drafts = gamma, .bonus = true}, true,
                   [&](const Iteration<PairView<Rational>>& out, const Rational& weight) {
                     if (out.accepted < gamma) return;
                     law[out.tokens] += weight;
                     whole += weight;
                   });
  std::map<std::vector<Token>, Rational> drafts;
  for (const auto& [tokens, weight] : law) drafts[{tokens.begin(), tokens.end() - 1}] += weight;
  Rational distance(0);
  for (const auto& [tokens, weight] : drafts) {
    auto node = view.root(0);
    for (const Token x : tokens) node = view.next(node, x);
    for (Token y = 0; y < view.vocabulary(); ++y) {
      std::vector<Token> all = tokens;
      all.push_back(y);
      distance += positive_part<Rational>(law[all] - weight * view.at(node).target(y));
    }
  }
  return distance / whole;
}

TEST_CASE("given full acceptance the bonus token is off by TV(draft, target)") {
  CHECK(bonus_distance(WrongDraftBonus{}, kToy, 1) == Rational(1, 3));
  CHECK(bonus_distance(WrongDraftBonus{}, kToy, 2) == Rational(1, 3));
  CHECK(bonus_distance(TokenVerification{}, kToy, 2) == 0);
  CHECK(bonus_distance(BlockVerification{}, kToy, 2) == 0);
}

/// The same number every time.
struct Constant {
  double value;
  [[nodiscard]] double uniform() const { return value; }
};
constexpr double kLast = 1 - 0x1p-53;

/// How many of the runs with constant uniforms, 0 and 1 - 2^-53 included, emit a token to which the
/// target gives 0.
template <class Program>
int forbidden(const Program& program, std::string_view pair, int gamma) {
  using View = ViewOf<Program, double>;
  const Rows<double> rows(make_pair(pair));
  const View view(rows);
  Iteration<View> out;
  int count = 0;
  for (const double draft : {0.0, 0.3, 0.6, kLast}) {
    for (const double coin : {0.0, 0.5, kLast}) {
      for (const double correction : {0.0, 0.5, kLast}) {
        Sampler<Constant> choices({draft}, {coin}, {correction});
        out.begin(view.root(0));
        program(view, view.root(0), Window{.drafts = gamma, .bonus = true}, choices, out);
        auto node = view.root(0);
        for (const Token x : out.tokens) {
          const auto laws = view.at(node);
          if (!(laws.target(x) > 0)) {
            ++count;
            break;
          }
          node = view.next(node, x);
        }
      }
    }
  }
  return count;
}

TEST_CASE("coin <= 0: forced coins show what the exact law cannot") {
  constexpr std::string_view kZero = "iid(draft=[1/2,1/4,1/4],target=[0,1/2,1/2])";
  CHECK(forbidden(WrongClosedCoin{}, kZero, 1) ==
        12);  // the alias table drafts 0 at all four, coin 0
  CHECK(forbidden(WrongClosedCoin{}, kZero, 3) == 12);
  for (const std::string_view pair : {kZero, kThree, kHalves}) {
    for (const int gamma : {1, 2, 3}) {
      CHECK(forbidden(TokenVerification{}, pair, gamma) == 0);
      CHECK(forbidden(BlockVerification{}, pair, gamma) == 0);
      CHECK(forbidden(GreedyBlockVerification{}, pair, gamma) == 0);
    }
  }
}

TEST_CASE("the product of the coins: the law of tau is that of literal products") {
  const double ln4 = std::log(4.0);
  CHECK(coin_product_law<double>({0.25}) == std::vector<double>{0.75, 0.25});
  const auto two = coin_product_law<double>({1, 0.25});
  CHECK(two[0] == 0);
  CHECK(two[2] == Approx(0.25 * (1 + ln4)).epsilon(1e-14));
  const auto fall = coin_product_law<double>({0.5, 0.25});  // a - b - b ln(a / b)
  CHECK(fall[1] == Approx(0.25 - 0.25 * std::log(2.0)).epsilon(1e-14));
  const auto rise = coin_product_law<double>({0.25, 0.5});
  CHECK(rise[1] == 0);
  CHECK(rise[2] == Approx(0.5 * (1 + std::log(2.0))).epsilon(1e-14));
  const auto three = coin_product_law<double>({1, 1, 0.25});
  CHECK(three[3] == Approx(0.25 * (1 + ln4 + ln4 * ln4 / 2)).epsilon(1e-14));
  CHECK(coin_product_law<double>({0, 0, 0}) == std::vector<double>{1, 0, 0, 0});
  CHECK(coin_product_law<double>({0.5, 0, 0}) == std::vector<double>{0.5, 0.5, 0, 0});
  CHECK(coin_product_law<double>({0, 1, 1}) == std::vector<double>{0, 0, 0, 1});

  const std::vector<double> coins{0.3, 0.5, 0.1, 0.2};
  const auto law = coin_product_law(coins);
  std::vector<int> counts(law.size());
  Stream stream(1, 0, 0, Purpose::accept);
  constexpr int kTrials = 200000;
  for (int trial = 0; trial < kTrials; ++trial) {
    double product = 1;
    std::size_t tau = 0;
    for (std::size_t i = 0; i < coins.size(); ++i) {
      product *= stream.uniform();
      if (product < coins[i]) tau = i + 1;
    }
    ++counts[tau];
  }
  for (std::size_t i = 0; i < law.size(); ++i) {
    const double spread = std::sqrt(law[i] * (1 - law[i]) / kTrials);
    CHECK(std::abs(counts[i] / double{kTrials} - law[i]) <= 6 * spread);
  }
}

TEST_CASE("the product of the coins: the output is off by 7 ln 2 / 27") {
  ExactRequest request;
  request.lengths.gamma = 2;
  request.lengths.horizon = 2;
  const auto wrong = run_named("wrong-coin-product", kToy, request);
  const double ln2 = std::log(2.0);
  CHECK(to_double(wrong.decode->tv_to_target) == Approx(7 * ln2 / 27).epsilon(1e-14));
  CHECK(to_double(wrong.expected_accepted) == Approx((11 + 5 * ln2) / 9).epsilon(1e-14));
  CHECK(wrong.expected_accepted > Rational(4, 3));  // above the optimum
  // One coin is no fault, to the last bit: 1/6 and 3/5 are no doubles.
  request.lengths.gamma = 1;
  for (const std::string_view pair :
       {kToy, std::string_view("iid(draft=[1/6,5/6],target=[1/2,1/2])")}) {
    CHECK(run_named("wrong-coin-product", pair, request).decode->tv_to_target == 0);
  }
}

TEST_CASE("the product of the coins: in rationals the law of tau sums to 1 exactly") {
  const std::vector<Rational> coins{Rational(3, 10), Rational(1, 2), Rational(1, 7),
                                    Rational(1, 3)};
  std::vector<double> rounded;
  for (const Rational& coin : coins) rounded.push_back(to_double(coin));
  const auto law = coin_product_law(coins);
  const auto in_doubles = coin_product_law(rounded);
  REQUIRE(law.size() == in_doubles.size());
  Rational sum(0);
  for (std::size_t i = 0; i < law.size(); ++i) {
    CHECK(to_double(law[i]) == Approx(in_doubles[i]).epsilon(1e-13));
    sum += law[i];
  }
  CHECK(sum == 1);
}

TEST_CASE("lossless but slower: the law is right and E[tau] is that of less work") {
  struct Slower {
    const char* wrong;
    const char* right;
    const char* wrong_mean;
    double right_mean;
  };
  // rho = 2: beta = 1/6 + 1/3, and 1 - (1 - beta)^2 = 3/4.
  const std::vector<Slower> cases{{"wrong-one-draft-fewer(K=2)", "rrs(K=2)", "2/3", 7.0 / 9},
                                  {"wrong-largest-rho(K=2)", "kseq(K=2)", "3/4", 0.8114195153},
                                  {"wrong-early-slots(K=2)", "slot-block(K=2)", "2/3", 8.0 / 9}};
  for (const Slower& each : cases) {
    CAPTURE(each.wrong);
    ExactRequest request;
    request.lengths.gamma = 1;
    request.lengths.horizon = 3;
    CHECK(to_text(run_named(each.wrong, kToy, request).expected_accepted) == each.wrong_mean);
    CHECK(to_double(run_named(each.right, kToy, request).expected_accepted) ==
          Approx(each.right_mean).epsilon(1e-10));
    for (const std::string_view pair : {kToy, kThree, kTree}) {
      for (request.lengths.gamma = 1; request.lengths.gamma <= 2; ++request.lengths.gamma) {
        CAPTURE(pair, request.lengths.gamma);
        CHECK(run_named(each.wrong, pair, request).decode->tv_to_target == 0);
      }
    }
  }
}

TEST_CASE("the shared uniform: a cell is a uniform used twice") {
  for (const std::string_view pair : {kThree, kHalves, kQuarters, kToy}) {
    const Rows<double> rows(make_pair(pair));
    const PairView<double> view(rows);
    const auto laws = view.at(0);
    const auto residual = laws.residual(1.0);
    for (int i = 0; i < 24; ++i) {
      const double u = (i + 0.5) / 24;
      const Token x = pick_in_order(laws.draft(), u);
      Iteration<PairView<double>> out;
      for (const double coin : {0.0, kLast}) {
        Sampler<Constant> choices({u}, {coin}, {0.5});
        out.begin(0);
        WrongSharedUniform{}(view, 0, {.drafts = 1, .bonus = false}, choices, out);
        const bool accepted = coin < likelihood_ratio(laws, x);
        CAPTURE(pair, u, coin);
        CHECK(out.accepted == (accepted ? 1 : 0));
        CHECK(out.tokens == std::vector<Token>{accepted ? x : pick_in_order(residual, u)});
      }
    }
  }
}

/// Follows a script of drafts and compares every coin with the same number.
struct OneCoin {
  std::vector<Token> drafts;
  double coin;
  std::size_t at = 0;
  template <class Law>
  Token draft(const Law&) {
    return drafts[at++];
  }
  bool accept(double probability) const { return coin < probability; }
  template <class Law>
  Token correct(const Law& law) const {
    return pick(law, 0.5);
  }
};

TEST_CASE("the reseeded coins: token verification with one number for all its coins") {
  const Rows<double> rows(make_pair(kToy));
  const PairView<double> view(rows);
  std::vector<Rational> law(4);
  for (unsigned path = 0; path < 8; ++path) {
    std::vector<Token> drafts;
    Rational weight(1, 2);  // of each half of [0, 1): the ratios are 1/2 and 2
    for (unsigned i = 0; i < 3; ++i) {
      drafts.push_back(static_cast<Token>((path >> i) & 1U));
      weight *= drafts.back() == 0 ? Rational(2, 3) : Rational(1, 3);
    }
    for (const double coin : {0.25, 0.75}) {
      OneCoin choices{drafts, coin};
      Iteration<PairView<double>> out;
      out.begin(0);
      TokenVerification{}(view, 0, {.drafts = 3, .bonus = true}, choices, out);
      law[static_cast<std::size_t>(out.accepted)] += weight;
    }
  }
  ExactRequest request;
  request.lengths.gamma = 3;
  CHECK(run_named("wrong-reseeded-coins", kToy, request).accepted_law == law);
}

}  // namespace
}  // namespace speclab
