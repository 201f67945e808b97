#include "experiment/derive.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/error.h"
#include "experiment/agreeing.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

constexpr double kNormal95 = 1.959963984540054;

/// What an operation gives, in either arithmetic.
template <class Real>
Real apply(const std::string& operation, const Real& a, const Real& b) {
  if (operation == "difference") return Real(a - b);
  if (operation == "sum") return Real(a + b);
  if (operation == "ratio") return Real(a / b);
  return Real(a / b - 1);
}

/// Refuses a number that overflows.
void check_finite(const std::string& operation, const AnswerRow& a, const AnswerRow& b,
                  const AnswerRow& made) {
  if (std::isfinite(made.value) && std::isfinite(made.low.value_or(0)) &&
      std::isfinite(made.high.value_or(0))) {
    return;
  }
  throw InputError(fmt::format("the {} of {} and {} is no finite number; choose other rows",
                               operation, a.value, b.value));
}

AnswerRow combine(const std::string& operation, const AnswerRow& a, const AnswerRow& b) {
  AnswerRow row;
  row.method = "derived";
  row.quantity = a.quantity;
  row.index = a.index;
  const bool divides = operation == "ratio" || operation == "relative";
  if (divides && !(std::abs(b.value) > 0)) {
    throw InputError("a ratio over 0; choose other rows");
  }
  if (a.exact && b.exact) {
    row.exact = apply(operation, *a.exact, *b.exact);
    row.value = to_double(*row.exact);
    check_finite(operation, a, b, row);
    return row;
  }
  row.value = apply(operation, a.value, b.value);
  if (a.standard_error || b.standard_error) {
    const double sa = a.standard_error.value_or(0), sb = b.standard_error.value_or(0);
    const double error =
        divides ? std::hypot(sa, sb * a.value / b.value) / std::abs(b.value) : std::hypot(sa, sb);
    row.standard_error = error;
    row.low = row.value - kNormal95 * error;
    row.high = row.value + kNormal95 * error;
  }
  check_finite(operation, a, b, row);
  return row;
}

std::vector<TaskRows> derive_one(const Derived& derived, const std::vector<TaskRows>& results) {
  const std::vector<ChosenRow> over = choose(derived.over, results);
  const std::vector<ChosenRow> of = choose(derived.of, results);
  if (of.empty()) throw InputError("`of` chooses no row");
  Agreeing agreeing(derived.over);
  for (const ChosenRow& b : over) agreeing.add(*b.place, b.row.index);
  std::vector<TaskRows> made;
  const TaskPlace* last = nullptr;
  for (const ChosenRow& a : of) {
    check_interrupted();
    const std::vector<std::size_t> found = agreeing.with(*a.place, a.row.index);
    if (found.empty()) throw InputError("`over` chooses no row that agrees with `of`");
    if (found.size() > 1) {
      throw InputError("`over` chooses more than one row; name more columns of it");
    }
    if (a.place != last) {
      made.push_back({*a.place, {}});
      made.back().place.task = derived.name;
      last = a.place;
    }
    made.back().rows.push_back(combine(derived.operation, a.row, over[found.front()].row));
  }
  return made;
}

}  // namespace

std::vector<TaskRows> derive(const Experiment& experiment, std::vector<TaskRows> results,
                             bool quick) {
  for (const Derived& derived : experiment.derived) {
    if (left_out(experiment, derived.name, quick)) continue;
    std::vector<TaskRows> made =
        at_line(experiment, derived.line, [&] { return derive_one(derived, results); });
    results.insert(results.end(), std::make_move_iterator(made.begin()),
                   std::make_move_iterator(made.end()));
  }
  return results;
}

}  // namespace speclab
