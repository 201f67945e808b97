// Verifiers that are not the program's own: their numbers are checked in every interpreter.
#include <cmath>
#include <limits>

#include "answer/answer.h"
#include "answer/bench.h"
#include "answer/instantiate.h"
#include "base/error.h"
#include "catch.h"
#include "message_of.h"
#include "model/registry.h"
#include "verifiers/choices.h"

namespace speclab::foreign_test {
namespace {

/// A law whose mass() is not the sum of its weights.
template <class R>
struct Boasting {
  using Real = R;
  [[nodiscard]] Token size() const { return 2; }
  [[nodiscard]] Real weight(Token) const { return Real(1); }
  [[nodiscard]] Real mass() const { return Real(3); }
  [[nodiscard]] Token pick(double) const { return 0; }
};

enum class Numbers { right, negative_weight, coin_above, coin_below, coin_nan, boasting, throwing };

/// Token verification without its clamps, or worse.
struct Unclamped {
  Numbers numbers = Numbers::right;

  static constexpr VerifierInfo kInfo{
      "unclamped", "", "token verification without its clamps", "", VerifierKind::lossless,
      "unclamped"};
  static constexpr bool kCarries = false;
  static Unclamped read(SpecReader&) { return {}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    const auto laws = view.at(out.node);
    const Token x = choices.draft(laws.draft());
    if (numbers == Numbers::throwing) throw 42;
    if (numbers == Numbers::coin_above) choices.accept(Real(2));
    if (numbers == Numbers::coin_below) choices.accept(Real(-1));
    if constexpr (std::is_same_v<Real, double>) {
      if (numbers == Numbers::coin_nan) choices.accept(std::numeric_limits<double>::quiet_NaN());
    }
    if (numbers == Numbers::boasting) return out.correct(view, choices, Boasting<Real>{});
    const bool wrong = numbers == Numbers::negative_weight;
    std::vector<Real> weights{Real(wrong ? -1 : 1), Real(2)};
    if (x >= 0) out.correct(view, choices, DenseLaw<Real>(std::move(weights)));
  }
};

Verifier unclamped(Numbers numbers) {
  static const VerifierRow row = verifier_row<Unclamped, Made::foreign>();
  Verifier verifier;
  verifier.name = "unclamped";
  verifier.info = &row;
  verifier.program = std::make_shared<const Unclamped>(Unclamped{numbers});
  verifier.runs = row.runs_of(verifier.program.get());
  return verifier;
}

std::string refusal(const Question& question, const AnswerMethod& method) {
  Bench bench;
  return message_of<ContractError>([&] { bench.answer(question, method); });
}

TEST_CASE("impossible numbers of a foreign verifier are refused by every interpreter") {
  const PairPointer pair = make_pair("bernoulli(draft=2/3,target=1/3)");
  const auto all_refuse = [&](Numbers numbers, const std::string& value, const std::string& place) {
    for (const Arithmetic arithmetic : {Arithmetic::rational, Arithmetic::floating}) {
      const Question question{.pair = pair,
                              .verifier = unclamped(numbers),
                              .lengths = {2, 2, 0},
                              .arithmetic = arithmetic};
      std::vector<AnswerMethod> methods{ByEnumeration{}};
      if (arithmetic == Arithmetic::floating) {
        methods.emplace_back(BySimulation{.trials = 100});
        methods.emplace_back(BySimulation{.trials = 100, .threads = 2});
      }
      if (arithmetic == Arithmetic::rational && numbers == Numbers::coin_nan) continue;
      for (const AnswerMethod& method : methods) {
        const std::string said = refusal(question, method);
        INFO(said);
        CHECK(said.starts_with("unclamped: "));
        CHECK_THAT(said, Containing(value));
        CHECK_THAT(said, Containing(place));
      }
    }
  };
  const std::string second = "an iteration from state 0, decision 2, after draft ";
  all_refuse(Numbers::negative_weight, "the weight -1 for token 0", second);
  all_refuse(Numbers::coin_above, "a coin is 2, outside of [0, 1]", second);
  all_refuse(Numbers::coin_below, "a coin is -1, outside of [0, 1]", second);
  all_refuse(Numbers::coin_nan, "a coin is nan, outside of [0, 1]", second);
  all_refuse(Numbers::boasting, "sum to 2, and its mass() is 3", second);
  all_refuse(Numbers::throwing, "threw what is no std::exception", "unclamped");
}

TEST_CASE("the right numbers of a foreign verifier are taken") {
  Bench bench;
  const Question question{.pair = make_pair("bernoulli(draft=2/3,target=1/3)"),
                          .verifier = unclamped(Numbers::right),
                          .lengths = {2, 2, 0},
                          .arithmetic = Arithmetic::rational};
  const Answer answer = bench.answer(question, ByEnumeration{.predictions = false});
  CHECK(answer.fraction(QuantityId::expected_accepted) == 0);
  // 2/3 falls on token 1, whose target is 1/3.
  CHECK(answer.fraction(QuantityId::tv_to_target) > 0);
}

TEST_CASE("rounding is no fault in doubles, and is one in fractions") {
  CHECK_NOTHROW(check_coin(1 + 1e-12));
  CHECK_NOTHROW(check_coin(-1e-12));
  CHECK_THROWS_AS(check_coin(1 + 1e-6), ContractError);
  CHECK_THROWS_AS(check_coin(Rational(1'000'000'000'001, 1'000'000'000'000)), ContractError);
  const DenseLaw<double> rounded({1.0, -1e-13});
  CHECK_NOTHROW(check_law(LawRef<double>(rounded), "a draft"));
  const DenseLaw<Rational> exact({Rational(1), Rational(-1, 1'000'000'000'000)});
  CHECK_THROWS_AS(check_law(LawRef<Rational>(exact), "a draft"), ContractError);
}

}  // namespace
}  // namespace speclab::foreign_test
