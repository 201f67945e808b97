#include "experiment/equation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "base/error.h"
#include "base/over_limit.h"
#include "base/text.h"

namespace speclab {

struct Expression::Node {
  enum class Kind { number, name, mean, least, most, sum, plus, minus, times, over };
  Kind kind;
  Rational number{0};
  std::string name{};
  std::shared_ptr<const Node> left{}, right{};
};

namespace {

using Node = Expression::Node;
using NodePointer = std::shared_ptr<const Node>;
using Kind = Node::Kind;

constexpr int kDeepest = 100;             ///< brackets within brackets
constexpr std::size_t kLongest = 10'000;  ///< bytes: a sum is as deep as it has terms

/// Reads an expression by recursive descent: sums of products of atoms.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  NodePointer whole() {
    if (text_.size() > kLongest) {
      throw InputError(over_limit(
          fmt::format("the expression '{}' has {} bytes", abbreviate(text_), text_.size()),
          kLongest, "shorten it"));
    }
    NodePointer node = sum(0);
    skip();
    if (at_ < text_.size()) refuse("an operator or the end");
    return node;
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
  static NodePointer binary(Kind kind, NodePointer left, NodePointer right) {
    return std::make_shared<const Node>(
        Node{.kind = kind, .left = std::move(left), .right = std::move(right)});
  }

  NodePointer sum(int depth) {
    if (depth > kDeepest) refuse("fewer brackets");
    NodePointer node = product(depth);
    for (;;) {
      if (take('+')) {
        node = binary(Kind::plus, node, product(depth));
      } else if (take('-')) {
        node = binary(Kind::minus, node, product(depth));
      } else {
        return node;
      }
    }
  }

  NodePointer product(int depth) {
    NodePointer node = atom(depth);
    for (;;) {
      if (take('*')) {
        node = binary(Kind::times, node, atom(depth));
      } else if (take('/')) {
        node = binary(Kind::over, node, atom(depth));
      } else {
        return node;
      }
    }
  }

  NodePointer atom(int depth) {
    if (take('(')) {
      NodePointer node = sum(depth + 1);
      if (!take(')')) refuse("')'");
      return node;
    }
    skip();
    const char first = at_ < text_.size() ? text_[at_] : '\0';
    if (std::isdigit(static_cast<unsigned char>(first)) != 0) return number();
    if (std::isalpha(static_cast<unsigned char>(first)) == 0) refuse("a number, a name or '('");
    return name();
  }

  NodePointer number() {
    const std::size_t end = std::min(text_.find_first_not_of("0123456789.", at_), text_.size());
    const std::string word(text_.substr(at_, end - at_));
    at_ = end;
    return std::make_shared<const Node>(Node{.kind = Kind::number, .number = parse_rational(word)});
  }

  NodePointer name() {
    const std::string word = identifier();
    constexpr std::array<std::pair<std::string_view, Kind>, 4> kOverRows{
        {{"mean", Kind::mean}, {"min", Kind::least}, {"max", Kind::most}, {"sum", Kind::sum}}};
    const auto over = std::find_if(kOverRows.begin(), kOverRows.end(),
                                   [&](const auto& entry) { return entry.first == word; });
    if (over == kOverRows.end()) {
      return std::make_shared<const Node>(Node{.kind = Kind::name, .name = word});
    }
    if (!take('(')) refuse("'('");
    skip();
    const std::string inner = identifier();
    if (inner.empty() || !take(')')) refuse("a name and ')'");
    return std::make_shared<const Node>(Node{.kind = over->second, .name = inner});
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
  std::size_t at_ = 0;
};

/// The intervals of all rows as one.
Interval over_rows(Kind kind, const std::vector<Interval>& rows, const std::string& name) {
  if (rows.empty()) throw InputError("there is no row with a number of '" + name + "'");
  Interval all = rows.front();
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (kind == Kind::least) {
      all = {std::min(all.low, rows[i].low), std::min(all.high, rows[i].high)};
    } else if (kind == Kind::most) {
      all = {std::max(all.low, rows[i].low), std::max(all.high, rows[i].high)};
    } else {
      all = all + rows[i];
    }
  }
  const Rational count(rows.size());
  return kind == Kind::mean ? Interval{all.low / count, all.high / count} : all;
}

Interval evaluate(const Node& node, const Bindings& names) {
  switch (node.kind) {
    case Kind::number:
      return {node.number, node.number};
    case Kind::name:
      return names.one(node.name);
    case Kind::mean:
    case Kind::least:
    case Kind::most:
    case Kind::sum:
      return over_rows(node.kind, names.all(node.name), node.name);
    case Kind::plus:
      return evaluate(*node.left, names) + evaluate(*node.right, names);
    case Kind::minus:
      return evaluate(*node.left, names) - evaluate(*node.right, names);
    case Kind::times:
      return evaluate(*node.left, names) * evaluate(*node.right, names);
    case Kind::over:
      break;
  }
  return evaluate(*node.left, names) / evaluate(*node.right, names);
}

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

Expression::Expression(std::string_view text) : root_(Parser(text).whole()) {}

Interval Expression::value(const Bindings& names) const { return evaluate(*root_, names); }

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
