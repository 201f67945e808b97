#include "prove/functions.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <utility>

namespace speclab {

Functions::Functions(std::size_t parameters, std::uint64_t seed) : parameters_(parameters) {
  std::mt19937_64 engine(seed);
  for (std::size_t i = 0; i < parameters; ++i) {
    Values values;
    for (Residue& value : values) value = Residue(engine() >> 3);
    points_.push_back(values);
  }
  constant(Rational(0));
  constant(Rational(1));
}

Function Functions::enter(Entry entry) {
  const auto [place, fresh] =
      known_.try_emplace(entry.values, static_cast<Function>(entries_.size()));
  if (fresh) {
    largest_degree_ = std::max({largest_degree_, entry.above, entry.below});
    entries_.push_back(std::move(entry));
  }
  return place->second;
}

Function Functions::constant(const Rational& value) {
  Entry entry;
  entry.values.fill(to_residue(value));
  entry.value = value;
  entry.factored = Factored{value, {}};
  return enter(std::move(entry));
}

Function Functions::parameter(std::size_t index) {
  Entry entry;
  entry.values = points_[index];
  entry.above = 1;
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
  entry.above = additive ? std::max(left.above + right.below, right.above + left.below)
                         : left.above + (over ? right.below : right.above);
  entry.below = left.below + (over ? right.above : right.below);
  for (std::size_t i = 0; i < kPoints; ++i) {
    const Residue x = left.values[i];
    const Residue y = right.values[i];
    if (over && y.is_zero()) throw std::domain_error("a random point where a denominator is 0");
    entry.values[i] = applied(operation, x, y);
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
  const double share = 2 * largest_degree_ / static_cast<double>(Residue::kPrime);
  return std::min(1.0, pairs * std::pow(share, static_cast<double>(kPoints)));
}

}  // namespace speclab
