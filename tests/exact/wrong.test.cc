// The faulty verifiers: what gives each away, on a smallest instance, and by
// exactly how much; the right verifier that is meant passes the same check.
#include <map>
#include <set>
#include <string>

#include "catch.h"
#include "plain.h"
#include "theory/sun2024.h"
#include "toy.h"
#include "wrong_pairs.h"

namespace speclab::wrong_test {
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
constexpr std::string_view kMixed = "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])";
constexpr std::string_view kRising = "iid(draft=[1/2,1/4,1/4],target=[1/5,3/10,1/2])";
constexpr std::string_view kUneven = "iid(draft=[0,1/4,3/4],target=[1/4,1/2,1/4])";
/// 1.4 times 1/256, which is 1/256 in eight bits.
constexpr std::string_view kCoarse = "iid(draft=[7/1280,1273/1280],target=[7/1280,1273/1280])";
/// d = (1, 0), t = (1/4, 3/4); t = (5/12, 7/12) after 0, (1, 0) after 1.
constexpr std::string_view kPenalties = "tree(vocabulary=2,depth=1,seed=3)";
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
    {"wrong-drawn-draft(by=rounded)", "token", kOutput, kCoarse, 1, 1, "1/640"},
    {"wrong-drawn-draft(by=filtered)", "token", kOutput, kMixed, 1, 1, "7/30"},
    {"wrong-filtered-law(model=target)", "token", kOutput, kMixed, 1, 1, "1/5"},
    {"wrong-filtered-law(model=draft)", "token", kOutput, kMixed, 1, 1, "7/40"},
    {"wrong-late-rejection", "token", kOutput, kToy, 1, 1, "1/3"},
    {"wrong-late-rejection", "token", kOutput, kToy, 2, 2, "1/3"},
    {"wrong-late-stop(theta=1/2)", "token", kOutput, kToy, 1, 1, "1/9"},
    {"wrong-frozen-target", "token", kOutput, kPenalties, 1, 2, "1/24"},
    {"wrong-block-residual(weight=none)", "block", kOutput, kUneven, 2, 2, "1/32"},
    {"wrong-block-residual(weight=first)", "block", kOutput, kUneven, 2, 2, "0"},
    {"wrong-block-residual(weight=first)", "block", kOutput, kUneven, 3, 3, "3/128"},
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
    {"wrong-dense-tree(K=2)", "rrs-without(K=2)", kOutput, kToy, 1, 1, "1/6"},
    {"wrong-own-order(nodes=2)", "best-and-tail(nodes=2)", kOutput,
     "iid(draft=[1/2,1/3,1/6],target=[5/6,1/6,0])", 2, 2, "1/18"},
    {"wrong-path-order(K=2,order=ties)", "path-block(K=2)", kOutput,
     "iid(draft=[1/2,1/2],target=[1/2,1/2])", 1, 1, "1/3"},
    {"wrong-path-order(K=2,order=clipped)", "path-block(K=2)", kOutput, kRising, 1, 1, "3/25"},
};

/// The wrong verifiers that have a test of their own below.
const std::set<std::string> kElsewhere{"wrong-closed-coin", "wrong-coin-product",
                                       "wrong-one-draft-fewer(K=2)", "wrong-largest-rho(K=2)",
                                       "wrong-early-slots(K=2)"};

Rational measure(const char* verifier, const Evidence& evidence) {
  const ExactRequest request{
      .lengths = {.gamma = evidence.gamma, .horizon = evidence.horizon, .iterations = 1}};
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

TEST_CASE("every wrong verifier of the registry is here, and there are thirty-two") {
  std::set<std::string> listed;
  for (const VerifierInfo& row : verifier_rows()) {
    if (row.kind == VerifierKind::wrong) listed.insert(std::string(row.name));
  }
  std::set<std::string> proved;
  for (const std::string& spec : kElsewhere) proved.insert(parse_spec(spec).name);
  for (const Evidence& evidence : kEvidence) proved.insert(parse_spec(evidence.wrong).name);
  CHECK(listed == proved);
  CHECK(listed.size() == 32);
}

TEST_CASE("faults that the law of the output does not show") {
  for (const char* wrong : {"wrong-no-bonus", "wrong-correction-accepted", "wrong-closed-coin"}) {
    for (const std::string_view pair : {kToy, kThree, kQuarters, kTree}) {
      CAPTURE(wrong, pair);
      CHECK(run_named(wrong, pair, {.lengths = {.gamma = 2, .horizon = 4}}).decode->tv_to_target ==
            0);
    }
  }
}

TEST_CASE("faults of a context are none without one, and two tokens hide a residual's shape") {
  for (const char* wrong : {"wrong-late-residual", "wrong-sibling-draft(K=2)", "wrong-swapped-rows",
                            "wrong-shared-uniform", "wrong-one-hot-residual"}) {
    CAPTURE(wrong);
    CHECK(run_named(wrong, kToy, {.lengths = {.gamma = 2, .horizon = 3}}).decode->tv_to_target ==
          0);
  }
}

/// E over full acceptance of TV(law of the bonus token, target): 0 where the bonus is right.
Rational bonus_distance(const char* verifier, std::string_view pair, int gamma) {
  const Rows<Rational> rows(make_pair(pair));
  const PairView<Rational> pair_view(rows);
  std::map<std::vector<Token>, Rational> law;
  Rational whole(0);
  with_plain(make_verifier(verifier), rows, [&](const auto& view, const auto& program) {
    program.enumerate(view, view.root(0), {.drafts = gamma, .bonus = true}, true,
                      [&](const auto& out, const Rational& weight) {
                        if (out.accepted < gamma) return;
                        law[out.tokens] += weight;
                        whole += weight;
                      });
  });
  std::map<std::vector<Token>, Rational> drafts;
  for (const auto& [tokens, weight] : law) drafts[{tokens.begin(), tokens.end() - 1}] += weight;
  Rational distance(0);
  for (const auto& [tokens, weight] : drafts) {
    auto node = pair_view.root(0);
    for (const Token x : tokens) node = pair_view.next(node, x);
    for (Token y = 0; y < pair_view.vocabulary(); ++y) {
      std::vector<Token> all = tokens;
      all.push_back(y);
      distance += positive_part<Rational>(law[all] - weight * pair_view.at(node).target(y));
    }
  }
  return distance / whole;
}

TEST_CASE("given full acceptance the bonus token is off by TV(draft, target)") {
  CHECK(bonus_distance("wrong-draft-bonus", kToy, 1) == Rational(1, 3));
  CHECK(bonus_distance("wrong-draft-bonus", kToy, 2) == Rational(1, 3));
  CHECK(bonus_distance("wrong-draft-bonus(rule=block)", kToy, 2) == Rational(1, 3));
  CHECK(bonus_distance("token", kToy, 2) == 0);
  CHECK(bonus_distance("block", kToy, 2) == 0);
}

TEST_CASE("lossless but slower: the law is right and the acceptance that of less work") {
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
    ExactRequest request{.lengths = {.gamma = 1, .horizon = 3}};
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

}  // namespace
}  // namespace speclab::wrong_test
