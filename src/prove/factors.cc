#include "prove/factors.h"

#include <algorithm>
#include <random>

namespace speclab {
namespace {

using Powers = std::vector<std::pair<Factor, int>>;

/// each(exponent of a, exponent of b) of every factor of either, 0 where it is none of one.
template <class Each>
Powers merged(const Powers& a, const Powers& b, const Each& each) {
  Powers result;
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() || j != b.end()) {
    const bool of_a = i != a.end() && (j == b.end() || i->first <= j->first);
    const bool of_b = j != b.end() && (i == a.end() || j->first <= i->first);
    const Factor factor = of_a ? i->first : j->first;
    const int exponent = each(of_a ? i++->second : 0, of_b ? j++->second : 0);
    if (exponent != 0) result.emplace_back(factor, exponent);
  }
  return result;
}

/// Exponents a + sign * b.
Powers added(const Powers& a, const Powers& b, int sign) {
  return merged(a, b, [sign](int x, int y) { return x + sign * y; });
}

/// The lesser exponent of each factor.
Powers common(const Powers& a, const Powers& b) {
  return merged(a, b, [](int x, int y) { return std::min(x, y); });
}

Residue residue_of(const Integer& value) {
  return Residue(RandomResidue::of(value, Residue::kPrime).value());
}

/// Divides by a polynomial in one variable; returns whether the remainder is 0, and otherwise
/// changes nothing.
bool divide(std::vector<Residue>& dividend, const std::vector<Residue>& divisor) {
  if (divisor.size() > dividend.size()) return false;
  std::vector<Residue> left = dividend;
  std::vector<Residue> quotient(dividend.size() - divisor.size() + 1);
  const Residue inverse = Residue(1) / divisor.back();
  for (std::size_t i = quotient.size(); i-- > 0;) {
    poll_algebra();
    quotient[i] = left[i + divisor.size() - 1] * inverse;
    for (std::size_t k = 0; k < divisor.size(); ++k) {
      left[i + k] = left[i + k] - quotient[i] * divisor[k];
    }
  }
  for (std::size_t k = 0; k + 1 < divisor.size(); ++k) {
    if (!left[k].is_zero()) return false;
  }
  dividend = std::move(quotient);
  return true;
}

}  // namespace

Factors::Factors() {
  std::mt19937_64 engine(1);
  for (std::size_t i = 0; i < kMostParameters; ++i) {
    line_.push_back({Residue(engine() >> 3), Residue(engine() >> 3)});
  }
}

Factors::Image Factors::image_of(const Polynomial& polynomial) const {
  Image sum(static_cast<std::size_t>(polynomial.degree()) + 1);
  for (const Polynomial::Term& term : polynomial.terms()) {
    poll_algebra();
    Image product{residue_of(term.coefficient)};
    for (std::size_t i = 0; i < line_.size(); ++i) {
      for (int k = 0; k < term.exponents[i]; ++k) {
        product.emplace_back();
        for (std::size_t j = product.size(); j-- > 0;) {
          product[j] =
              product[j] * line_[i][0] + (j > 0 ? product[j - 1] * line_[i][1] : Residue());
        }
      }
    }
    for (std::size_t j = 0; j < product.size(); ++j) sum[j] = sum[j] + product[j];
  }
  while (sum.size() > 1 && sum.back().is_zero()) sum.pop_back();
  return sum;
}

Factor Factors::enter(const Polynomial& primitive) {
  const auto [place, fresh] =
      known_.try_emplace(primitive, static_cast<Factor>(polynomials_.size()));
  if (fresh) {
    polynomials_.push_back(primitive);
    images_.push_back(image_of(primitive));
  }
  return place->second;
}

Factored Factors::split(Polynomial polynomial) {
  Factored result;
  if (polynomial.is_zero()) return result;
  const Integer content = polynomial.content();
  polynomial.divide_by(content);
  result.coefficient = Rational(content);
  if (const auto whole = known_.find(polynomial); whole != known_.end()) {
    result.powers.emplace_back(whole->second, 1);
    return result;
  }
  Image image = image_of(polynomial);
  for (std::size_t i = 0; i < polynomials_.size() && !polynomial.is_constant(); ++i) {
    poll_algebra();
    int exponent = 0;
    while (divide(image, images_[i])) {
      auto quotient = polynomial.divided_by(polynomials_[i]);
      if (!quotient) {
        image = image_of(polynomial);
        break;
      }
      polynomial = std::move(*quotient);
      ++exponent;
    }
    if (exponent > 0) result.powers.emplace_back(static_cast<Factor>(i), exponent);
  }
  if (!polynomial.is_constant()) result.powers.emplace_back(enter(polynomial), 1);
  return result;
}

Factored Factors::product(const Factored& a, const Factored& b, int exponent) {
  Factored result;
  if (a.coefficient == 0 || b.coefficient == 0) return result;
  result.coefficient = exponent > 0 ? Rational(a.coefficient * b.coefficient)
                                    : Rational(a.coefficient / b.coefficient);
  result.powers = added(a.powers, b.powers, exponent);
  return result;
}

Factored Factors::sum(const Factored& a, const Factored& b) {
  if (a.coefficient == 0) return b;
  if (b.coefficient == 0) return a;
  const Powers shared = common(a.powers, b.powers);
  const Integer scale =
      lcm(speclab::denominator(a.coefficient), speclab::denominator(b.coefficient));
  const auto whole = [&](const Factored& part) {
    const Rational coefficient = part.coefficient * Rational(scale);
    return speclab::numerator(coefficient) * power_product(added(part.powers, shared, -1));
  };
  Factored result = split(whole(a) + whole(b));
  if (result.coefficient == 0) return result;
  result.coefficient /= Rational(scale);
  result.powers = added(result.powers, shared, 1);
  return result;
}

Polynomial Factors::power_product(const Powers& powers) const {
  Polynomial result = Polynomial::constant(Integer(1));
  for (const auto& [factor, exponent] : powers) {
    for (int k = 0; k < exponent; ++k) result = result * (*this)[factor];
  }
  return result;
}

Polynomial Factors::numerator(const Factored& fraction) const {
  if (fraction.coefficient == 0) return {};
  Powers above;
  for (const auto& power : fraction.powers) {
    if (power.second > 0) above.push_back(power);
  }
  return speclab::numerator(fraction.coefficient) * power_product(above);
}

Polynomial Factors::denominator(const Factored& fraction) const {
  Powers below;
  for (const auto& [factor, exponent] : fraction.powers) {
    if (exponent < 0) below.emplace_back(factor, -exponent);
  }
  return speclab::denominator(fraction.coefficient) * power_product(below);
}

}  // namespace speclab
