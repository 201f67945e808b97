// The coins of the single-draft verifiers, step by step, computed by hand.
#include <vector>

#include "catch.h"
#include "model/carries/carried_view.h"
#include "model/registry.h"
#include "verifiers/chain/autoregressive.h"
#include "verifiers/chain/block.h"
#include "verifiers/chain/greedy_block.h"
#include "verifiers/chain/sprinter.h"
#include "verifiers/chain/token.h"
#include "verifiers/registry.h"

namespace speclab::decisions_test {
namespace {

using View = PairView<Rational>;
using Values = std::vector<Rational>;

/// Answers from a script and records the requests.
class Script {
 public:
  Script(std::vector<Token> drafts, std::vector<bool> coins, Token correction)
      : drafts_(std::move(drafts)), coins_(std::move(coins)), correction_(correction) {}

  template <class Law>
  Token draft(const Law& law) {
    draft_laws.push_back(normalised(law));
    return drafts_.at(draft_laws.size() - 1);
  }
  bool accept(const Rational& probability) {
    probabilities.push_back(probability);
    return coins_.at(probabilities.size() - 1);
  }
  template <class Law>
  Token correct(const Law& law) {
    corrections.push_back(normalised(law));
    return correction_;
  }

  std::vector<Values> draft_laws;
  Values probabilities;
  std::vector<Values> corrections;

 private:
  template <class Law>
  static Values normalised(const Law& law) {
    Values values;
    for (Token x = 0; x < law.size(); ++x) values.push_back(law.weight(x) / law.mass());
    return values;
  }

  std::vector<Token> drafts_;
  std::vector<bool> coins_;
  Token correction_;
};

const Values kDraft{Rational(2, 3), Rational(1, 3)};
const Values kTarget{Rational(1, 3), Rational(2, 3)};

constexpr const char* kToyPair = "iid(draft=[2/3,1/3],target=[1/3,2/3])";

/// One iteration of `program`, on the toy pair by default.
template <class Program>
Iteration<typename std::conditional_t<Program::kCarries, CarriedView<Rational>, View>> iterate(
    const Program& program, Window window, Script& script, const char* pair = kToyPair) {
  using ProgramView = std::conditional_t<Program::kCarries, CarriedView<Rational>, View>;
  const Rows<Rational> rows(make_pair(pair));
  const ProgramView view(rows);
  Iteration<ProgramView> out;
  out.begin(view.root(0));
  program(view, view.root(0), window, script, out);
  return out;
}

TEST_CASE("autoregressive draws one token of the target") {
  Script script({}, {}, 1);
  const auto out = iterate(Autoregressive{}, {.drafts = 3, .bonus = true}, script);
  CHECK(out.tokens == std::vector<Token>{1});
  CHECK(out.accepted == 0);
  CHECK(out.ending == Ending::bonus);
  CHECK(script.draft_laws.empty());
  CHECK(script.corrections == std::vector<Values>{kTarget});
}

TEST_CASE("token: t/d a coin, the residual at the first rejection, nothing after it") {
  Script script({1, 0, 0}, {true, false}, 1);
  const auto out = iterate(TokenVerification{}, {.drafts = 3, .bonus = true}, script);
  CHECK(script.draft_laws == std::vector<Values>{kDraft, kDraft});
  CHECK(script.probabilities == Values{Rational(2), Rational(1, 2)});
  CHECK(script.corrections == std::vector<Values>{{Rational(0), Rational(1)}});
  CHECK(out.tokens == std::vector<Token>{1, 1});
  CHECK(out.accepted == 1);
  CHECK(out.ending == Ending::correction);
}

TEST_CASE("token: all accepted, a bonus of the target, or none at the horizon") {
  Script script({1, 1}, {true, true}, 0);
  const auto out = iterate(TokenVerification{}, {.drafts = 2, .bonus = true}, script);
  CHECK(out.tokens == std::vector<Token>{1, 1, 0});
  CHECK(out.accepted == 2);
  CHECK(out.ending == Ending::bonus);
  CHECK(script.corrections == std::vector<Values>{kTarget});
  Script cut({1, 1}, {true, true}, 0);
  const auto end = iterate(TokenVerification{}, {.drafts = 2, .bonus = false}, cut);
  CHECK(end.tokens == std::vector<Token>{1, 1});
  CHECK(end.ending == Ending::horizon);
  CHECK(cut.corrections.empty());
}

Sprinter sprinter(const char* text) {
  const Spec spec = parse_spec(text);
  SpecReader reader(spec);
  return Sprinter::read(reader);
}

TEST_CASE("sprinter: a rate is that of the drafted token, the list's last one beyond the list") {
  // Tokens 1 and 2 are unacceptable, token 0 has d = t.
  const char* pair = "iid(draft=[1/5,2/5,1/5,1/5],target=[1/5,1/5,1/10,1/2])";
  Script script({1, 2, 3, 1}, {true, true, true, false, true}, 0);
  const auto out = iterate(sprinter("sprinter(fp=[1/7,2/7,3/7],tp=5/7)"),
                           {.drafts = 9, .bonus = true}, script, pair);
  // The last coin is the target's check of the token that was refused: t / d.
  CHECK(script.probabilities ==
        Values{Rational(2, 7), Rational(3, 7), Rational(5, 7), Rational(2, 7), Rational(1, 2)});
  CHECK(out.tokens == std::vector<Token>{1, 2, 3, 1});
  CHECK(out.accepted == 3);
  CHECK(out.ending == Ending::bonus);
  Script beyond({2}, {false, false}, 3);
  const auto replaced = iterate(sprinter("sprinter(fp=[1/7,2/7],tp=5/7)"),
                                {.drafts = 9, .bonus = true}, beyond, pair);
  CHECK(beyond.probabilities == Values{Rational(2, 7), Rational(1, 2)});
  CHECK(beyond.corrections ==
        std::vector<Values>{{Rational(0), Rational(0), Rational(0), Rational(1)}});
  CHECK(replaced.tokens == std::vector<Token>{3});
  CHECK(replaced.ending == Ending::correction);
  Script level({0}, {false, true}, 0);
  iterate(sprinter("sprinter(fp=[1/7,2/7],tp=5/7)"), {.drafts = 9, .bonus = true}, level, pair);
  CHECK(level.probabilities == Values{Rational(5, 7), Rational(1)});
}

TEST_CASE("sprinter: a window cuts a run without a bonus, and the target is not called") {
  Script script({1, 0}, {true, true}, 0);
  const auto out =
      iterate(sprinter("sprinter(fp=1/2,tp=1/3)"), {.drafts = 2, .bonus = true}, script);
  CHECK(out.tokens == std::vector<Token>{1, 0});
  CHECK(out.accepted == 2);
  CHECK(script.corrections.empty());
  CHECK_FALSE(calls_target(Drafting::run, out.ending, true));
  for (const Ending ending : {Ending::correction, Ending::bonus, Ending::undefined}) {
    CHECK(calls_target(Drafting::run, ending, true));
    CHECK_FALSE(calls_target(Drafting::run, ending, false));
  }
  for (const Drafting drafting : {Drafting::none, Drafting::window}) {
    CHECK(calls_target(drafting, Ending::horizon, false));
  }
}

TEST_CASE("block: weights are clamped at 1, coins go from the longest block down") {
  // Drafts 1, 0, 0: w = 1, 1/2, 1/4. h_3 = w_3 = 1/4. S_2 = [1/2 * 2/3 - 1/3]+ = 0: no coin.
  // S_1 = 1/3 at w_1 = 1: h_1 = 1.
  Script script({1, 0, 0}, {false, true}, 1);
  const auto out = iterate(BlockVerification{}, {.drafts = 3, .bonus = true}, script);
  CHECK(script.probabilities == Values{Rational(1, 4), Rational(1)});
  CHECK(script.corrections == std::vector<Values>{{Rational(0), Rational(1)}});
  CHECK(out.tokens == std::vector<Token>{1, 1});
  CHECK(out.accepted == 1);
  CHECK(out.ending == Ending::correction);
}

TEST_CASE("block: a rejected block falls back to the residual of the empty one") {
  // Draft 0: w_1 = 1/2, S_1 = 0. h_2 = w_2 = 1 after draft 1.
  Script script({0, 1}, {false}, 1);
  const auto out = iterate(BlockVerification{}, {.drafts = 2, .bonus = true}, script);
  CHECK(script.probabilities == Values{Rational(1)});
  CHECK(out.tokens == std::vector<Token>{1});
  CHECK(out.accepted == 0);
  CHECK(out.ending == Ending::correction);
}

TEST_CASE("greedy block: ratios are not clamped and a surplus needs no coin") {
  // Drafts 1, 1, 0: r = 2, 4, 2. h_3 = min(1, 2); S_2 = 2 + 1/3 + ... at r = 4: sums
  // [4/3 - 2/3]+ + [8/3 - 1/3]+ = 3 against 0: certain.
  Script script({1, 1, 0}, {false}, 0);
  const auto out = iterate(GreedyBlockVerification{}, {.drafts = 3, .bonus = true}, script);
  CHECK(script.probabilities == Values{Rational(2)});
  CHECK(script.corrections == std::vector<Values>{{Rational(2, 9), Rational(7, 9)}});
  CHECK(out.accepted == 2);
  CHECK(out.tokens == std::vector<Token>{1, 1, 0});
  CHECK(out.node.stack.empty());  // gamma - tau - 1 = 0 tokens are left to modify
}

TEST_CASE("greedy block: the carry is D/T of the emitted path for the remaining tokens") {
  // Drafts 0, 0, 0: r = 1/2, 1/4, 1/8. S_2 = [1/4 t - d]+ = 0 and S_1 = 0: no coins. tau = 0,
  // Y = 1: D/T = (1/3) / (2/3), for the next gamma - 1 = 2 tokens.
  Script script({0, 0, 0}, {false}, 1);
  const auto out = iterate(GreedyBlockVerification{}, {.drafts = 3, .bonus = true}, script);
  CHECK(script.probabilities == Values{Rational(1, 8)});
  CHECK(out.tokens == std::vector<Token>{1});
  REQUIRE(out.node.stack.size() == 1);
  CHECK(out.node.stack[0].share == Rational(1, 2));
  CHECK(out.node.stack[0].remaining == 2);
  CHECK(out.node.stack[0].power == 1);
}

TEST_CASE("an undefined correction adds no token") {
  Script script({0}, {false}, kUndefined);
  const auto out = iterate(TokenVerification{}, {.drafts = 1, .bonus = true}, script);
  CHECK(out.tokens.empty());
  CHECK(out.ending == Ending::undefined);
}

}  // namespace
}  // namespace speclab::decisions_test
