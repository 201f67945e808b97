#include "prove/number.h"

#include "base/error.h"

namespace speclab {
namespace {

thread_local CellRun* g_current = nullptr;

[[noreturn]] void refuse_rounding() {
  throw InputError(
      "this verifier rounds probabilities or takes their logarithms: it is not a piecewise "
      "rational "
      "function of the pair, so it cannot be proved; use exact arithmetic on single "
      "pairs");
}

Number combined(Operation operation, Number a, Number b) {
  return Number::of(g_current->combine(operation, a.function(), b.function()));
}

}  // namespace

CurrentRun::CurrentRun(CellRun& run) : before_(g_current) { g_current = &run; }
CurrentRun::~CurrentRun() { g_current = before_; }
CellRun& current_run() { return *g_current; }

Number::Number(const Rational& value)
    : function_(value == 0 ? Functions::kZeroFunction : g_current->constant(value)) {}
Number::Number(double) { refuse_rounding(); }

Number operator+(Number a, Number b) { return combined(Operation::plus, a, b); }
Number operator-(Number a, Number b) { return combined(Operation::minus, a, b); }
Number operator*(Number a, Number b) { return combined(Operation::times, a, b); }
Number operator/(Number a, Number b) { return combined(Operation::over, a, b); }
Number Number::operator-() const { return Number(0) - *this; }

bool operator<(Number a, Number b) { return g_current->decide((a - b).function(), kNegative); }
bool operator==(Number a, Number b) {
  return a.function() == b.function() || g_current->decide((a - b).function(), kZero);
}

double to_double(const Number&) { refuse_rounding(); }

template <>
Number positive_part<Number>(const Number& value) {
  const Signs known = g_current->signs(value.function());
  if (within(known, kNotNegative)) return value;
  if (within(known, kNotPositive)) return Number(0);
  return g_current->decide(value.function(), kNotNegative) ? value : Number(0);
}

template <>
Number min_one<Number>(const Number& value) {
  const Function excess = (value - Number(1)).function();
  const Signs known = g_current->signs(excess);
  if (within(known, kNotPositive)) return value;
  if (within(known, kNotNegative)) return Number(1);
  return g_current->decide(excess, kNegative) ? value : Number(1);
}

void LogSum<Number>::refuse() { refuse_rounding(); }

}  // namespace speclab
