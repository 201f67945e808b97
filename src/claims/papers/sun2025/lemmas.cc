// Sun, Mendlovic, Leviathan, Aharoni, Ro, Beirami, Suresh: "Block Verification Accelerates
// Speculative Decoding" (2025), appendix B: the lemmas on which Theorems 1 and 2 rest.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "claims/engine/ingredient.h"
#include "claims/engine/outcomes.h"
#include "claims/engine/row.h"
#include "claims/papers/sun2025/weights.h"

namespace speclab {
namespace sun2025_lemmas {
namespace {

/// The distance of (X^tau, Y, Z) from T^{gamma+1}: at the start, and summed over every context that
/// a decode of gamma + 2 tokens can reach, since equation (7) is asked of each.
Rational continued_tv(std::string_view verifier, const Instance& instance) {
  const int length = instance.gamma + 1;
  std::set<State> contexts;
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : paths_from(*instance.rows, start.state, length)) {
      if (path.target > 0) contexts.insert(path.state);
    }
  }
  Decoding decoding(verifier, instance);
  Rational sum(0);
  for (const State state : contexts) sum += decoding.distance(state, length);
  return sum;
}

constexpr std::string_view kBlockLike[] = {"block", "token", "wrong-first-failure",
                                           "wrong-weight-coins"};

/// One direction of Lemma 2 on one pair: of the verifiers with the property, what the other is.
Comparisons lemma2(const Instance& instance, bool forward) {
  const int horizon = instance.gamma + 2;
  Comparisons says;
  for (const std::string_view verifier : kBlockLike) {
    const Rational once = ingredient("sun2025.lemma2.equation7", continued_tv(verifier, instance));
    const Rational decode = exact_tv(verifier, instance, horizon);
    if (forward && once == 0) {
      says.equal(decode, Rational(0), "TV of a decode by {}, T={}, where equation (7) holds",
                 verifier, horizon);
    }
    if (!forward && decode == 0) {
      says.equal(once, Rational(0), "TV of (X^tau, Y, Z) of {}, where decodes are lossless",
                 verifier);
    }
  }
  return says;
}

constexpr BatteryShape kContexts{.tokens = 2, .gammas = {2, 3, 3}, .random = {4, 6, 20}};
constexpr BatteryShape kNoContext{.tokens = 3, .gammas = 2, .contexts = false};

constexpr ClaimRow kLemma2Forward{
    .id = "sun2025.lemma2.sufficient",
    .source = "sun2025 Lemma 2, forward",
    .statement =
        "(X^tau, Y, Z) ~ T^{gamma+1} at every context implies that the output has the target's law",
    .hypotheses = "Z plain target tokens; for block, token and two faulty verifiers",
    .check = [](const Instance& at) { return lemma2(at, true); },
    .places = {kNoContext, kContexts},
    .bites = {{zeroed("sun2025.lemma2.equation7")}},
};

constexpr ClaimRow kLemma2Backward{
    .id = "sun2025.lemma2.necessary",
    .source = "sun2025 Lemma 2, backward",
    .statement = "a lossless output at every context implies (X^tau, Y, Z) ~ T^{gamma+1}",
    .hypotheses = "Z plain target tokens; for block, token and two faulty verifiers, no context",
    .check = [](const Instance& at) { return lemma2(at, false); },
    .places = {kNoContext},
    // Greedy block verification keeps the law of decodes by its carry, not by equation (7).
    .bites = {{raised("sun2025.lemma2.equation7"), replaced("block", "greedy-block")}},
};

constexpr std::string_view kValid[] = {"block", "token", "lazy-block", "one-hot-block"};

/// Of the iterations that emit more than `l` tokens, the first l those of x: the probability, and
/// with it that of going on along x to its end by `after` from where an iteration ends.
struct AlongPath {
  Rational part{0};
  Rational whole{0};
};
template <class After>
AlongPath along(Decoding& decoding, const Rows<Rational>& rows, State start, const TokenPath& x,
                std::size_t l, const After& after) {
  AlongPath sums;
  for (const auto& [tokens, weight] : decoding.emitted(start)) {
    if (tokens.size() <= l ||
        !std::equal(tokens.begin(), tokens.begin() + static_cast<long>(l), x.begin())) {
      continue;
    }
    sums.part += weight;
    if (!std::equal(tokens.begin(), tokens.end(), x.begin())) continue;
    sums.whole +=
        weight * after(follow(rows, start, tokens).state, std::span(x).subspan(tokens.size()));
  }
  return sums;
}

/// Calls visit(decoding, verifier, start, path, l, T(x^{l+1:} | x^l)) for every valid verifier,
/// every path x of `length` tokens that the target takes, and l = 1 .. gamma.
template <class Visit>
void each_prefix(const Instance& instance, int length, const Visit& visit) {
  const Rows<Rational>& rows = *instance.rows;
  for (const std::string_view verifier : kValid) {
    Decoding decoding(verifier, instance);
    for (const Start& start : instance.pair().start()) {
      for (const PathLaws& path : whole_paths(rows, start.state, length)) {
        if (path.target == 0) continue;
        for (std::size_t l = 1; l <= static_cast<std::size_t>(instance.gamma); ++l) {
          const std::span<const Token> x = path.tokens;
          const State at = follow(rows, start.state, x.first(l)).state;
          visit(decoding, verifier, start.state, path.tokens, l,
                follow(rows, at, x.subspan(l)).target);
        }
      }
    }
  }
}

/// P(O = x, tau >= l) = P(O^l = x^l, tau >= l) T(x^{l+1:}) for outputs of two iterations.
Comparisons lemma6(const Instance& instance) {
  Comparisons says;
  each_prefix(instance, instance.gamma + 2,
              [&](Decoding& decoding, std::string_view verifier, State start, const TokenPath& x,
                  std::size_t l, const Rational& rest) {
                const AlongPath sums = along(decoding, *instance.rows, start, x, l,
                                             [&](State at, std::span<const Token> left) {
                                               return decoding.reached(at, left, 1, 1);
                                             });
                says.equal(sums.whole, sums.part * rest, "P(O = {}, tau >= {}) of {}", path_text(x),
                           l, verifier);
              });
  return says;
}

constexpr ClaimRow kLemma6{
    .id = "sun2025.lemma6",
    .source = "sun2025 Lemma 6, equation (17)",
    .statement = "P(O = x, tau >= l) = P(O^l = x^l, tau >= l) T(x^{l+1:} | x^l)",
    .hypotheses = "a valid verifier: block, token and two verifiers that sometimes ignore X_gamma",
    .check = lemma6,
    .places = {kContexts, SearchSpace{.tokens = 2, .gammas = 2, .denominator = {2, 3, 4}}},
    .bites = {{replaced("block", "wrong-first-failure"), replaced("token", "wrong-weight-coins")}},
};

/// Conditional on X^i = O^i kept, what follows in (X^tau, Y, Z) is the target's.
Comparisons equation29(const Instance& instance) {
  Comparisons says;
  const Rows<Rational>& rows = *instance.rows;
  each_prefix(instance, instance.gamma + 1,
              [&](Decoding& decoding, std::string_view verifier, State start, const TokenPath& x,
                  std::size_t i, const Rational& rest) {
                const AlongPath sums =
                    along(decoding, rows, start, x, i, [&](State at, std::span<const Token> left) {
                      return follow(rows, at, left).target;
                    });
                if (sums.part == 0) return;
                says.equal(sums.whole / sums.part, rest, "P(O = {} | O^{}, tau >= {}) of {}",
                           path_text(x), i, i, verifier);
              });
  return says;
}

constexpr ClaimRow kEquation29{
    .id = "sun2025.equation29",
    .source = "sun2025 section B.4, equation (29)",
    .statement = "P(O^{i+1:l} = x | O^i = x^i, tau >= i) = T(x^{i+1:l} | x^i)",
    .hypotheses = "a valid verifier: block, token and two verifiers that sometimes ignore X_gamma",
    .check = equation29,
    .places = {kContexts},
    .bites = {{replaced("block", "wrong-first-failure"), replaced("token", "wrong-weight-coins")}},
};

/// The coupling of two laws on 0 .. V - 1 by quantiles: both are laid along [0, 1).
std::map<std::pair<std::size_t, std::size_t>, Rational> by_quantiles(
    std::span<const Rational> one, std::span<const Rational> other) {
  std::map<std::pair<std::size_t, std::size_t>, Rational> mass;
  Rational left = one[0], right = other[0];
  for (std::size_t x = 0, y = 0; x < one.size() && y < other.size();) {
    const Rational part = lesser(left, right);
    if (part > 0) mass[{x, y}] += part;
    left -= part;
    right -= part;
    if (left == 0 && ++x < one.size()) left = one[x];
    if (right == 0 && ++y < other.size()) right = other[y];
  }
  return mass;
}

/// The pair's two laws as laws of X_2 and X_1, coupled by quantiles: X_1 >= X_2 with probability 1
/// if and only if X_1 dominates, and E f(X_1) - E f(X_2) is the mean of f(X_1) - f(X_2), of terms
/// that are not negative then, f = x, x^2 and each step.
Comparisons lemma7(const Instance& instance) {
  const auto low = instance.draft();
  const auto high = instance.target();
  const auto size = low.size();
  Rational low_tail(0), high_tail(0), least(0);
  for (std::size_t x = size; x-- > 0;) {
    low_tail += low[x];
    high_tail += high[x];
    least = lesser<Rational>(least, high_tail - low_tail);
  }
  Rational below(0);
  const auto coupling = by_quantiles(high, low);
  for (const auto& [at, mass] : coupling) {
    if (at.first < at.second) below += mass;
  }
  below = ingredient("sun2025.lemma7.coupling", below);
  Comparisons says;
  says.add(below, least < 0 ? Order::above : Order::equal, 0,
           "P(X_1 < X_2) of the coupling by quantiles, where X_1 {}",
           least < 0 ? "does not dominate" : "dominates");
  if (least < 0) return says;
  for (std::size_t f = 0; f < size + 2; ++f) {
    const auto value = [&](std::size_t x) {
      if (f >= 2) return Rational(x >= f - 1 ? 1 : 0);
      return Rational(f == 0 ? x : x * x);
    };
    Rational gain(0), coupled(0);
    for (std::size_t x = 0; x < size; ++x) gain += value(x) * (high[x] - low[x]);
    for (const auto& [at, mass] : coupling) coupled += mass * (value(at.first) - value(at.second));
    gain = ingredient("sun2025.lemma7.gain", gain);
    const std::string text = f == 0 ? "x" : f == 1 ? "x^2" : fmt::format("1(x >= {})", f - 1);
    says.equal(gain, coupled, "E f(X_1) - E f(X_2), f = {}, against the coupling's mean", text);
    says.at_least(gain, 0, "E f(X_1) - E f(X_2), f = {}", text);
  }
  return says;
}

constexpr ClaimRow kLemma7{
    .id = "sun2025.lemma7",
    .source = "sun2025 Lemma 7 (Quirk and Saposnik)",
    .statement = "X_1 dominates X_2 and f increases: E f(X_1) >= E f(X_2)",
    .hypotheses =
        "the pair's laws, read as laws of X_2 and X_1 on 0 .. V - 1; f = x, x^2 and each step",
    .check = lemma7,
    .places = {SearchSpace{
        .tokens = 3, .gammas = 1, .denominator = 4, .labelled = true, .memoryless = true}},
    .bites = {{lowered("sun2025.lemma7.gain"), doubled("sun2025.lemma7.gain"),
               zeroed("sun2025.lemma7.coupling")}},
};

constexpr ClaimRow kClaims[] = {kLemma2Forward, kLemma2Backward, kLemma6, kEquation29, kLemma7};

}  // namespace
}  // namespace sun2025_lemmas

Claims sun2025_lemmas_claims() { return sun2025_lemmas::kClaims; }

}  // namespace speclab
