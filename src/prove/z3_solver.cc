// The solver of nonlinear real arithmetic: Z3 (de Moura, Bjorner 2008), its procedure nlsat
// (Jovanovic, de Moura 2012), complete for conjunctions of polynomial conditions.
#ifdef SPECLAB_Z3
#include <z3++.h>

#include <map>
#include <string>

#include "prove/equalities.h"
#include "prove/solver.h"

namespace speclab {
namespace {

class Z3Solver final : public Solver {
 public:
  explicit Z3Solver(std::size_t parameters) {
    for (std::size_t i = 0; i < parameters; ++i) {
      variables_.push_back(context_.real_const(("x" + std::to_string(i)).c_str()));
    }
  }

  Answer find(std::span<const Condition> conditions, const Factors& factors,
              std::vector<std::optional<Rational>>& point, double seconds) override {
    z3::solver solver = z3::tactic(context_, "qfnra-nlsat").mk_solver();
    z3::params params(context_);
    params.set("timeout", static_cast<unsigned>(1000 * seconds));
    params.set("ctrl_c", false);  // an interruption is the program's own
    solver.set(params);
    std::vector<char> occurs(variables_.size());
    for (const Condition& condition : conditions) {
      const Polynomial& polynomial = factors[condition.factor];
      for (std::size_t i = 0; i < occurs.size(); ++i) {
        if (polynomial.contains(i)) occurs[i] = 1;
      }
      solver.add(compared(expression(condition.factor, factors), condition.signs));
    }
    const z3::check_result result = solver.check();
    if (result == z3::unsat) return Answer::none;
    if (result != z3::sat) return Answer::unknown;
    return rational_point(solver.get_model(), occurs, conditions, factors, point) ? Answer::found
                                                                                  : Answer::unknown;
  }

 private:
  z3::expr whole(const Integer& value) { return context_.real_val(value.str().c_str()); }

  const z3::expr& expression(Factor factor, const Factors& factors) {
    const auto known = expressions_.find(factor);
    if (known != expressions_.end()) return known->second;
    z3::expr_vector sum(context_);
    for (const Polynomial::Term& term : factors[factor].terms()) {
      z3::expr product = whole(term.coefficient);
      for (std::size_t i = 0; i < variables_.size(); ++i) {
        for (int k = 0; k < term.exponents[i]; ++k) product = product * variables_[i];
      }
      sum.push_back(product);
    }
    return expressions_.emplace(factor, z3::sum(sum)).first->second;
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

  /// The model's point, or one near it where that is irrational.
  bool rational_point(const z3::model& model, const std::vector<char>& occurs,
                      std::span<const Condition> conditions, const Factors& factors,
                      std::vector<std::optional<Rational>>& point) {
    for (const unsigned digits : {2U, 8U, 32U, 128U}) {
      std::vector<Rational> values(variables_.size());
      bool near = false;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (occurs[i] == 0) continue;
        const z3::expr value = model.eval(variables_[i], true);
        near = near || !value.is_numeral() || value.is_algebraic();
        values[i] =
            value.is_algebraic() ? rational(value.algebraic_upper(digits)) : rational(value);
      }
      const bool moved = !near || move_onto(conditions, factors, values);
      if (moved && meets(conditions, factors, values)) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          if (occurs[i] != 0) point[i] = values[i];
        }
        return true;
      }
      if (!near) return false;
    }
    return false;
  }

  static Rational rational(const z3::expr& value) {
    return Rational(Integer(value.numerator().get_decimal_string(0)),
                    Integer(value.denominator().get_decimal_string(0)));
  }

  z3::context context_;
  std::vector<z3::expr> variables_;
  std::map<Factor, z3::expr> expressions_;
};

}  // namespace

std::unique_ptr<Solver> make_solver(std::size_t parameters) {
  return std::make_unique<Z3Solver>(parameters);
}

}  // namespace speclab
#endif
