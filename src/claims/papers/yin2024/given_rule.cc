// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// equation (27) as printed: b_1 .. b_T are given and the minimum is over P_1 .. P_T.
#include <optional>

#include "answer/optima.h"
#include "claims/papers/yin2024/fates.h"

namespace speclab {
namespace yin2024_given {
namespace {

/// b = min(1, (t + 1/4) / d).
Rule given(std::span<const Rational> draft, std::span<const Rational> target) {
  return slack_rule(draft, target, Rational(1, 4));
}

/// With b given everything is linear in r(vx) = P(output begins with vx, R = 1 there), because
/// a(vx) = a(v) b(x|v) d(x|v) + r(vx) and sum_x r(vx) = a(v) sum (1 - b) d; TV = sum [a - T]+ over
/// outputs of T tokens, and P(x|v) is proportional to r(vx).
class GivenRule {
 public:
  explicit GivenRule(const Instance& at) : at_(at) {
    const State start = at.start();
    grow(start, {}, std::nullopt, Rational(1));
    certificate_ = certify(program_);
  }

  /// The certified least TV.
  [[nodiscard]] Rational least() const {
    return ingredient("yin2024.equation27.least", Rational(-certificate_.bound));
  }
  [[nodiscard]] bool proved() const {
    return certificate_.raised == 0 && certificate_.attained == certificate_.bound;
  }
  /// b and the weights of P at a context.
  [[nodiscard]] Design design(const RuleContext& context) const {
    Design made{given(context.draft, context.target).accept, {}};
    for (const std::size_t column : corrections_.at(context.before)) {
      made.correction.push_back(certificate_.point[column]);
    }
    return made;
  }

 private:
  std::size_t new_row(Rational total) {
    program_.totals.push_back(std::move(total));
    return program_.totals.size() - 1;
  }
  std::size_t new_column(int reward) {
    program_.columns.push_back({Rational(reward), {}});
    return program_.columns.size() - 1;
  }
  void enter(std::size_t column, std::size_t row, const Rational& coefficient) {
    if (coefficient != 0) program_.columns[column].entries.emplace_back(row, coefficient);
  }
  /// Adds `coefficient` a(v) to a row; a() = 1.
  void enter_mass(const std::optional<std::size_t>& mass, std::size_t row,
                  const Rational& coefficient) {
    if (mass) return enter(*mass, row, coefficient);
    program_.totals[row] -= coefficient;
  }

  void grow(State state, const TokenPath& before, const std::optional<std::size_t>& mass,
            const Rational& target) {
    if (static_cast<int>(before.size()) == at_.gamma) {
      const std::size_t row = new_row(target);  // a - excess + missing = T
      enter_mass(mass, row, 1);
      enter(new_column(-1), row, -1);
      enter(new_column(0), row, 1);
      return;
    }
    const auto draft = at_.rows->draft(state);
    const auto wanted = at_.rows->target(state);
    const Rule rule = given(draft, wanted);
    const std::size_t rejected = new_row(0);  // sum_x r(vx) - a(v) sum (1 - b) d = 0
    enter_mass(mass, rejected, -rule.rejected());
    for (std::size_t x = 0; x < draft.size(); ++x) {
      const std::size_t correction = new_column(0);
      const std::size_t child = new_column(0);
      const std::size_t row = new_row(0);  // a(vx) - b d a(v) - r(vx) = 0
      enter(correction, rejected, 1);
      enter(correction, row, -1);
      enter(child, row, 1);
      enter_mass(mass, row, -rule.kept(x));
      corrections_[before].push_back(correction);
      TokenPath after = before;
      after.push_back(static_cast<Token>(x));
      grow(at_.rows->next(state, static_cast<Token>(x)), after, child, target * wanted[x]);
    }
  }

  const Instance& at_;
  LinearProgram program_;
  Certificate certificate_;
  std::map<TokenPath, std::vector<std::size_t>> corrections_;
};

/// Theorem 4's P at every position.
Design stepwise(const RuleContext& context) {
  return optimal_design(given(context.draft, context.target));
}

Comparisons given_rule(const Instance& at) {
  const GivenRule optimum(at);
  const RuleRuns runs(at);
  Comparisons says;
  says.equal(optimum.proved() ? 1 : 0, 1, "the program's optimum is certified and attained");
  says.equal(runs.run([&](const RuleContext& context) { return optimum.design(context); }).bias(),
             optimum.least(), "TV of T = gamma tokens with the program's P_n, against its optimum");
  says.at_least(runs.run(stepwise).bias(), optimum.least(),
                "the same with Theorem 4's P at every position");
  for (std::size_t token = 0; token < static_cast<std::size_t>(at.rows->vocabulary()); ++token) {
    const Fates one = runs.run([&](const RuleContext& context) {
      Design made = stepwise(context);
      made.correction.assign(made.accept.size(), 0);
      made.correction[token] = 1;
      return made;
    });
    says.at_least(one.bias(), optimum.least(), "the same with P at token {}", token);
  }
  return says;
}

constexpr Filter kOneStart{"of one prompt, T at most 2 beyond two tokens", [](const Instance& at) {
                             return at.pair().start().size() == 1 && !at.pair().end_token() &&
                                    (at.rows->vocabulary() <= 2 || at.gamma <= 2);
                           }};

constexpr ClaimRow kGiven{
    .id = "yin2024.equation27.given",
    .source = "yin2024 Remark 6, equation (27) for b_1 .. b_T given",
    .statement =
        "min over P_1 .. P_T of the TV of T tokens is a linear program in the masses P(x_{1:n}, "
        "R_n = 1); its optimum is attained by P_n proportional to them",
    .hypotheses =
        "P_n by context; b = min(1, (t + 1/4) / d), T up to 3; the remark expects a discrete "
        "optimization",
    .check = given_rule,
    .places =
        {Place(SearchSpace{.tokens = 2, .gammas = 2, .denominator = {2, 3, 4}}).only(kOneStart),
         Place(BatteryShape{.tokens = 3, .gammas = {2, 3, 3}, .random = {2, 6, 20}})
             .only(kOneStart)},
    .bites = {{raised("yin2024.equation27.least"), lowered("yin2024.equation27.least")}},
};

constexpr ClaimRow kClaims[] = {kGiven};

}  // namespace
}  // namespace yin2024_given

Claims yin2024_given_claims() { return yin2024_given::kClaims; }

}  // namespace speclab
