#include "prove/ideal.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/special.h"

namespace speclab {
namespace {

/// The polynomials that a basis spans with rational coefficients.
class Span {
 public:
  /// Enters a polynomial into the basis, unless it is spanned already.
  void add(const Polynomial& polynomial) {
    Polynomial rest = reduced(polynomial);
    if (rest.is_zero()) return;
    const Exponents first = rest.terms().front().exponents;
    basis_.emplace(first, std::move(rest));
  }

  [[nodiscard]] bool contains(const Polynomial& polynomial) const {
    return reduced(polynomial).is_zero();
  }

 private:
  /// A multiple of the polynomial, less multiples of the basis, whose first term begins no
  /// polynomial of the basis.
  [[nodiscard]] Polynomial reduced(Polynomial rest) const {
    while (!rest.is_zero()) {
      rest.divide_by(rest.content());
      const Polynomial::Term& first = rest.terms().front();
      const auto pivot = basis_.find(first.exponents);
      if (pivot == basis_.end()) break;
      const Integer taken(-first.coefficient);
      rest = pivot->second.terms().front().coefficient * rest + taken * pivot->second;
    }
    return rest;
  }

  std::map<Exponents, Polynomial> basis_;  ///< by the exponents of its first term
};

/// Visits the products of the parameters of at most a degree.
template <class Visit>
void for_products(std::span<const std::size_t> parameters, int degree, const Polynomial& product,
                  const Visit& visit) {
  if (parameters.empty()) {
    visit(product);
    return;
  }
  Polynomial power = product;
  for (int left = degree; left >= 0; --left) {
    for_products(parameters.subspan(1), left, power, visit);
    power = power * Polynomial::parameter(parameters.front());
  }
}

}  // namespace

bool is_combination(const Polynomial& polynomial, std::span<const Polynomial> zeros) {
  constexpr double kMostProducts = 400;
  std::vector<std::size_t> occurring;
  for (std::size_t i = 0; i < kMostParameters; ++i) {
    const auto has = [i](const Polynomial& one) { return one.contains(i); };
    if (has(polynomial) || std::any_of(zeros.begin(), zeros.end(), has)) occurring.push_back(i);
  }
  const int degree = polynomial.degree();
  const auto size = static_cast<unsigned>(occurring.size());
  // The products of these parameters of at most the degree.
  if (binomial_coefficient(size + static_cast<unsigned>(degree), size) > kMostProducts) {
    return false;
  }
  Span multiples;
  for (const Polynomial& zero : zeros) {
    for_products(occurring, degree - zero.degree(), Polynomial::constant(Integer(1)),
                 [&](const Polynomial& product) { multiples.add(product * zero); });
  }
  return multiples.contains(polynomial);
}

std::map<Factor, Polynomial> remainders(std::span<const Condition> conditions,
                                        const Factors& factors) {
  std::map<Factor, Polynomial> result;
  for (const Condition& equality : conditions) {
    const Polynomial& zero = factors[equality.factor];
    const auto parameter = equality.signs == kZero ? zero.monic_in() : std::nullopt;
    if (!parameter) continue;
    for (const Condition& condition : conditions) {
      if (condition.factor == equality.factor) continue;
      Polynomial rest = factors[condition.factor].modulo(zero, *parameter);
      if (rest != factors[condition.factor]) result.emplace(condition.factor, std::move(rest));
    }
    break;
  }
  return result;
}

}  // namespace speclab
