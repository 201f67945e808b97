#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/answer.h"
#include "base/rational.h"

namespace speclab {

/// Every number from low to high. An operation gives the least interval that contains its results
/// for all numbers of its operands; a name that occurs twice counts as two numbers. What is outside
/// is impossible, what is inside need not be possible. Worked example: "3.49" / "3.21" =
/// [3.485/3.215, 3.495/3.205].
struct Interval {
  Rational low, high;
};

Interval operator+(const Interval& a, const Interval& b);
Interval operator-(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);
/// @throws InputError where b contains 0
Interval operator/(const Interval& a, const Interval& b);

/// What a name stands for in an expression: one interval; of mean(NAME), min(NAME), max(NAME) and
/// sum(NAME) several, one a row.
struct Bindings {
  std::function<Interval(const std::string& name)> one;
  std::function<std::vector<Interval>(const std::string& name)> all;
};

/// An expression over printed numbers: decimal numbers, names, + - * / and brackets; mean(NAME),
/// min(NAME), max(NAME) and sum(NAME) over rows. A name is of letters, digits and . : % _ - and
/// begins with a letter; a minus between names has a space beside it.
class Expression {
 public:
  /// @throws InputError naming what is wrong and where
  explicit Expression(std::string_view text);

  [[nodiscard]] Interval value(const Bindings& names) const;

 private:
  std::string text_;
};

/// "a = b", "a <= b" or "a >= b".
struct Equation {
  Expression left, right;
  Relation relation;

  /// @throws InputError as Expression does, or where there is no comparison, or two
  static Equation parse(std::string_view text);

  /// Whether numbers that round to those printed may fulfil it.
  [[nodiscard]] static bool possible(Relation relation, const Interval& left,
                                     const Interval& right);
};

}  // namespace speclab
