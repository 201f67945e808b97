#include "prove/functions.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace speclab {

Functions::Functions(std::size_t parameters) : parameters_(parameters), points_(parameters) {
  for (Values& point : points_) {
    for (std::size_t i = 0; i < kPoints; ++i) point[i] = RandomResidue::random(i);
  }
  constant(Rational(0));
  constant(Rational(1));
}

Functions::Height Functions::sum(const Height& a, const Height& b) {
  const auto [less, more] = std::minmax(a.bits, b.bits);
  return {std::max(a.degree, b.degree), more + std::log2(1 + std::exp2(less - more))};
}

Function Functions::enter(Entry entry) {
  for (const Height& height : {entry.above, entry.below}) {
    largest_.degree = std::max(largest_.degree, height.degree);
    largest_.bits = std::max(largest_.bits, height.bits);
  }
  const auto [place, fresh] =
      known_.try_emplace(entry.values, static_cast<Function>(entries_.size()));
  if (fresh) entries_.push_back(std::move(entry));
  return place->second;
}

Function Functions::constant(const Rational& value) {
  const Integer above = numerator(value);
  const Integer below = denominator(value);
  Entry entry;
  for (std::size_t i = 0; i < kPoints; ++i) {
    const std::uint64_t prime = RandomResidue::prime_of(i);
    entry.values[i] = RandomResidue::of(above, prime) / RandomResidue::of(below, prime);
  }
  entry.above.bits = static_cast<double>(above.bits());
  entry.below.bits = static_cast<double>(below.bits());
  entry.factored = Factored{value, {}};
  return enter(std::move(entry));
}

Function Functions::parameter(std::size_t index) {
  Entry entry;
  entry.values = points_[index];
  entry.above.degree = 1;
  entry.factored = Factored{Rational(1), {{factors_.enter(Polynomial::parameter(index)), 1}}};
  return enter(std::move(entry));
}

Function Functions::combine(Operation operation, Function a, Function b) {
  if (operation == Operation::times || operation == Operation::plus) {
    if (a > b) std::swap(a, b);
    if (a == kZeroFunction) return operation == Operation::times ? kZeroFunction : b;
    if (operation == Operation::times && a == kOneFunction) return b;
  }
  const std::uint64_t key = static_cast<std::uint64_t>(operation) << 62 |
                            static_cast<std::uint64_t>(a) << 31 | static_cast<std::uint64_t>(b);
  if (const auto known = made_.find(key); known != made_.end()) return known->second;
  const Entry& left = at(a);
  const Entry& right = at(b);
  Entry entry;
  entry.origin = Origin{operation, a, b};
  const bool additive = operation == Operation::plus || operation == Operation::minus;
  const bool over = operation == Operation::over;
  entry.above = additive ? sum(product(left.above, right.below), product(right.above, left.below))
                         : product(left.above, over ? right.below : right.above);
  entry.below = product(left.below, over ? right.above : right.below);
  for (std::size_t i = 0; i < kPoints; ++i) {
    entry.values[i] = applied(operation, left.values[i], right.values[i]);
  }
  const Function result = enter(std::move(entry));
  made_.emplace(key, result);
  return result;
}

std::optional<Functions::Origin> Functions::origin(Function function) const {
  return at(function).origin;
}

Factored Functions::combined(const Origin& origin) {
  const Factored& a = *at(origin.a).factored;
  const Factored& b = *at(origin.b).factored;
  switch (origin.operation) {
    case Operation::times:
      return Factors::product(a, b, 1);
    case Operation::over:
      return Factors::product(a, b, -1);
    case Operation::plus:
      return factors_.sum(a, b);
    case Operation::minus:
      break;
  }
  Factored negative = b;
  negative.coefficient = -negative.coefficient;
  return factors_.sum(a, negative);
}

const Factored& Functions::factored(Function function) {
  // Not by recursion: a sum of a million terms is as deep.
  std::vector<Function> open{function};
  while (!open.empty()) {
    poll_algebra();
    const auto index = static_cast<std::size_t>(open.back());
    if (entries_[index].factored) {
      open.pop_back();
      continue;
    }
    const Origin origin = *entries_[index].origin;
    const bool first = !at(origin.a).factored;
    const bool second = !at(origin.b).factored;
    if (first) open.push_back(origin.a);
    if (second) open.push_back(origin.b);
    if (!first && !second) entries_[index].factored = combined(origin);
  }
  return *at(function).factored;
}

double Functions::error_bound() const {
  const double pairs = static_cast<double>(entries_.size()) * static_cast<double>(size()) / 2;
  const double chance = RandomResidue::zero_chance(2 * largest_.degree, 2 * largest_.bits + 1);
  return std::min(1.0, pairs * std::pow(chance, static_cast<double>(kPoints)));
}

}  // namespace speclab
