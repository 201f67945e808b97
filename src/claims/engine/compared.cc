#include "claims/engine/compared.h"

#include <fmt/format.h>

namespace speclab {
namespace {

std::string_view sign(const Rational& left, const Rational& right) {
  return left < right ? "<" : left > right ? ">" : "=";
}

}  // namespace

std::string_view demand(Order order) {
  switch (order) {
    case Order::equal:
      return "must be equal";
    case Order::at_most:
      return "must be at most";
    case Order::at_least:
      return "must be at least";
    case Order::below:
      return "must be below";
    case Order::above:
      return "must be above";
  }
  return "";
}

std::string number_text(const Rational& value) {
  constexpr std::size_t kLongest = 24;
  const std::string text = to_text(value);
  return text.size() <= kLongest ? text : fmt::format("~{:.10g}", to_double(value));
}

bool Compared::holds() const {
  switch (order) {
    case Order::equal:
      return left == right;
    case Order::at_most:
      return left <= right;
    case Order::at_least:
      return left >= right;
    case Order::below:
      return left < right;
    case Order::above:
      return left > right;
  }
  return false;
}

std::string Compared::text() const {
  return fmt::format("{}: {} {} {}", what, number_text(left), sign(left, right),
                     number_text(right));
}

}  // namespace speclab
