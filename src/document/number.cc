#include "document/number.h"

#include <fmt/format.h>

#include <cmath>

#include "base/json.h"

namespace speclab {

std::string shortest(double value) { return Json(value).dump(); }

std::string readable(double value) {
  const double size = std::abs(value);
  if (size == 0) return "0";
  if (size < 1e-4) return fmt::format("{:.3e}", value);
  if (size >= 1e9) return fmt::format("{:.6e}", value);
  return fmt::format("{:.6f}", value);
}

std::optional<std::string> fraction_text(const std::optional<Rational>& fraction) {
  if (!fraction) return std::nullopt;
  std::string text = to_text(*fraction);
  if (text.size() > kLongestFraction) return std::nullopt;
  return text;
}

std::string fraction_or_number(double number, const std::optional<Rational>& fraction,
                               std::size_t longest) {
  std::string text = fraction ? to_text(*fraction) : "";
  return !fraction || text.size() > longest ? readable(number) : text;
}

std::string number_text(double number, const std::optional<Rational>& fraction,
                        std::size_t longest) {
  std::string text = fraction_or_number(number, fraction, longest);
  return text.find('/') == std::string::npos ? text : readable(number) + " = " + text;
}

}  // namespace speclab
