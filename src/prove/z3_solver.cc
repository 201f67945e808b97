// The solver of nonlinear real arithmetic: Z3 (de Moura, Bjorner 2008), its procedure nlsat
// (Jovanovic, de Moura 2012), complete for conjunctions of polynomial conditions.
#ifdef SPECLAB_Z3
#include <z3++.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "prove/algebra_limits.h"
#include "prove/equalities.h"
#include "prove/ideal.h"
#include "prove/solver.h"
#include "prove/z3_watch.h"
#include "system/stopwatch.h"

namespace speclab {
namespace {

class Z3Solver final : public Solver {
 public:
  explicit Z3Solver(std::size_t parameters) {
    for (std::size_t i = 0; i < parameters; ++i) {
      variables_.push_back(context_.real_const(("x" + std::to_string(i)).c_str()));
    }
  }

  Answer find(std::span<const Condition> conditions, const Factors& factors, Sample& sample,
              double seconds) override {
    try {
      return ask({conditions, factors, occurring(conditions, factors), seconds}, sample);
    } catch (const z3::exception& error) {
      check_algebra();  // a query that was cancelled reports `canceled`
      if (std::string_view(error.msg()).find("memory") == std::string_view::npos) throw;
      throw OutOfProofMemory("the solver of the proof ran out of memory");
    }
  }

 private:
  /// What an answer takes depends on how it is asked for, by factors of thousands. So all ways are
  /// tried by turns with limits that grow, on steps of the solver and not on time: the answer, and
  /// the point, are the same on every machine.
  struct Way {
    bool all;        ///< assert all conditions at once, not one by one
    bool reduced;    ///< modulo an equality
    bool backwards;  ///< the parameters in reverse order
  };
  static constexpr Way kAtOnce{true, false, false};
  static constexpr std::array<Way, 5> kWays{{{false, false, false},
                                             {false, true, false},
                                             {false, false, true},
                                             kAtOnce,
                                             {true, false, true}}};

  /// Conditions of which a point is wanted.
  struct Question {
    std::span<const Condition> conditions;
    const Factors& factors;
    std::vector<char> occurs;  ///< which parameters are in the conditions
    double seconds;
    std::optional<std::map<Factor, Polynomial>> remainders{};
    Stopwatch watch{};

    [[nodiscard]] double left() const { return seconds - watch.seconds(); }
  };

  Answer ask(Question question, Sample& sample) {
    constexpr unsigned kGrowth = 4;
    constexpr unsigned kMostSteps = std::numeric_limits<unsigned>::max() / kGrowth;
    unsigned steps = 40'000;
    Answer answer = attempt(question, kAtOnce, steps, sample);  // most questions are simple
    for (; answer == Answer::unknown && steps <= kMostSteps; steps *= kGrowth) {
      for (const Way& way : kWays) {
        if (answer != Answer::unknown || question.left() <= 0) return answer;
        if (way.reduced) {
          if (!question.remainders) {
            question.remainders = remainders(question.conditions, question.factors);
          }
          if (question.remainders->empty()) continue;
        }
        answer = attempt(question, way, steps, sample);
      }
    }
    return answer;
  }

  /// Asserts the equalities and then, until there is an answer, one condition at a time that the
  /// point found does not meet.
  Answer attempt(const Question& question, const Way& way, unsigned steps, Sample& sample) {
    Conditions asserted;
    for (const Condition& condition : question.conditions) {
      if (way.all || condition.signs == kZero) asserted.push_back(condition);
    }
    for (;;) {
      z3::solver solver = solver_of(question, way, asserted, steps);
      const z3::check_result result = checked(solver);
      if (result == z3::unsat) return Answer::none;
      if (result != z3::sat) return Answer::unknown;
      const z3::model model = solver.get_model();
      const Condition* const missed = missed_by(model, question, asserted);
      if (missed == nullptr) {
        take(model, question, sample);
        return Answer::found;
      }
      asserted.push_back(*missed);
    }
  }

  std::vector<char> occurring(std::span<const Condition> conditions, const Factors& factors) const {
    std::vector<char> occurs(variables_.size());
    for (const Condition& condition : conditions) {
      for (std::size_t i = 0; i < occurs.size(); ++i) {
        if (factors[condition.factor].contains(i)) occurs[i] = 1;
      }
    }
    return occurs;
  }

  /// A solver that was given the parameters in their order, as what they are, not negative, and
  /// some of the conditions.
  z3::solver solver_of(const Question& question, const Way& way,
                       std::span<const Condition> asserted, unsigned steps) {
    z3::solver solver = z3::tactic(context_, "qfnra-nlsat").mk_solver();
    z3::params params(context_);
    // A question that the end of the time cuts short is asked again by who goes on.
    constexpr double kBeyond = 0.1;
    const double most = std::min(question.left(), std::max(0.0, seconds_left()) + kBeyond);
    params.set("timeout", static_cast<unsigned>(std::max(1.0, 1000 * most)));  // in ms; 0: no end
    params.set("rlimit", steps);
    params.set("ctrl_c", false);  // the program handles interruptions itself
    solver.set(params);
    const std::size_t size = variables_.size();
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t i = way.backwards ? size - 1 - k : k;
      if (question.occurs[i] != 0) solver.add(variables_[i] >= context_.real_val(0));
    }
    for (const auto& [factor, signs] : asserted) {
      const bool replaced = way.reduced && question.remainders->contains(factor);
      solver.add(compared(
          replaced ? sum(question.remainders->at(factor)) : expression(factor, question.factors),
          signs));
    }
    return solver;
  }

  z3::check_result checked(z3::solver& solver) {
    const Z3Asking asking(watch_);
    const z3::check_result result = solver.check();
    if (result == z3::unknown) check_algebra();
    return result;
  }

  /// A condition that a model of those asserted does not meet, or null.
  const Condition* missed_by(const z3::model& model, const Question& question,
                             std::span<const Condition> asserted) {
    if (asserted.size() == question.conditions.size()) return nullptr;
    z3::expr_vector values(context_);
    std::vector<Rational> near;
    for (const z3::expr& variable : variables_) {
      values.push_back(model.eval(variable, true));
      near.push_back(near_to(values.back(), kDigits));
    }
    const auto misses = [&](const Condition& condition) {
      return std::find(asserted.begin(), asserted.end(), condition) == asserted.end() &&
             (sign_near(values, near, condition.factor, question.factors) & condition.signs) == 0;
    };
    const auto missed =
        std::find_if(question.conditions.begin(), question.conditions.end(), misses);
    return missed == question.conditions.end() ? nullptr : &*missed;
  }

  /// The sign at real algebraic numbers, by rational ones near them where these decide it: that at
  /// the numbers themselves can take minutes.
  Signs sign_near(const z3::expr_vector& values, const std::vector<Rational>& near, Factor factor,
                  const Factors& factors) {
    static const Rational kFar(Integer(1), pow(Integer(10), kDigits / 2));
    const Rational value = factors[factor].at(near);
    if (value > kFar || value < -kFar) return sign_of(value);
    return sign_at(values, factor, factors);
  }

  static constexpr unsigned kDigits = 40;

  /// A number within 10^-digits of a real algebraic one; itself where it is rational.
  static Rational near_to(const z3::expr& value, unsigned digits) {
    return rational(value.is_algebraic() ? value.algebraic_upper(digits) : value);
  }

  z3::expr whole(const Integer& value) { return context_.real_val(value.str().c_str()); }

  const z3::expr& expression(Factor factor, const Factors& factors) {
    const auto known = expressions_.find(factor);
    if (known != expressions_.end()) return known->second;
    return expressions_.emplace(factor, sum(factors[factor])).first->second;
  }

  z3::expr sum(const Polynomial& polynomial) {
    z3::expr_vector terms(context_);
    for (const Polynomial::Term& term : polynomial.terms()) {
      poll_algebra();
      z3::expr product = whole(term.coefficient);
      for (std::size_t i = 0; i < variables_.size(); ++i) {
        for (int k = 0; k < term.exponents[i]; ++k) product = product * variables_[i];
      }
      terms.push_back(product);
    }
    return polynomial.is_zero() ? context_.real_val(0) : z3::sum(terms);
  }

  z3::expr compared(const z3::expr& value, Signs signs) {
    const z3::expr zero = context_.real_val(0);
    switch (signs) {
      case kNegative:
        return value < zero;
      case kZero:
        return value == zero;
      case kPositive:
        return value > zero;
      case kNotPositive:
        return value <= zero;
      case kNotNegative:
        return value >= zero;
      case kNonzero:
        return value != zero;
      default:
        return context_.bool_val(signs != 0);
    }
  }

  /// The model's point, or a rational one near it that also satisfies the conditions, or its signs.
  void take(const z3::model& model, const Question& question, Sample& sample) {
    z3::expr_vector values(context_);
    bool irrational = false;
    for (std::size_t i = 0; i < question.occurs.size(); ++i) {
      values.push_back(question.occurs[i] != 0
                           ? model.eval(variables_[i], true)
                           : context_.real_val(to_text(sample.point[i]).c_str()));
      irrational = irrational || values.back().is_algebraic();
    }
    for (const unsigned digits : {2U, 8U, 32U, 128U}) {
      std::size_t i = 0;
      for (const z3::expr& value : values) {
        if (question.occurs[i] != 0) sample.point[i] = near_to(value, digits);
        ++i;
      }
      if (!irrational) return;
      std::vector<Rational> near = sample.point;
      if (move_onto(question.conditions, question.factors, near) &&
          meets(question.conditions, question.factors, near)) {
        sample.point = std::move(near);
        return;
      }
    }
    sample.signs = [this, values, &factors = question.factors](Factor factor) {
      return sign_at(values, factor, factors);
    };
  }

  /// The sign of a polynomial at real algebraic numbers, one for each parameter.
  Signs sign_at(const z3::expr_vector& values, Factor factor, const Factors& factors) {
    std::vector<Z3_ast> point;
    for (const z3::expr& value : values) point.push_back(value);
    const z3::expr polynomial = unbound(factor, factors);
    const Z3Asking asking(watch_);
    const int sign =
        Z3_algebraic_eval(context_, polynomial, static_cast<unsigned>(point.size()), point.data());
    if (Z3_get_error_code(context_) != Z3_OK) {
      check_algebra();
      return kAnySign;
    }
    return sign < 0 ? kNegative : sign > 0 ? kPositive : kZero;
  }

  /// A polynomial in the variables 0, 1, .. that stand for the numbers of a point.
  z3::expr unbound(Factor factor, const Factors& factors) {
    z3::expr_vector places(context_);
    z3::expr_vector variables(context_);
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      variables.push_back(variables_[i]);
      places.push_back(z3::expr(
          context_, Z3_mk_bound(context_, static_cast<unsigned>(i), context_.real_sort())));
    }
    z3::expr polynomial = expression(factor, factors);
    return polynomial.substitute(variables, places);
  }

  static Rational rational(const z3::expr& value) {
    return Rational(Integer(value.numerator().get_decimal_string(0)),
                    Integer(value.denominator().get_decimal_string(0)));
  }

  z3::context context_;
  Z3Watch watch_{context_};
  std::vector<z3::expr> variables_;
  std::map<Factor, z3::expr> expressions_;
};

}  // namespace

std::unique_ptr<Solver> make_solver(std::size_t parameters) {
  return std::make_unique<Z3Solver>(parameters);
}

}  // namespace speclab
#endif
