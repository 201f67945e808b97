#include "prove/cell_run.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace speclab {
namespace {

/// The signs of base^exponent.
Signs power_signs(Signs base, int exponent) {
  if (exponent < 0 && (base & kZero) != 0) return kAnySign;
  if (exponent % 2 != 0) return base;
  Signs result = (base & kNonzero) != 0 ? kPositive : 0;
  result |= static_cast<Signs>(base & kZero);
  return result;
}

}  // namespace

CellRun::CellRun(Functions& functions, Sample sample, std::span<const Condition> known)
    : functions_(functions), sample_(std::move(sample)) {
  for (const Condition& condition : known) learn(condition);
  keep(Functions::kZeroFunction, Rational(0));
  keep(Functions::kOneFunction, Rational(1));
}

void CellRun::follow(Points points) {
  points_ = std::move(points);
  for (const Function whole : {Functions::kZeroFunction, Functions::kOneFunction}) {
    residues_[static_cast<std::size_t>(whole)] = functions_.values(whole);
  }
}

void CellRun::learn(const Condition& condition) {
  const auto at = static_cast<std::size_t>(condition.factor);
  if (known_.size() <= at) known_.resize(at + 1, kAnySign);
  known_[at] &= condition.signs;
  ++version_;
}

Signs CellRun::known(Factor factor) const {
  const auto at = static_cast<std::size_t>(factor);
  return at < known_.size() ? known_[at] : kAnySign;
}

bool CellRun::has(Function function) const {
  const auto at = static_cast<std::size_t>(function);
  return at < has_.size() && has_[at] != 0;
}

std::size_t CellRun::enter(Function function) {
  const auto at = static_cast<std::size_t>(function);
  if (has_.size() <= at) {
    const std::size_t size = std::max(at + 1, 2 * has_.size());
    has_.resize(size, 0);
    values_.resize(size);
    residues_.resize(size);
    signs_.resize(size, 0);
    signs_at_.resize(size, 0);
  }
  has_[at] = 1;
  return at;
}

void CellRun::keep(Function function, const Rational& value) { values_[enter(function)] = value; }

Function CellRun::parameter(std::size_t index) {
  const Function result = functions_.parameter(index);
  if (!has(result)) keep(result, sample_.point[index]);
  if (points_) residues_[static_cast<std::size_t>(result)] = (*points_)[index];
  return result;
}

Function CellRun::constant(const Rational& value) {
  const Function result = functions_.constant(value);
  if (!has(result)) keep(result, value);
  if (points_) residues_[static_cast<std::size_t>(result)] = functions_.values(result);
  return result;
}

Function CellRun::combine(Operation operation, Function a, Function b) {
  poll_algebra();
  if (operation == Operation::over && !decide(b, kNonzero)) throw DividedByZero{};
  const Function result = functions_.combine(operation, a, b);
  if (has(result)) return result;
  const std::size_t at = enter(result);
  if (sample_.rational()) values_[at] = applied(operation, value(a), value(b));
  if (!points_) return result;
  const auto& left = residues(a);
  const auto& right = residues(b);
  if (!left || !right) return result;
  Functions::Values values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (operation == Operation::over && (*right)[i].is_zero()) return result;
    values[i] = applied(operation, (*left)[i], (*right)[i]);
  }
  residues_[at] = values;
  return result;
}

Signs CellRun::signs(const Factored& fraction) const {
  Signs result = sign_of(fraction.coefficient);
  for (const auto& [factor, exponent] : fraction.powers) {
    if (exponent < 0 && (known(factor) & kZero) != 0) return kAnySign;
    result = product_signs(result, power_signs(known(factor), exponent));
  }
  return result;
}

Signs CellRun::structural_signs(Function function) {
  const auto origin = functions_.origin(function);
  if (!origin) return kAnySign;
  const Signs a = signs(origin->a);
  const Signs b = signs(origin->b);
  // The function may first have been made at another sample, for example as d (1 - t / d): here d
  // may be 0 and t / d undefined, with any sign. Then not even its product with 0 is known.
  if (a == kAnySign || b == kAnySign) return kAnySign;
  switch (origin->operation) {
    case Operation::plus:
      return sum_signs(a, b);
    case Operation::minus:
      return sum_signs(a, negated(b));
    case Operation::times:
      return product_signs(a, b);
    case Operation::over:
      break;
  }
  return (b & kZero) != 0 ? kAnySign : product_signs(a, b);
}

Signs CellRun::signs(Function function) {
  poll_algebra();
  const auto at = static_cast<std::size_t>(function);
  if (at < signs_at_.size() && signs_at_[at] == version_) return signs_[at];
  Signs result = signs(functions_.factored(function));
  if (!single(result)) result &= structural_signs(function);
  if (at < signs_at_.size()) {
    signs_[at] = result;
    signs_at_[at] = version_;
  }
  return result;
}

Signs CellRun::factor_sign(Factor factor) const {
  return sample_.rational() ? sign_of(functions_.factors()[factor].at(sample_.point))
                            : sample_.signs(factor);
}

Signs CellRun::sign_here(Function function) {
  if (sample_.rational()) return sign_of(value(function));
  const Factored& fraction = functions_.factored(function);
  Signs result = sign_of(fraction.coefficient);
  for (const auto& [factor, exponent] : fraction.powers) {
    result = product_signs(result, power_signs(factor_sign(factor), exponent));
  }
  return result;
}

bool CellRun::decide(Function function, Signs yes) {
  for (;;) {
    const Signs possible = signs(function);
    if (possible == 0) throw Contradiction();
    if (within(possible, yes)) return true;
    if ((possible & yes) == 0) return false;
    refine(functions_.factored(function), yes);
  }
}

/// A sign, or some, that the factor has by the next result of the replay.
Signs CellRun::replayed(Factor factor) const {
  if (records_.size() == replay_->taken.size()) throw OffReplay{factor};
  const Condition& next = replay_->taken[records_.size()];
  const bool narrower = next.signs != known(factor) && within(next.signs, known(factor));
  if (replay_->factors[next.factor] != functions_.factors()[factor] || !narrower) {
    throw OffReplay{factor};
  }
  return next.signs;
}

void CellRun::refine(const Factored& fraction, Signs yes) {
  Factor first = -1;
  int undecided = 0;
  Signs others = sign_of(fraction.coefficient);
  int exponent = 0;
  for (const auto& [factor, power] : fraction.powers) {
    const Signs now = power_signs(known(factor), power);
    if (single(now)) {
      others = product_signs(others, now);
      continue;
    }
    if (undecided++ == 0) {
      first = factor;
      exponent = power;
    }
  }
  if (undecided == 0) throw std::logic_error("a sign that is known and not known");
  const Signs before = known(first);
  const Signs here = replay_ ? replayed(first) : factor_sign(first);
  if (!replay_ && !single(here)) throw NoSign{};
  Signs taken = here;
  if (undecided == 1 && !replay_) {
    // The signs for which the comparison has the same result as here.
    const auto outcome = [&](Signs sign) {
      return within(product_signs(others, power_signs(sign, exponent)), yes);
    };
    for (const Signs sign : {kNegative, kZero, kPositive}) {
      if ((before & sign) != 0 && outcome(sign) == outcome(here)) taken |= sign;
    }
    // The known conditions may already imply the result: then there is nothing to record.
    if (taken == before) taken = here;
  }
  records_.push_back({{first, taken}, static_cast<Signs>(before & ~taken)});
  learn({first, taken});
}

}  // namespace speclab
