#include "model/scaled_tail.h"

#include <algorithm>

#include "base/first_false.h"

namespace speclab {

void write_row(const ScaledTarget& law, std::span<const double> draft, std::span<double> target) {
  for (std::size_t x = 0; x < target.size(); ++x) target[x] = law.share * draft[x];
  for (const auto& other : law.others) target[static_cast<std::size_t>(other.token)] = other.target;
}

std::vector<Wide> prefix_sums(std::span<const double> law) {
  std::vector<Wide> sums(law.size() + 1);
  for (std::size_t x = 0; x < law.size(); ++x) sums[x + 1] = sums[x] + Wide(law[x]);
  return sums;
}

ScaledTail::ScaledTail(const ScaledTarget& target, std::span<const double> draft,
                       std::span<const Wide> draft_sums)
    : share_(target.share), draft_(draft), draft_sums_(draft_sums) {
  others_.reserve(target.others.size());
  skipped_.reserve(target.others.size() + 1);
  skipped_.emplace_back();
  for (const auto& other : target.others) {
    others_.push_back(static_cast<std::uint32_t>(other.token));
    skipped_.push_back(skipped_.back() + Wide(draft[others_.back()]));
  }
}

std::size_t ScaledTail::others_below(Token x) const {
  return first_false(others_.size(),
                     [&](std::size_t i) { return others_[i] < static_cast<std::uint32_t>(x); });
}

std::size_t ScaledTail::others_before(std::size_t place) const {
  return first_false(others_.size(), [&](std::size_t i) { return others_[i] - i <= place; });
}

std::optional<std::size_t> ScaledTail::other(Token x) const {
  const std::size_t i = others_below(x);
  if (i == others_.size() || others_[i] != static_cast<std::uint32_t>(x)) return std::nullopt;
  return i;
}

Token ScaledTail::token(std::size_t place) const {
  return static_cast<Token>(place + others_before(place));
}

Wide ScaledTail::draft_before(std::size_t place) const {
  const std::size_t others = others_before(place);
  return draft_sums_[std::min(place + others, draft_.size())] - skipped_[others];
}

Token ScaledTail::pick(const Wide& drafted, std::size_t from, std::size_t to) const {
  // First the others below the token, then the token between two of them.
  const std::size_t others = first_false(others_.size(), [&](std::size_t i) {
    return !(draft_sums_[others_[i]] - skipped_[i] > drafted);
  });
  const std::size_t first = others == 0 ? 0 : others_[others - 1] + std::size_t{1};
  const std::size_t end = others == others_.size() ? draft_.size() : others_[others];
  const std::size_t x = first + first_false(end - first, [&](std::size_t k) {
                          return !(draft_sums_[first + k + 1] - skipped_[others] > drafted);
                        });
  return token(std::clamp(x - others, from, to - 1));
}

}  // namespace speclab
