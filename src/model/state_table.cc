#include "model/state_table.h"

#include <algorithm>
#include <bit>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <limits>
#include <utility>

#include "base/types.h"
#include "model/likeliest.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// Falls as target / draft rises, which is infinite where only the target has the token; above
/// every other value where neither has it. Doubles from 0 on are in the order of their bits.
std::uint64_t falling(double draft, double target) {
  constexpr std::uint64_t kNeither = std::uint64_t{1} << 63;
  if (!(draft > 0) && !(target > 0)) return kNeither;
  // The ratio of a target of -0 is 0.
  const double ratio =
      draft > 0 ? std::max(0.0, target / draft) : std::numeric_limits<double>::infinity();
  return kNeither - 1 - std::bit_cast<std::uint64_t>(ratio);
}

struct FallingEntry {
  std::uint64_t falling;
  std::uint32_t token;
};

/// The tokens by falling target / draft, compared exactly; of equal ones the lower token first.
std::vector<std::uint32_t> falling_ratios(std::span<const double> draft,
                                          std::span<const double> target) {
  std::vector<FallingEntry> entries(draft.size());
  for (std::uint32_t x = 0; x < entries.size(); ++x) entries[x] = {falling(draft[x], target[x]), x};
  boost::sort::spreadsort::integer_sort(
      entries.begin(), entries.end(),
      [](const FallingEntry& entry, unsigned bits) { return entry.falling >> bits; },
      [](const FallingEntry& a, const FallingEntry& b) { return a.falling < b.falling; });
  // Of ratios that round to one double: t(a) d(b) against t(b) d(a).
  const auto before = [&](const FallingEntry& a, const FallingEntry& b) {
    if (draft[a.token] == draft[b.token] && target[a.token] == target[b.token]) {
      return a.token < b.token;
    }
    const double difference =
        gap_weight(draft[b.token], target[b.token], target[a.token], draft[a.token]);
    return difference != 0 ? difference > 0 : a.token < b.token;
  };
  for (auto first = entries.begin(); first != entries.end();) {
    const auto last = std::find_if(first, entries.end(), [&](const FallingEntry& entry) {
      return entry.falling != first->falling;
    });
    std::sort(first, last, before);
    first = last;
  }
  std::vector<std::uint32_t> order(entries.size());
  std::transform(entries.begin(), entries.end(), order.begin(),
                 [](const FallingEntry& entry) { return entry.token; });
  return order;
}

}  // namespace

StateTable::StateTable(std::span<const double> draft, std::span<const double> target,
                       bool with_draft_alias, std::atomic<std::size_t>* meter)
    : draft_(draft),
      target_(target),
      meter_(meter),
      draft_alias_(with_draft_alias ? AliasTable(draft) : AliasTable()) {
  add_entries(draft, target);
  residual_ = whole(1);
  target_law_ = whole(0);
  if (draft.size() <= kSmall) {
    std::vector<double> residual(draft.size());
    for (std::size_t x = 0; x < draft.size(); ++x) {
      residual[x] = std::max(0.0, target[x] - draft[x]);
    }
    residual_alias_ = AliasTable(residual);
  }
  if (meter_ != nullptr) *meter_ += bytes();
}

StateTable::StateTable(std::span<const double> draft, const ScaledTarget& target,
                       const StateTable* shared, bool with_draft_alias,
                       std::atomic<std::size_t>* meter)
    : draft_(draft),
      meter_(meter),
      draft_alias_(with_draft_alias ? AliasTable(draft) : AliasTable()) {
  std::vector<double> drafts;
  std::vector<double> targets;
  drafts.reserve(target.others.size());
  targets.reserve(target.others.size());
  for (const auto& other : target.others) {
    drafts.push_back(draft[static_cast<std::size_t>(other.token)]);
    targets.push_back(other.target);
  }
  add_entries(drafts, targets);
  for (auto& token : order_) token = static_cast<std::uint32_t>(target.others[token].token);
  const auto sums = shared != nullptr ? shared->draft_sums() : draft_sums();
  tail_ = std::make_unique<const ScaledTail>(target, draft, sums);
  residual_ = whole(1);
  target_law_ = whole(0);
  if (meter_ != nullptr) *meter_ += bytes() - draft_sums_.size() * sizeof(Wide);
}

void StateTable::add_entries(std::span<const double> draft, std::span<const double> target) {
  order_ = falling_ratios(draft, target);
  listed_ = order_.size();
  // Each step takes tenths of a second at a large vocabulary.
  check_interrupted();
  rank_.resize(draft.size());
  cells_.resize(draft.size());
  sums_.resize(draft.size() + 1);
  tails_.resize(draft.size() + 1);
  Wide target_sum;
  Wide draft_sum;
  for (std::uint32_t k = 0; k < order_.size(); ++k) {
    const std::uint32_t x = order_[k];
    rank_[x] = k;
    cells_[k] = {target[x], draft[x]};
    target_sum += Wide(target[x]);
    draft_sum += Wide(draft[x]);
    sums_[k + 1] = {target_sum.high, draft_sum.high};
    tails_[k + 1] = {target_sum.low, draft_sum.low};
  }
}

StateTable::Whole StateTable::whole(double b) const {
  const std::size_t count = count_above(1, b);
  return {count, mass(1, b, 0, count).value()};
}

std::span<const Wide> StateTable::draft_sums() const {
  std::call_once(summed_, [this] {
    draft_sums_ = prefix_sums(draft_);
    if (meter_ != nullptr) *meter_ += draft_sums_.size() * sizeof(Wide);
  });
  return draft_sums_;
}

double StateTable::scaled_target_of(Token x) const {
  const auto other = tail_->other(x);
  return other ? cells_[rank_[*other]].target
               : tail_->share() * draft_[static_cast<std::size_t>(x)];
}

std::size_t StateTable::scaled_rank(Token x) const {
  const auto other = tail_->other(x);
  return other ? rank_[*other] : listed() + tail_->place(x);
}

std::size_t StateTable::count_with_tail(const Wide& a, const Wide& b, std::size_t limit) const {
  return gap_weight(a, b, tail_->share(), 1) > 0 ? limit : listed();
}

Wide StateTable::mass_with_tail(const Wide& a, const Wide& b, std::size_t from,
                                std::size_t to) const {
  const double each = std::max(0.0, gap_weight(a, b, tail_->share(), 1));
  const Wide drafted = tail_before(to) - tail_before(std::max(from, listed()));
  return mass(a, b, from, listed()) + Wide(each) * drafted;
}

Token StateTable::pick_with_tail(const Wide& a, const Wide& b, std::size_t from, std::size_t to,
                                 double left) const {
  const Wide before = mass(a, b, from, listed());
  const double each = gap_weight(a, b, tail_->share(), 1);
  if (before.high > 0 && (left < before.high || !(each > 0))) {
    return pick(a, b, from, listed(), left);
  }
  if (!(each > 0)) return kUndefined;
  const std::size_t first = std::max(from, listed()) - listed();
  const Wide drafted = tail_->draft_before(first) + Wide((left - before.value()) / each);
  return tail_->pick(drafted, first, to - listed());
}

Wide StateTable::mass_directly(const Wide& a, const Wide& b, std::size_t from,
                               std::size_t to) const {
  Wide mass;
  for (std::size_t k = from; k < to; ++k) {
    mass += Wide(std::max(0.0, gap_weight(a, b, cells_[k].target, cells_[k].draft)));
  }
  return mass;
}

Token StateTable::pick_carefully(const Wide& a, const Wide& b, std::size_t from, std::size_t to,
                                 double left) const {
  const Wide mass = difference(a, b, from, to);
  if (!(mass.high > kSpare * size(a, b, to))) return pick_directly(a, b, from, to, left);
  left = std::min(left, mass.high * (1 - 0x1p-52));
  return token(from + first_false(to - 1 - from, [&](std::size_t k) {
                 return !(difference(a, b, from, from + k + 1).high > left);
               }));
}

Token StateTable::pick_directly(const Wide& a, const Wide& b, std::size_t from, std::size_t to,
                                double left) const {
  Token last = kUndefined;
  for (std::size_t k = from; k < to; ++k) {
    const double weight = gap_weight(a, b, cells_[k].target, cells_[k].draft);
    if (!(weight > 0)) continue;
    last = token(k);
    if (left < weight) break;
    left -= weight;
  }
  return last;
}

std::vector<Token> StateTable::likeliest_drafts(std::size_t count) const {
  if (count > kLikeliest) return likeliest_tokens(draft_, count);
  std::call_once(ranked_, [this] { likeliest_ = likeliest_tokens(draft_, kLikeliest); });
  return {likeliest_.begin(),
          likeliest_.begin() + static_cast<std::ptrdiff_t>(std::min(count, likeliest_.size()))};
}

const PowerSums& StateTable::powers(int power) const {
  auto& place = powers_[static_cast<std::size_t>(power)];
  if (const PowerSums* known = place.load(std::memory_order_acquire)) return *known;
  const std::lock_guard<std::mutex> lock(making_);
  if (const PowerSums* known = place.load(std::memory_order_acquire)) return *known;
  const PowerSums* made = new PowerSums(*this, power);
  if (meter_ != nullptr) *meter_ += made->bytes();
  place.store(made, std::memory_order_release);
  return *made;
}

const StateTable::AnyDerived* StateTable::add_derived(std::unique_ptr<AnyDerived> made) const {
  const std::lock_guard<std::mutex> lock(making_);
  if (const AnyDerived* known = find_derived(made->key)) return known;
  if (meter_ != nullptr) *meter_ += made->bytes;
  made->next = derived_.load(std::memory_order_relaxed);
  const AnyDerived* added = made.release();
  derived_.store(added, std::memory_order_release);
  return added;
}

StateTable::~StateTable() {
  if (meter_ != nullptr) *meter_ -= bytes();
  for (const auto& place : powers_) delete place.load();
  for (const AnyDerived* at = derived_.load(); at != nullptr;) {
    delete std::exchange(at, at->next);
  }
}

std::size_t StateTable::bytes() const {
  std::size_t made_later = 0;
  for (const auto& place : powers_) {
    if (const PowerSums* made = place.load(std::memory_order_acquire)) made_later += made->bytes();
  }
  for (const AnyDerived* at = derived_.load(std::memory_order_acquire); at != nullptr;
       at = at->next) {
    made_later += at->bytes;
  }
  if (tail_ != nullptr) made_later += tail_->bytes();
  return made_later + sizeof(*this) + draft_sums_.size() * sizeof(Wide) +
         (order_.size() + rank_.size()) * sizeof(std::uint32_t) +
         (cells_.size() + sums_.size() + tails_.size()) * sizeof(Sums) +
         kLikeliest * sizeof(Token) +
         (draft_alias_.entries().size() + residual_alias_.entries().size()) *
             sizeof(AliasTable::Entry);
}

}  // namespace speclab
