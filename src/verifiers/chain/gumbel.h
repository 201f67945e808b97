#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/spec.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"
#include "verifiers/output_step.h"

namespace speclab {

/// The Gumbel coupling: one Exp(1) clock E_v a token, X = argmin E / d, Y = argmin E / t; X ~ d,
/// Y ~ t. With G(u) = sum over v of max(d(v), u t(v)) and u(v) = d(v) / t(v),
///   P(Y = i | X = i) = 1 / G(u(i))
///   P(Y = j | X = i) = t(j) times the integral of du / G(u)^2 over u(j) <= u <= u(i).
/// G is linear between the u(v), and the integral of 1 / G^2 over a piece [a, b] is (b - a) / (G(a)
/// G(b)).
template <class Laws>
class GumbelCoupling {
 public:
  using Real = typename Laws::Real;

  explicit GumbelCoupling(const Laws& laws) : laws_(laws) {}

  /// P(Y = x | X = x), d(x) > 0.
  [[nodiscard]] Real match(Token x) const {
    const Real draft = laws_.draft(x);
    const Real target = laws_.target(x);
    if constexpr (kRanked) {
      if (const StateTable* table = laws_.table()) {
        const double whole = table->draft_before(table->size());
        return target > 0 ? 1 / (whole + excess(*table, table->rank(x))) : 0.0;
      }
    }
    Real sum(0);
    bool certain = true;  // no token is preferred to x: 1 / G = 1, without rounding
    for (Token v = 0; v < laws_.vocabulary(); ++v) {
      const Real by_draft = laws_.draft(v) * target;
      const Real by_target = laws_.target(v) * draft;
      if (by_draft < by_target) certain = false;
      sum += by_draft < by_target ? by_target : by_draft;
    }
    return certain ? Real(1) : Real(target / sum);
  }

  /// The law of Y where X = x and Y != x, token by token. O(V log V).
  [[nodiscard]] DenseLaw<Real> mismatch(Token x) const {
    std::vector<Real> weights(static_cast<std::size_t>(laws_.vocabulary()), Real(0));
    const std::vector<Piece> pieces = pieces_below(x);
    if (pieces.empty()) return DenseLaw<Real>(std::move(weights));
    const bool unbounded = !(laws_.target(x) > 0);
    const Piece& last = pieces.back();
    // From the last u(v) below u(x) up to u(x), or to infinity where t(x) = 0.
    Real integral = unbounded ? Real(1 / (last.slope * last.value(last.from)))
                              : last.integral(Real(laws_.draft(x) / laws_.target(x)));
    for (std::size_t k = pieces.size(); k-- > 0;) {
      const auto j = static_cast<std::size_t>(pieces[k].token);
      weights[j] = laws_.target(pieces[k].token) * integral;
      if (k > 0) integral += pieces[k - 1].integral(pieces[k].from);
    }
    return DenseLaw<Real>(std::move(weights));
  }

  /// Draws from that law in O(log V). P(Y != x, u <= z | X = x) is the integral of T(u) / G(u)^2 up
  /// to z, T(u) the target mass of the tokens with u(v) <= u, which is 1 - 1 / G(z) as G(0) = 1 and
  /// G' = T; given u, Y follows t among those tokens.
  class Mismatch {
   public:
    using Real = typename Laws::Real;
    Mismatch(const GumbelCoupling& coupling, Token x, const StateTable& table)
        : coupling_(coupling),
          x_(x),
          table_(table),
          preferred_(std::min(table.rank(x), table.target_law().count)),
          mass_(laws().target(x) > 0 ? up_to(table.rank(x)) : 1.0) {}

    [[nodiscard]] Token size() const { return laws().vocabulary(); }
    [[nodiscard]] Real mass() const { return preferred_ > 0 ? mass_ : 0; }
    [[nodiscard]] Real weight(Token y) const {
      if (listed_.empty()) {
        const auto law = coupling_.mismatch(x_);
        for (Token v = 0; v < size(); ++v) listed_.push_back(law.weight(v));
      }
      return listed_[static_cast<std::size_t>(y)];
    }
    [[nodiscard]] Token pick(double u) const {
      const double place = u * mass_;
      // The last preferred rank whose u(v) does not exceed the drawn point.
      const std::size_t later =
          first_false(preferred_ - 1, [&](std::size_t k) { return !(up_to(k + 1) > place); });
      const double from = up_to(later);
      const double to = later + 1 < preferred_ ? up_to(later + 1) : mass_;
      const double share = to > from ? (place - from) / (to - from) : 0.0;
      const double target = table_.mass(Wide(1), Wide(0), 0, later + 1).value();
      return table_.pick(Wide(1), Wide(0), 0, later + 1,
                         std::min(std::max(share, 0.0), 1 - 0x1p-53) * target);
    }

   private:
    [[nodiscard]] const Laws& laws() const { return coupling_.laws_; }
    /// 1 - 1 / G(u) at the u of this rank: E / (1 + E), E the sum of [u t - d]+.
    [[nodiscard]] double up_to(std::size_t rank) const {
      const double whole = table_.draft_before(table_.size());
      const double beyond = excess(table_, rank);
      return beyond < HUGE_VAL ? beyond / (whole + beyond) / whole : 1 / whole;
    }

    const GumbelCoupling& coupling_;
    Token x_;
    const StateTable& table_;
    std::size_t preferred_;  ///< the ranks below it have u(v) <= u(x), and t > 0
    Real mass_;
    mutable std::vector<Real> listed_;  ///< the weights, computed on first use
  };

  /// Y where X = x and Y != x.
  template <class Choices>
  Token correct(Token x, Choices& choices) const {
    if constexpr (kRanked) {
      if (const StateTable* table = laws_.table()) {
        return choices.correct(Mismatch(*this, x, *table));
      }
    }
    return choices.correct(mismatch(x));
  }

 private:
  /// G(u) - G(0) at the u of a rank whose target is positive: the sum of [u t - d]+, to which the
  /// ranks above add nothing.
  static double excess(const StateTable& table, std::size_t rank) {
    const double u = table.draft_at(rank) / table.target_at(rank);
    if (!(u < 1e290)) return HUGE_VAL;
    const Wide exactly = Wide(table.draft_at(rank)) / Wide(table.target_at(rank));
    return std::max(0.0, table.mass(exactly, Wide(1), 0, rank).value());
  }

  static constexpr bool kRanked = std::is_same_v<Real, double> && requires(const Laws& laws) {
    laws.table();
  };

  /// G(u) = base + slope u from u(token) to the next piece.
  struct Piece {
    Token token;
    Real from;
    Real base{0};
    Real slope{0};
    [[nodiscard]] Real value(const Real& u) const { return Real(base + slope * u); }
    [[nodiscard]] Real integral(const Real& to) const {
      return positive_part<Real>((to - from) / (value(from) * value(to)));
    }
  };

  /// The pieces that begin below u(x), in order.
  [[nodiscard]] std::vector<Piece> pieces_below(Token x) const {
    std::vector<Piece> pieces;
    Real below(0);  // t of the tokens whose u is reached
    Real above(0);  // d of the others
    for (Token v = 0; v < laws_.vocabulary(); ++v) {
      const Real draft = laws_.draft(v);
      const Real target = laws_.target(v);
      if (target * laws_.draft(x) > draft * laws_.target(x)) {
        pieces.push_back({v, Real(draft / target)});
      } else {
        above += draft;
      }
    }
    std::sort(pieces.begin(), pieces.end(),
              [](const Piece& a, const Piece& b) { return a.from < b.from; });
    for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
      piece->base = above;
      above += laws_.draft(piece->token);
    }
    for (Piece& piece : pieces) {
      below += laws_.target(piece.token);
      piece.slope = below;
    }
    return pieces;
  }

  const Laws& laws_;
};

/// The Gumbel coupling at every position: emits Y and continues while X = Y; after window.drafts
/// matches Y ~ t with fresh clocks. The clocks themselves are not drawn, but X, then whether Y
/// matches, then Y.
struct Gumbel {
  static constexpr VerifierInfo kInfo{
      .name = "gumbel",
      .parameters = "",
      .prose = "draft and target tokens are argmins over one set of exponential clocks",
      .source = "Daliri et al. 2024 (coupling without communication), Gumbel sampling",
      .kind = VerifierKind::lossless,
      .example = "gumbel",
      .lacks = {.purposes = true}};
  static constexpr bool kCarries = false;
  static Gumbel read(SpecReader&) { return {}; }

  /// P(X = y) P(Y = y | X = y) / t(y).
  template <class Laws, class Real>
  void add_output_steps(const Laws& laws, Token y, const Real& memory,
                        std::vector<OutputStep<Real>>& steps) const {
    if (!(laws.draft(y) > 0)) return;
    const Real both = laws.draft(y) * GumbelCoupling(laws).match(y);
    steps.push_back({min_one<Real>(both / laws.target(y)), memory});
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    while (out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      const GumbelCoupling coupling(laws);
      const Token x = choices.draft(laws.draft());
      if (!choices.accept(coupling.match(x))) {
        return out.add(view, coupling.correct(x, choices), Ending::correction);
      }
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }
};

}  // namespace speclab
