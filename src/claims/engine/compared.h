#pragma once

#include <string>
#include <vector>

#include "base/rational.h"
#include "claims/engine/instance.h"

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
using Comparisons = std::vector<Compared>;

}  // namespace speclab
