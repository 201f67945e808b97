#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/types.h"
#include "base/wide.h"

namespace speclab {

/// A target law that is a multiple of the draft's but for a few tokens, as an n-gram's which
/// interpolates the law of its draft. As doubles, target(x) = share * draft(x) of every token that
/// is not among the others; the draft has every token.
/// Worked example: draft (1/2, 1/4, 1/4), share 1/2, others {(2, 5/8)}: target (1/4, 1/8, 5/8).
struct ScaledTarget {
  struct Other {
    Token token;
    double target;  ///< above share * draft(token)
  };
  double share = 0;
  std::vector<Other> others;  ///< by token
};

/// Writes its V probabilities. @param draft  its draft law
void write_row(const ScaledTarget& law, std::span<const double> draft, std::span<double> target);

/// Sums of the law over the first 0, 1, .., V tokens.
std::vector<Wide> prefix_sums(std::span<const double> law);

/// The tokens that are not among a scaled target's others, in ascending order: the token at *place*
/// k is the (k+1)-th of them. All of them have the ratio `share` of target and draft. Takes O(log
/// V) for each question, and no memory for them.
class ScaledTail {
 public:
  /// @param draft,draft_sums  the draft and its prefix sums; they must outlive this
  ScaledTail(const ScaledTarget& target, std::span<const double> draft,
             std::span<const Wide> draft_sums);

  [[nodiscard]] double share() const { return share_; }
  [[nodiscard]] std::size_t bytes() const {
    return sizeof(*this) + others_.size() * (sizeof(std::uint32_t) + sizeof(Wide)) + sizeof(Wide);
  }

  /// The index of a token among the others, if it is one.
  [[nodiscard]] std::optional<std::size_t> other(Token x) const;
  /// @pre x is none of the others
  [[nodiscard]] std::size_t place(Token x) const {
    return static_cast<std::size_t>(x) - others_below(x);
  }
  [[nodiscard]] Token token(std::size_t place) const;
  [[nodiscard]] double draft_at(std::size_t place) const {
    return draft_[static_cast<std::size_t>(token(place))];
  }
  /// Draft probability of the places below this one.
  [[nodiscard]] Wide draft_before(std::size_t place) const;

  /// The first of the places [from, to) with draft_before(place + 1) > drafted, or the last.
  [[nodiscard]] Token pick(const Wide& drafted, std::size_t from, std::size_t to) const;

 private:
  [[nodiscard]] std::size_t others_below(Token x) const;
  /// How many others have a token below that of this place.
  [[nodiscard]] std::size_t others_before(std::size_t place) const;

  double share_;
  std::span<const double> draft_;
  std::span<const Wide> draft_sums_;
  std::vector<std::uint32_t> others_;  ///< ascending
  std::vector<Wide> skipped_;          ///< draft probability of the first 0, 1, .. others
};

}  // namespace speclab
