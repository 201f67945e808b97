#include "prove/polynomial.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace speclab {
namespace {

bool is_one(const Exponents& exponents) { return exponents == Exponents{}; }

std::uint8_t checked_exponent(int exponent) {
  if (exponent > 255)
    throw LimitError("a polynomial of a degree above 255; ask for a smaller size");
  return static_cast<std::uint8_t>(exponent);
}

Exponents product(const Exponents& a, const Exponents& b) {
  Exponents result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = checked_exponent(a[i] + b[i]);
  }
  return result;
}

std::optional<Exponents> quotient(const Exponents& a, const Exponents& b) {
  Exponents result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (a[i] < b[i]) return std::nullopt;
    result[i] = static_cast<std::uint8_t>(a[i] - b[i]);
  }
  return result;
}

template <class Number, class Convert>
Number value_at(const Polynomial::Terms& terms, std::span<const Number> point,
                const Convert& convert) {
  Number sum = convert(Integer(0));
  for (const auto& term : terms) {
    poll_algebra();
    Number product = convert(term.coefficient);
    for (std::size_t i = 0; i < point.size(); ++i) {
      for (int k = 0; k < term.exponents[i]; ++k) product = product * point[i];
    }
    sum = sum + product;
  }
  return sum;
}

}  // namespace

Polynomial::Polynomial(Terms terms) {
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
    poll_algebra();
    return a.exponents > b.exponents;
  });
  for (Term& term : terms) {
    poll_algebra();
    if (!terms_.empty() && terms_.back().exponents == term.exponents) {
      terms_.back().coefficient += term.coefficient;
    } else {
      if (!terms_.empty() && terms_.back().coefficient == 0) terms_.pop_back();
      terms_.push_back(std::move(term));
    }
  }
  if (!terms_.empty() && terms_.back().coefficient == 0) terms_.pop_back();
}

Polynomial Polynomial::constant(const Integer& value) {
  return Polynomial(Terms{{Exponents{}, value}});
}

Polynomial Polynomial::parameter(std::size_t index) {
  Exponents exponents{};
  exponents[index] = 1;
  return Polynomial(Terms{{exponents, Integer(1)}});
}

bool Polynomial::is_constant() const {
  return terms_.empty() || (terms_.size() == 1 && is_one(terms_.front().exponents));
}

int Polynomial::degree() const {
  int most = 0;
  for (const Term& term : terms_) {
    int sum = 0;
    for (const auto exponent : term.exponents) sum += exponent;
    most = std::max(most, sum);
  }
  return most;
}

int Polynomial::degree_in(std::size_t parameter) const {
  int most = 0;
  for (const Term& term : terms_) most = std::max<int>(most, term.exponents[parameter]);
  return most;
}

Integer Polynomial::content() const {
  Integer common(0);
  for (const Term& term : terms_) {
    poll_algebra();
    common = gcd(common, term.coefficient);
  }
  return terms_.front().coefficient < 0 ? Integer(-common) : common;
}

void Polynomial::divide_by(const Integer& content) {
  for (Term& term : terms_) {
    poll_algebra();
    term.coefficient /= content;
  }
}

std::optional<Polynomial> Polynomial::divided_by(const Polynomial& divisor) const {
  const Term& first = divisor.terms_.front();
  if (!terms_.empty() && !quotient(terms_.back().exponents, divisor.terms_.back().exponents)) {
    return std::nullopt;
  }
  Terms found;
  Polynomial left = *this;
  while (!left.is_zero()) {
    const Term& top = left.terms_.front();
    auto exponents = quotient(top.exponents, first.exponents);
    if (!exponents || top.coefficient % first.coefficient != 0) return std::nullopt;
    Term term{*exponents, Integer(top.coefficient / first.coefficient)};
    Terms taken;
    for (const Term& part : divisor.terms_) {
      poll_algebra();
      taken.push_back({product(part.exponents, term.exponents),
                       Integer(-(part.coefficient * term.coefficient))});
    }
    left = left + Polynomial(std::move(taken));
    found.push_back(std::move(term));
  }
  return Polynomial(std::move(found));
}

std::optional<std::size_t> Polynomial::monic_in() const {
  for (std::size_t i = 0; i < kMostParameters; ++i) {
    const int degree = degree_in(i);
    if (degree == 0) continue;
    const auto highest = [&](const Term& term) { return term.exponents[i] == degree; };
    const auto found = std::find_if(terms_.begin(), terms_.end(), highest);
    Exponents power{};
    power[i] = found->exponents[i];
    if (found->exponents == power && (found->coefficient == 1 || found->coefficient == -1) &&
        std::count_if(terms_.begin(), terms_.end(), highest) == 1) {
      return i;
    }
  }
  return std::nullopt;
}

Polynomial Polynomial::modulo(const Polynomial& divisor, std::size_t parameter) const {
  const int degree = divisor.degree_in(parameter);
  const auto highest = [&](const Term& term) { return term.exponents[parameter] == degree; };
  const Integer leading =
      std::find_if(divisor.terms_.begin(), divisor.terms_.end(), highest)->coefficient;
  Polynomial rest = *this;
  for (;;) {
    Terms quotient;
    for (const Term& term : rest.terms_) {
      poll_algebra();
      if (term.exponents[parameter] < degree) continue;
      quotient.push_back({term.exponents, Integer(-(term.coefficient * leading))});
      quotient.back().exponents[parameter] =
          static_cast<std::uint8_t>(term.exponents[parameter] - degree);
    }
    if (quotient.empty()) return rest;
    rest = rest + Polynomial(std::move(quotient)) * divisor;
  }
}

Polynomial Polynomial::slope_in(std::size_t parameter) const {
  Polynomial slope;
  for (const Term& term : terms_) {
    poll_algebra();
    if (term.exponents[parameter] == 0) continue;
    slope.terms_.push_back(term);
    slope.terms_.back().exponents[parameter] = 0;
  }
  return slope;
}

Rational Polynomial::at(std::span<const Rational> point) const {
  return value_at(terms_, point, [](const Integer& value) { return Rational(value); });
}

RandomResidue Polynomial::at(std::span<const RandomResidue> point) const {
  const std::uint64_t prime = point.front().prime();
  return value_at(terms_, point,
                  [prime](const Integer& value) { return RandomResidue::of(value, prime); });
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  Polynomial sum;
  auto i = a.terms_.begin();
  auto j = b.terms_.begin();
  while (i != a.terms_.end() || j != b.terms_.end()) {
    poll_algebra();
    if (j == b.terms_.end() || (i != a.terms_.end() && i->exponents > j->exponents)) {
      sum.terms_.push_back(*i++);
    } else if (i == a.terms_.end() || j->exponents > i->exponents) {
      sum.terms_.push_back(*j++);
    } else {
      Integer coefficient(i->coefficient + j->coefficient);
      if (coefficient != 0) sum.terms_.push_back({i->exponents, std::move(coefficient)});
      ++i;
      ++j;
    }
  }
  return sum;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial::Terms terms;
  terms.reserve(a.terms_.size() * b.terms_.size());
  for (const auto& left : a.terms_) {
    for (const auto& right : b.terms_) {
      poll_algebra();
      terms.push_back({product(left.exponents, right.exponents),
                       Integer(left.coefficient * right.coefficient)});
    }
  }
  return Polynomial(std::move(terms));
}

Polynomial operator*(const Integer& a, const Polynomial& b) {
  Polynomial result;
  if (a == 0) return result;
  result.terms_ = b.terms_;
  for (auto& term : result.terms_) {
    poll_algebra();
    term.coefficient *= a;
  }
  return result;
}

bool Polynomial::operator<(const Polynomial& other) const {
  return std::lexicographical_compare(terms_.begin(), terms_.end(), other.terms_.begin(),
                                      other.terms_.end(), [](const Term& a, const Term& b) {
                                        return a.exponents != b.exponents
                                                   ? a.exponents < b.exponents
                                                   : a.coefficient < b.coefficient;
                                      });
}

}  // namespace speclab
