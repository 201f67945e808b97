#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "base/rational.h"
#include "claims/engine/instance.h"
#include "system/interrupt.h"

namespace speclab {

/// How two numbers must stand to each other.
enum class Order { equal, at_most, at_least, below, above };

/// Two numbers that a statement compares.
struct Compared {
  std::string what;  ///< "E[tau] of block against the optimum"
  Rational left;
  Order order = Order::equal;
  Rational right;

  [[nodiscard]] bool holds() const;
  /// "WHAT: 11/9 = 11/9", numbers as in number_text; the sign shown is the true one.
  [[nodiscard]] std::string text() const;
};

/// A number in evidence: "11/9", or where the fraction is long a decimal of ten digits that says
/// so: "~0.8114195153".
std::string number_text(const Rational& value);

/// "must be equal".
std::string_view demand(Order order);

/// What a statement says on one instance: none where its hypotheses are not met.
class Comparisons : public std::vector<Compared> {
 public:
  using std::vector<Compared>::vector;

  /// Adds `left` ORDER `right`; what it is, as text that fmt formats, comes last.
  /// @throws Error when interrupted: a long check adds many
  template <class... Args>
  void add(const Rational& left, Order order, const Rational& right,
           fmt::format_string<Args...> what, Args&&... args) {
    check_interrupted();
    push_back({fmt::format(what, std::forward<Args>(args)...), left, order, right});
  }
  template <class... Args>
  void equal(const Rational& left, const Rational& right, fmt::format_string<Args...> what,
             Args&&... args) {
    add(left, Order::equal, right, what, std::forward<Args>(args)...);
  }
  template <class... Args>
  void at_most(const Rational& left, const Rational& right, fmt::format_string<Args...> what,
               Args&&... args) {
    add(left, Order::at_most, right, what, std::forward<Args>(args)...);
  }
  template <class... Args>
  void at_least(const Rational& left, const Rational& right, fmt::format_string<Args...> what,
                Args&&... args) {
    add(left, Order::at_least, right, what, std::forward<Args>(args)...);
  }
  template <class... Args>
  void above(const Rational& left, const Rational& right, fmt::format_string<Args...> what,
             Args&&... args) {
    add(left, Order::above, right, what, std::forward<Args>(args)...);
  }
};

}  // namespace speclab
