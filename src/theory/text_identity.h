#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/power.h"
#include "theory/measure.h"

namespace speclab {

// What a lossless verifier does along a text that the target drew (this project).
//
// Let O be a text of the target, D and T the joint laws, and let one iteration begin after s tokens
// of it, r_j = d(O_j | O^{j-1}) / t(O_j | O^{j-1}). A verifier for which P(tau >= i, X^i = x) =
// D(x) w_i(x), and after whose accepted tokens the output has the target's law, has
//   P(tau >= i | O) = D(x) w_i(x) / T(x),   x the next i tokens of O:
// given X^i = x and tau >= i the text begins with x and goes on as the target's does, so that the
// law of the rest of O, given O^i, is the same with and without that event. With w_i of token
// verification, prod min(1, t/d), and of block verification, w_i = min(1, w_{i-1} t/d) (sun2025
// Lemmas 3 and 6),
//   token:  prod over j of min(1, r_j);   block:  min over 0 <= j <= i of r_1 ... r_j.
// Where the target's own draw is matched with K i.i.d. drafts it is 1 - (1 - D(x))^K. The next
// iteration begins after s + tau + 1 tokens: a Markov chain along the text.
//
// Longer drafts. Let C_g(h) be the expected target calls for the rest of a text of given length
// that goes on from h, and a(h) = C_g(h) - E[C_g(h x)], x ~ t(. | h). Then a(h) = 1 - E[sum over
// i = 1..g of S_i a(h x^i)], S_i = P(tau >= i | O). With S_i = min(1, r_1 S'_{i-1}), S' that of an
// iteration which begins at h x, F(q) = sum over i = 1..g of min(1, q S'_{i-1}) a(h x^i) is concave
// in q where a >= 0 behind h, F(q) = q F(1) for q <= 1 and F(1) <= a(h x) + (1 - a(h x)) = 1; so
// F(q) <= q, E[F(r_1)] <= E[r_1] <= 1 and a(h) >= 0: by induction from the text's end a >= 0 for
// block verification, and for the others by coupling. A first iteration with g + 1 drafts saves
// E[S_{g+1} a(h x^{g+1})] >= 0 more calls, and so does every later one: the expected target calls
// never rise with the draft length, for any pair whose draft depends on the prefix alone. Of one
// text alone they may: block, ratios 2, 2, 2, 2, 1/2, 2: 2 calls at gamma 2 and 5/2 at gamma 3.

/// P(tau >= i | O), i = 0 .. L, from the probabilities of the next L tokens. @pre target > 0
template <class Real>
std::vector<Real> token_along(std::span<const Real> draft, std::span<const Real> target) {
  std::vector<Real> tail{Real(1)};
  for (std::size_t j = 0; j < draft.size(); ++j) {
    tail.push_back(tail.back() * min_one<Real>(draft[j] / target[j]));
  }
  return tail;
}

template <class Real>
std::vector<Real> block_along(std::span<const Real> draft, std::span<const Real> target) {
  std::vector<Real> tail{Real(1)};
  Real product(1);
  for (std::size_t j = 0; j < draft.size(); ++j) {
    product = product * draft[j] / target[j];
    tail.push_back(lesser<Real>(tail.back(), product));
  }
  return tail;
}

/// The target's draws against K i.i.d. drafts.
template <class Real>
std::vector<Real> match_along(std::span<const Real> draft, int drafts) {
  std::vector<Real> tail{Real(1)};
  Real drawn(1);
  for (const Real& probability : draft) {
    drawn *= probability;
    tail.push_back(1 - power<Real>(Real(1 - drawn), drafts));
  }
  return tail;
}

/// The expected counts of a decode of one text of n tokens.
template <class Real>
struct TextCounts {
  Real calls{0};
  std::vector<Real> reached;  ///< [i - 1]: iterations that accept i tokens or more
};

/// @param tail_at  P(tau >= i | O), i = 0 .. length, of an iteration at s: tail_at(s, length)
template <class Real, class TailAt>
TextCounts<Real> counts_along(std::size_t tokens, int gamma, const TailAt& tail_at) {
  TextCounts<Real> counts;
  const auto most = std::min(static_cast<std::size_t>(gamma), tokens);
  counts.reached.assign(most, Real(0));
  std::vector<Real> begins(tokens, Real(0));
  begins[0] = Real(1);
  for (std::size_t s = 0; s < tokens; ++s) {
    const std::size_t drafts = std::min(most, tokens - s);
    const std::vector<Real> tail = tail_at(s, drafts);
    counts.calls += begins[s];
    for (std::size_t i = 0; i <= drafts; ++i) {
      if (i > 0) counts.reached[i - 1] += begins[s] * tail[i];
      if (s + i + 1 >= tokens) continue;
      begins[s + i + 1] += begins[s] * (i < drafts ? Real(tail[i] - tail[i + 1]) : tail[i]);
    }
  }
  return counts;
}

/// Calls visit(probability, draft, target) for every text of so many tokens that the target draws
/// from a state, with its tokens' probabilities; a text ends with the end-of-sequence token.
template <class Real, class Visit>
void each_text(const Rows<Real>& rows, State state, int tokens, const Visit& visit) {
  std::vector<Real> draft, target;
  std::optional<Token> end;  // the family of all pairs of a size has none
  if constexpr (requires { rows.pair().end_token(); }) end = rows.pair().end_token();
  const auto go = [&](const auto& self, State at, const Real& probability, int left) -> void {
    if (left == 0) return visit(probability, std::span(draft), std::span(target));
    const auto d = rows.draft(at);
    const auto t = rows.target(at);
    for (std::size_t x = 0; x < t.size(); ++x) {
      if (!(t[x] > 0)) continue;
      draft.push_back(d[x]);
      target.push_back(t[x]);
      const auto token = static_cast<Token>(x);
      self(self, rows.next(at, token), Real(probability * t[x]), end == token ? 0 : left - 1);
      draft.pop_back();
      target.pop_back();
    }
  };
  go(go, state, Real(1), tokens);
}

/// The expected counts of decodes, over all texts of the target from the start law.
/// @param along  P(tau >= i | O) from the next tokens: along(draft, target)
template <class Real, class Along>
TextCounts<Real> text_counts(const Rows<Real>& rows, int tokens, int gamma, const Along& along,
                             Budget& budget) {
  TextCounts<Real> all;
  all.reached.assign(static_cast<std::size_t>(std::min(gamma, tokens)), Real(0));
  const Measure<Real> law = start_law(rows);
  for (const auto& [state, share] : law.entries()) {
    each_text(rows, state, tokens,
              [&, share = share](const Real& probability, auto draft, auto target) {
                budget.spend<Real>(static_cast<double>(tokens) * gamma, 1);
                const auto counts =
                    counts_along<Real>(draft.size(), gamma, [&](std::size_t s, std::size_t length) {
                      return along(std::span<const Real>(draft).subspan(s, length),
                                   std::span<const Real>(target).subspan(s, length));
                    });
                const Real weight = share * probability;
                all.calls += weight * counts.calls;
                for (std::size_t i = 0; i < counts.reached.size(); ++i) {
                  all.reached[i] += weight * counts.reached[i];
                }
              });
  }
  return all;
}

}  // namespace speclab
