#include "experiment/equation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/over_limit.h"
#include "base/text.h"

namespace speclab {

namespace {

constexpr int kDeepest = 100;             ///< brackets within brackets
constexpr std::size_t kLongest = 10'000;  ///< bytes

/// The intervals of all rows as one, by mean, min, max or sum.
Interval over_rows(std::string_view operation, const std::vector<Interval>& rows,
                   const std::string& name) {
  if (rows.empty()) throw InputError("there is no row with a number of '" + name + "'");
  Interval all = rows.front();
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (operation == "min") {
      all = {std::min(all.low, rows[i].low), std::min(all.high, rows[i].high)};
    } else if (operation == "max") {
      all = {std::max(all.low, rows[i].low), std::max(all.high, rows[i].high)};
    } else {
      all = all + rows[i];
    }
  }
  const Rational count(rows.size());
  return operation == "mean" ? Interval{all.low / count, all.high / count} : all;
}

/// Reads an expression by recursive descent, sums of products of atoms, and computes it.
class Parser {
 public:
  /// @param names  null where the expression is only checked: its value then means nothing
  Parser(std::string_view text, const Bindings* names) : text_(text), names_(names) {}

  Interval whole() {
    Interval value = sum(0);
    skip();
    if (at_ < text_.size()) refuse("an operator or the end");
    return value;
  }

 private:
  [[noreturn]] void refuse(const std::string& wanted) const {
    throw InputError("'" + abbreviate(std::string(text_), 120) + "': there should be " + wanted +
                     " at character " + std::to_string(at_ + 1));
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char wanted) {
    skip();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  Interval sum(int depth) {
    if (depth > kDeepest) refuse("fewer brackets");
    Interval value = product(depth);
    for (;;) {
      if (take('+')) {
        value = value + product(depth);
      } else if (take('-')) {
        value = value - product(depth);
      } else {
        return value;
      }
    }
  }

  Interval product(int depth) {
    Interval value = atom(depth);
    for (;;) {
      if (take('*')) {
        value = value * atom(depth);
      } else if (take('/')) {
        const Interval divisor = atom(depth);
        if (names_ != nullptr) value = value / divisor;
      } else {
        return value;
      }
    }
  }

  Interval atom(int depth) {
    if (take('(')) {
      const Interval value = sum(depth + 1);
      if (!take(')')) refuse("')'");
      return value;
    }
    skip();
    const auto first = static_cast<unsigned char>(at_ < text_.size() ? text_[at_] : '\0');
    if (std::isdigit(first) != 0) return number();
    if (std::isalpha(first) == 0) refuse("a number, a name or '('");
    return name();
  }

  Interval number() {
    const std::size_t end = std::min(text_.find_first_not_of("0123456789.", at_), text_.size());
    const Rational value = parse_rational(std::string(text_.substr(at_, end - at_)));
    at_ = end;
    return {value, value};
  }

  Interval name() {
    const std::string word = identifier();
    if (word != "mean" && word != "min" && word != "max" && word != "sum") {
      return names_ == nullptr ? Interval{} : names_->one(word);
    }
    if (!take('(')) refuse("'('");
    skip();
    const std::string inner = identifier();
    if (inner.empty() || !take(')')) refuse("a name and ')'");
    return names_ == nullptr ? Interval{} : over_rows(word, names_->all(inner), inner);
  }

  /// A '-' belongs to the name where a letter or digit follows at once.
  std::string identifier() {
    const std::size_t begin = at_;
    const auto belongs = [&](std::size_t i) {
      const auto c = static_cast<unsigned char>(text_[i]);
      if (std::isalnum(c) != 0 || c == '.' || c == ':' || c == '%' || c == '_') return true;
      return c == '-' && i > begin && i + 1 < text_.size() &&
             std::isalnum(static_cast<unsigned char>(text_[i + 1])) != 0;
    };
    while (at_ < text_.size() && belongs(at_)) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string_view text_;
  const Bindings* names_;
  std::size_t at_ = 0;
};

}  // namespace

Interval operator+(const Interval& a, const Interval& b) {
  return {a.low + b.low, a.high + b.high};
}

Interval operator-(const Interval& a, const Interval& b) {
  return {a.low - b.high, a.high - b.low};
}

Interval operator*(const Interval& a, const Interval& b) {
  const auto [low, high] = std::minmax({Rational(a.low * b.low), Rational(a.low * b.high),
                                        Rational(a.high * b.low), Rational(a.high * b.high)});
  return {low, high};
}

Interval operator/(const Interval& a, const Interval& b) {
  if (b.low <= 0 && b.high >= 0) throw InputError("a printed number that may be 0 divides another");
  return a * Interval{Rational(1 / b.high), Rational(1 / b.low)};
}

Expression::Expression(std::string_view text) : text_(text) {
  if (text.size() > kLongest) {
    throw InputError(
        over_limit(fmt::format("the expression '{}' has {} bytes", abbreviate(text), text.size()),
                   kLongest, "shorten it"));
  }
  Parser(text_, nullptr).whole();
}

Interval Expression::value(const Bindings& names) const { return Parser(text_, &names).whole(); }

Equation Equation::parse(std::string_view text) {
  const std::size_t at = text.find('=');
  if (at == std::string_view::npos || text.find('=', at + 1) != std::string_view::npos) {
    throw InputError("'" + abbreviate(std::string(text), 120) +
                     "' has one of =, <= and >=, and one alone");
  }
  const char before = at > 0 ? text[at - 1] : ' ';
  const bool bound = before == '<' || before == '>';
  return {Expression(text.substr(0, at - (bound ? 1 : 0))), Expression(text.substr(at + 1)),
          before == '<'   ? Relation::at_most
          : before == '>' ? Relation::at_least
                          : Relation::equals};
}

bool Equation::possible(Relation relation, const Interval& left, const Interval& right) {
  const bool at_most = left.low <= right.high, at_least = left.high >= right.low;
  if (relation == Relation::equals) return at_most && at_least;
  return relation == Relation::at_most ? at_most : at_least;
}

}  // namespace speclab
