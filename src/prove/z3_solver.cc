// The solver of nonlinear real arithmetic: Z3 (de Moura, Bjorner 2008), its procedure nlsat
// (Jovanovic, de Moura 2012), complete for conjunctions of polynomial conditions.
#ifdef SPECLAB_Z3
#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "prove/algebra_limits.h"
#include "prove/equalities.h"
#include "prove/solver.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// Cancels the solver's query soon after a signal, or once the memory of the proof is over.
class Watch {
 public:
  explicit Watch(z3::context& context) : context_(context) {
    try {
      thread_ = std::thread([this] { look(); });
    } catch (const std::system_error&) {
      // Without a thread, the query's time limit ends it.
    }
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  /// Whether a query is running.
  void set_asking(bool asking) {
    const std::lock_guard lock(mutex_);
    asking_ = asking;
  }

 private:
  static constexpr std::chrono::milliseconds kLook{50};

  void look() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, kLook, [this] { return over_; })) {
      if (asking_ && (interrupted() || proof_memory_over())) context_.interrupt();
    }
  }

  z3::context& context_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool asking_ = false;
  bool over_ = false;
  std::thread thread_;  // last member: it uses the others
};

/// While it lives, a query is running.
class Asking {
 public:
  explicit Asking(Watch& watch) : watch_(watch) { watch_.set_asking(true); }
  ~Asking() { watch_.set_asking(false); }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

 private:
  Watch& watch_;
};

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
      return ask(conditions, factors, sample, seconds);
    } catch (const z3::exception& error) {
      check_algebra();  // a query that was cancelled reports `canceled`
      if (std::string_view(error.msg()).find("memory") == std::string_view::npos) throw;
      throw OutOfProofMemory("the solver of the proof ran out of memory");
    }
  }

 private:
  Answer ask(std::span<const Condition> conditions, const Factors& factors, Sample& sample,
             double seconds) {
    z3::solver solver = z3::tactic(context_, "qfnra-nlsat").mk_solver();
    z3::params params(context_);
    // A question that the end of the time cuts short is asked again by who goes on.
    constexpr double kBeyond = 0.1;
    const double most = std::min(seconds, std::max(0.0, seconds_left()) + kBeyond);
    params.set("timeout", static_cast<unsigned>(1000 * most));
    params.set("ctrl_c", false);  // the program handles interruptions itself
    solver.set(params);
    std::vector<char> occurs(variables_.size());
    for (const Condition& condition : conditions) {
      const Polynomial& polynomial = factors[condition.factor];
      for (std::size_t i = 0; i < occurs.size(); ++i) {
        if (polynomial.contains(i)) occurs[i] = 1;
      }
      solver.add(compared(expression(condition.factor, factors), condition.signs));
    }
    const Asking asking(watch_);
    const z3::check_result result = solver.check();
    if (result == z3::unknown) check_algebra();
    if (result == z3::unsat) return Answer::none;
    if (result != z3::sat) return Answer::unknown;
    take(solver.get_model(), occurs, conditions, factors, sample);
    return Answer::found;
  }

  z3::expr whole(const Integer& value) { return context_.real_val(value.str().c_str()); }

  const z3::expr& expression(Factor factor, const Factors& factors) {
    const auto known = expressions_.find(factor);
    if (known != expressions_.end()) return known->second;
    z3::expr_vector sum(context_);
    for (const Polynomial::Term& term : factors[factor].terms()) {
      poll_algebra();
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

  /// The model's point, or a rational one near it that also satisfies the conditions, or its signs.
  void take(const z3::model& model, const std::vector<char>& occurs,
            std::span<const Condition> conditions, const Factors& factors, Sample& sample) {
    z3::expr_vector values(context_);
    bool irrational = false;
    for (std::size_t i = 0; i < occurs.size(); ++i) {
      values.push_back(occurs[i] != 0 ? model.eval(variables_[i], true)
                                      : context_.real_val(to_text(sample.point[i]).c_str()));
      irrational = irrational || values.back().is_algebraic();
    }
    for (const unsigned digits : {2U, 8U, 32U, 128U}) {
      for (std::size_t i = 0; i < occurs.size(); ++i) {
        if (occurs[i] == 0) continue;
        const z3::expr value = values[static_cast<int>(i)];
        sample.point[i] =
            value.is_algebraic() ? rational(value.algebraic_upper(digits)) : rational(value);
      }
      if (!irrational) return;
      std::vector<Rational> near = sample.point;
      if (move_onto(conditions, factors, near) && meets(conditions, factors, near)) {
        sample.point = std::move(near);
        return;
      }
    }
    sample.signs = [this, values, &factors](Factor factor) {
      return sign_at(values, factor, factors);
    };
  }

  /// The sign of a polynomial at real algebraic numbers, one for each parameter.
  Signs sign_at(const z3::expr_vector& values, Factor factor, const Factors& factors) {
    std::vector<Z3_ast> point;
    for (unsigned i = 0; i < values.size(); ++i) point.push_back(values[static_cast<int>(i)]);
    const z3::expr polynomial = unbound(factor, factors);
    const Asking asking(watch_);
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
  Watch watch_{context_};
  std::vector<z3::expr> variables_;
  std::map<Factor, z3::expr> expressions_;
};

}  // namespace

std::unique_ptr<Solver> make_solver(std::size_t parameters) {
  return std::make_unique<Z3Solver>(parameters);
}

}  // namespace speclab
#endif
