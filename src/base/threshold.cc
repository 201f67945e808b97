#include "base/threshold.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/integer.h"

namespace speclab {
namespace {

/// Digits of the largest product that sign_of_logarithms makes: about a millisecond.
constexpr double kMostBits = 1 << 20;

double bits(const Integer& value) { return value > 1 ? static_cast<double>(value.bits()) : 0; }

Integer raised(const Integer& value, const Integer& exponent) {
  return pow(value, static_cast<unsigned>(exponent.unsigned_value()));
}

}  // namespace

std::optional<int> sign_of_logarithms(const std::vector<LogTerm>& terms) {
  Integer common(1);
  for (const LogTerm& term : terms) {
    common = lcm(common, denominator(term.weight));
    if (bits(common) > 32) return std::nullopt;
  }
  double size = 0;
  for (const LogTerm& term : terms) {
    const Rational power = abs(term.weight) * Rational(common);
    size += to_double(power) * (bits(numerator(term.argument)) + bits(denominator(term.argument)));
    if (size > kMostBits || bits(numerator(power)) > 31) return std::nullopt;
  }
  Integer above(1);
  Integer below(1);
  for (const LogTerm& term : terms) {
    const Integer power(numerator(Rational(abs(term.weight) * Rational(common))));
    Integer& up = term.weight > 0 ? above : below;
    Integer& down = term.weight > 0 ? below : above;
    up *= raised(numerator(term.argument), power);
    down *= raised(denominator(term.argument), power);
  }
  return above < below ? -1 : (above == below ? 0 : 1);
}

void refuse_threshold(const ThresholdPlace& place, double value, double threshold,
                      std::string_view reason) {
  throw InputError(
      fmt::format("{}: at state {}, {} is {:.17g} against {} = {:.17g}: {}; ask for doubles "
                  "instead of the exact answer, or change a parameter",
                  place.rule, place.state, place.value, value, place.threshold, threshold, reason));
}

}  // namespace speclab
