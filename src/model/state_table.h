#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "base/first_false.h"
#include "base/wide.h"
#include "model/alias.h"
#include "model/power_sums.h"
#include "model/scaled_tail.h"

namespace speclab {

/// a * target - b * draft of one token, with full accuracy under cancellation.
inline double gap_weight(const Wide& a, const Wide& b, double target, double draft) {
  const Wide kept = Wide::product(a.high, target);
  const Wide taken = Wide::product(b.high, draft);
  const Wide difference = Wide::sum(kept.high, -taken.high);
  return difference.high +
         (difference.low + (kept.low - taken.low) + (a.low * target - b.low * draft));
}

/// The name of a value that a rule derives from both laws of a state.
struct DerivedKey {
  const void* rule;                 ///< an address of the rule's own
  std::array<double, 2> numbers{};  ///< its parameters, which are no NaN
  bool operator==(const DerivedKey&) const = default;
};

/// Tables that make sampling at one state nearly independent of the vocabulary's size, for doubles:
/// an alias table for the draft, and prefix sums of both laws in falling order of target / draft.
///
/// A token has a *rank* in that order. The tokens with a * target > b * draft, a, b >= 0, have the
/// ranks below count_above(a, b), so the sum of [a target - b draft]+ and a draw in proportion to
/// it take O(log V), and so do sums and draws over any range of ranks [from, to). The prefix sums
/// have 106 bits, so that their differences keep a double's accuracy; where even that cancels, the
/// range is summed token by token.
///
/// Of a scaled target (model/scaled_tail.h) only the others have entries: their ratios are above
/// the share that all other tokens have, so these come after them, in the order of the tokens.
class StateTable {
 public:
  /// Up to this many tokens, draws from [target - draft]+ have an alias table too.
  static constexpr std::size_t kSmall = 64;

  /// @param draft,target  rows of the state; they must outlive the table
  /// @param with_draft_alias  whether draws from the draft are asked of this table
  /// @param meter  counts its bytes while it lives, or null
  StateTable(std::span<const double> draft, std::span<const double> target,
             bool with_draft_alias = true, std::atomic<std::size_t>* meter = nullptr);
  /// @param shared  the table of a state with this draft, which must outlive the table, or null
  StateTable(std::span<const double> draft, const ScaledTarget& target, const StateTable* shared,
             bool with_draft_alias = true, std::atomic<std::size_t>* meter = nullptr);
  ~StateTable();

  [[nodiscard]] std::span<const double> draft() const { return draft_; }
  /// Empty for a scaled target.
  [[nodiscard]] std::span<const double> target_row() const { return target_; }
  [[nodiscard]] double target_of(Token x) const {
    return tail_ == nullptr ? target_[static_cast<std::size_t>(x)] : scaled_target_of(x);
  }
  [[nodiscard]] const AliasTable& draft_alias() const { return draft_alias_; }
  [[nodiscard]] const AliasTable& residual_alias() const { return residual_alias_; }

  [[nodiscard]] std::size_t size() const { return draft_.size(); }
  /// How many ranks have entries: all, or the others of a scaled target.
  [[nodiscard]] std::size_t listed() const { return listed_; }
  [[nodiscard]] Token token(std::size_t rank) const {
    return rank < listed() ? static_cast<Token>(order_[rank]) : tail_->token(rank - listed());
  }
  [[nodiscard]] std::size_t rank(Token x) const {
    return tail_ == nullptr ? rank_[static_cast<std::size_t>(x)] : scaled_rank(x);
  }
  [[nodiscard]] double target_at(std::size_t rank) const {
    return rank < listed() ? cells_[rank].target : tail_->share() * draft_at(rank);
  }
  [[nodiscard]] double draft_at(std::size_t rank) const {
    return rank < listed() ? cells_[rank].draft : tail_->draft_at(rank - listed());
  }

  /// Draft probability of the ranks below this one.
  [[nodiscard]] double draft_before(std::size_t rank) const {
    return rank <= listed() ? sums_[rank].draft : (draft_sum() + tail_before(rank)).high;
  }

  /// How many tokens have a * target > b * draft, of the first `limit` ranks.
  [[nodiscard]] std::size_t count_above(const Wide& a, const Wide& b, std::size_t limit) const {
    const std::size_t count = first_false(std::min(limit, listed()),
                                          [&](std::size_t k) { return above(a, b, cells_[k]); });
    return limit > listed() && count == listed() ? count_with_tail(a, b, limit) : count;
  }
  [[nodiscard]] std::size_t count_above(const Wide& a, const Wide& b) const {
    return count_above(a, b, size());
  }

  /// Sum of a target - b draft over the ranks [from, to), nowhere negative there.
  [[nodiscard]] Wide mass(const Wide& a, const Wide& b, std::size_t from, std::size_t to) const {
    if (from >= to) return {};
    if (to > listed()) return mass_with_tail(a, b, from, to);
    const Wide sum = difference(a, b, from, to);
    return sum.high > kSpare * size(a, b, to) ? sum : mass_directly(a, b, from, to);
  }

  /// A number of leading ranks and the mass of a law on them.
  struct Whole {
    std::size_t count;
    double mass;
  };
  /// Those of [target - draft]+ and of the target.
  [[nodiscard]] const Whole& residual() const { return residual_; }
  [[nodiscard]] const Whole& target_law() const { return target_law_; }

  /// A token of the ranks [from, to) drawn in proportion to a target - b draft.
  /// @param left  u * mass(a, b, from, to) > 0, u in [0, 1)
  [[nodiscard]] Token pick(const Wide& a, const Wide& b, std::size_t from, std::size_t to,
                           double left) const {
    if (to > listed()) return pick_with_tail(a, b, from, to, left);
    const double whole = a.high * sums_[to].target - b.high * sums_[to].draft;
    if (from > 0 || !(whole > kPlain * size(a, b, to))) {
      return pick_carefully(a, b, from, to, left);
    }
    // Stays below the total mass, so that the token found has positive weight.
    left = std::min(left, whole * (1 - 0x1p-52));
    return token(first_false(to - 1, [&](std::size_t k) {
      return !(a.high * sums_[k + 1].target - b.high * sums_[k + 1].draft > left);
    }));
  }

  /// The `count` tokens of greatest draft probability, without those of probability 0, ties to the
  /// lower token. The first kLikeliest are cached.
  [[nodiscard]] std::vector<Token> likeliest_drafts(std::size_t count) const;

  /// The sums for one power, made on first use. @param power  1..PowerSums::kMost
  [[nodiscard]] const PowerSums& powers(int power) const;

  /// The value of this key, made by make() on first use. A key belongs to one type. Where Value has
  /// bytes(), they are counted.
  template <class Value, class Make>
  [[nodiscard]] const Value& derived(const DerivedKey& key, const Make& make) const {
    const AnyDerived* known = find_derived(key);
    // Made without the lock, since make() may ask for others.
    if (known == nullptr) known = add_derived(std::make_unique<Holder<Value>>(key, make()));
    return static_cast<const Holder<Value>*>(known)->value;
  }

  /// Includes the power sums and derived values made so far.
  [[nodiscard]] std::size_t bytes() const;

  /// Marks the table as used. Written once a period, so that threads do not contend for the cache
  /// line.
  void touch() const {
    if (!used_.load(std::memory_order_relaxed)) used_.store(true, std::memory_order_relaxed);
  }
  /// The periods in which it was touched, one of which ends with this call: bit 7 is the last one,
  /// bit 6 the one before it. Not thread-safe.
  unsigned late_uses() const {
    const bool used = used_.exchange(false, std::memory_order_relaxed);
    return late_uses_ = late_uses_ / 2 + (used ? 0x80U : 0U);
  }

 private:
  struct Sums {
    double target;
    double draft;
  };

  /// A derived value, in a list that only grows.
  struct AnyDerived {
    AnyDerived(const DerivedKey& its, std::size_t counted) : key(its), bytes(counted) {}
    AnyDerived(const AnyDerived&) = delete;
    AnyDerived& operator=(const AnyDerived&) = delete;
    virtual ~AnyDerived() = default;
    DerivedKey key;
    std::size_t bytes;  ///< what was counted when it was made
    const AnyDerived* next = nullptr;
  };
  template <class Value>
  struct Holder : AnyDerived {
    Holder(const DerivedKey& its, Value made)
        : AnyDerived(its, sizeof(Holder) + bytes_of(made)), value(std::move(made)) {}
    static std::size_t bytes_of(const Value& made) {
      if constexpr (requires { made.bytes(); }) return made.bytes();
      return 0;
    }
    Value value;
  };
  [[nodiscard]] const AnyDerived* find_derived(const DerivedKey& key) const {
    const AnyDerived* at = derived_.load(std::memory_order_acquire);
    while (at != nullptr && !(at->key == key)) at = at->next;
    return at;
  }
  /// The value of its key: `made`, or what another thread added meanwhile.
  const AnyDerived* add_derived(std::unique_ptr<AnyDerived> made) const;

  /// A difference of sums keeps a double's accuracy where it is at least this fraction of them.
  static constexpr double kSpare = 0x1p-46;
  static constexpr std::size_t kLikeliest = 64;
  /// Plain doubles suffice for a draw where the mass is at least this fraction of the sums.
  static constexpr double kPlain = 0x1p-12;

  static bool above(const Wide& a, const Wide& b, const Sums& cell) {
    const double kept = a.high * cell.target;
    const double taken = b.high * cell.draft;
    const double difference = kept - taken;
    if (std::abs(difference) > 0x1p-50 * (kept + taken)) return difference > 0;
    return gap_weight(a, b, cell.target, cell.draft) > 0;
  }

  /// Draft probability of the ranks that have entries.
  [[nodiscard]] Wide draft_sum() const { return {sums_.back().draft, tails_.back().draft}; }
  /// Draft probability of the ranks from listed() up to this one.
  [[nodiscard]] Wide tail_before(std::size_t rank) const {
    return tail_->draft_before(rank - listed());
  }

  /// Prefix sums of the draft by token, made on first use.
  [[nodiscard]] std::span<const Wide> draft_sums() const;

  /// Fills the entries. @param draft,target  of the tokens that have entries
  void add_entries(std::span<const double> draft, std::span<const double> target);

  /// That of [target - b draft]+.
  [[nodiscard]] Whole whole(double b) const;

  [[nodiscard]] double scaled_target_of(Token x) const;
  [[nodiscard]] std::size_t scaled_rank(Token x) const;
  /// count_above where that is true of all ranks that have entries.
  [[nodiscard]] std::size_t count_with_tail(const Wide& a, const Wide& b, std::size_t limit) const;
  [[nodiscard]] Wide mass_with_tail(const Wide& a, const Wide& b, std::size_t from,
                                    std::size_t to) const;
  [[nodiscard]] Token pick_with_tail(const Wide& a, const Wide& b, std::size_t from, std::size_t to,
                                     double left) const;

  /// An upper bound on the terms of a difference of sums up to `to`.
  [[nodiscard]] double size(const Wide& a, const Wide& b, std::size_t to) const {
    return std::abs(a.high) * sums_[to].target + std::abs(b.high) * sums_[to].draft;
  }

  /// The difference of the prefix sums.
  [[nodiscard]] Wide difference(const Wide& a, const Wide& b, std::size_t from,
                                std::size_t to) const {
    const Wide target =
        Wide(sums_[to].target, tails_[to].target) - Wide(sums_[from].target, tails_[from].target);
    const Wide draft =
        Wide(sums_[to].draft, tails_[to].draft) - Wide(sums_[from].draft, tails_[from].draft);
    return a * target - b * draft;
  }

  [[nodiscard]] Wide mass_directly(const Wide& a, const Wide& b, std::size_t from,
                                   std::size_t to) const;
  [[nodiscard]] Token pick_carefully(const Wide& a, const Wide& b, std::size_t from, std::size_t to,
                                     double left) const;
  [[nodiscard]] Token pick_directly(const Wide& a, const Wide& b, std::size_t from, std::size_t to,
                                    double left) const;

  std::span<const double> draft_;
  std::span<const double> target_;
  mutable std::atomic<bool> used_{false};
  mutable unsigned late_uses_ = 0;
  std::atomic<std::size_t>* meter_;
  AliasTable draft_alias_;
  AliasTable residual_alias_;
  std::size_t listed_ = 0;
  std::vector<std::uint32_t> order_;  ///< tokens in falling order of target / draft
  std::vector<std::uint32_t> rank_;   ///< by token, or by index among the others: its place there
  std::vector<Sums> cells_;           ///< both probabilities, by rank
  std::vector<Sums> sums_;            ///< sums_[k]: over the first k ranks, nearest doubles
  std::vector<Sums> tails_;           ///< the low parts of those sums
  std::unique_ptr<const ScaledTail> tail_;  ///< of a scaled target
  mutable std::vector<Wide> draft_sums_;
  mutable std::once_flag summed_;
  Whole residual_{};
  Whole target_law_{};
  mutable std::once_flag ranked_;
  mutable std::vector<Token> likeliest_;
  mutable std::mutex making_;
  mutable std::array<std::atomic<const PowerSums*>, PowerSums::kMost + 1> powers_{};
  mutable std::atomic<const AnyDerived*> derived_{nullptr};
};

}  // namespace speclab
