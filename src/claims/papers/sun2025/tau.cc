// Sun, Mendlovic, Leviathan, Aharoni, Ro, Beirami, Suresh: "Block Verification Accelerates
// Speculative Decoding" (2025), Algorithm 2 and appendix B.3: the law of tau given the drafted
// block.
#include <fmt/format.h>

#include <map>
#include <optional>
#include <span>

#include "claims/engine/ingredient.h"
#include "claims/engine/outcomes.h"
#include "claims/engine/row.h"
#include "claims/papers/sun2025/weights.h"

namespace speclab {
namespace sun2025_tau {
namespace {

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .random = {4, 12, 60}};
constexpr SearchSpace kSmallSpace{.tokens = 2, .gammas = 2, .denominator = {3, 4, 6}};

std::string iteration_text(int tau, const TokenPath& draft) {
  return fmt::format("P(tau = {} | X = {}) of block", tau, path_text(draft));
}

/// joint[x^i][k] = P(X^i = x^i, tau = k) of block, k = 0 .. gamma, for every drafted x^i.
std::map<TokenPath, std::vector<Rational>> tau_with_draft(const Instance& instance, State start) {
  std::map<TokenPath, std::vector<Rational>> joint;
  for (const BlockOutcome& outcome : outcomes("block", instance, start)) {
    TokenPath path;
    for (const Token x : outcome.draft) {
      path.push_back(x);
      auto& law = joint[path];
      law.resize(static_cast<std::size_t>(instance.gamma) + 1);
      law[static_cast<std::size_t>(outcome.accepted)] += outcome.weight;
    }
  }
  return joint;
}

/// A coin of block verification; nothing where its formula is 0/0.
using Coin = std::optional<Rational>;

Coin coin(const Rational& numerator, const Rational& denominator) {
  if (denominator == 0) return std::nullopt;
  return ingredient("sun2025.coin", Rational(numerator / denominator));
}

/// h_i(x^i) by equation (5), i < gamma, w = p_i(x^i), the laws those after x^i.
Coin coin5(const Rational& w, std::span<const Rational> draft, std::span<const Rational> target) {
  Rational residual(0);
  for (std::size_t x = 0; x < draft.size(); ++x) {
    residual += positive_part<Rational>(w * target[x] - draft[x]);
  }
  return coin(residual, residual + 1 - w);
}

/// The same by equation (27).
Coin coin27(const Rational& w, std::span<const Rational> draft, std::span<const Rational> target) {
  Rational kept(0);
  for (std::size_t x = 0; x < draft.size(); ++x) {
    kept += lesser<Rational>(w * target[x], draft[x]);
  }
  return coin(w - kept, 1 - kept);
}

TokenPath shortened(const TokenPath& path) { return {path.begin(), path.end() - 1}; }

/// The whole law of tau given the whole draft, from the coins of equation (5): the last coin that
/// accepts decides. A coin that is 0/0 has a coin of 1 after it.
Comparisons law_given_block(const Instance& instance) {
  Comparisons says;
  const Rows<Rational>& rows = *instance.rows;
  const auto length = static_cast<std::size_t>(instance.gamma);
  for (const Start& start : instance.pair().start()) {
    const auto joint = tau_with_draft(instance, start.state);
    for (const PathLaws& path : whole_paths(rows, start.state, instance.gamma)) {
      if (path.draft == 0) continue;
      const auto& found = joint.at(path.tokens);
      TokenPath prefix = path.tokens;
      Rational rest(1);  // no later coin accepts
      for (std::size_t i = length + 1; i-- > 0;) {
        Coin accepts = Rational(1);
        if (i == length) {
          accepts = block_weight(instance, start.state, prefix);
        } else if (i > 0) {
          const State at = follow(rows, start.state, prefix).state;
          accepts =
              coin5(block_weight(instance, start.state, prefix), rows.draft(at), rows.target(at));
        }
        const Rational exactly = rest == 0 ? Rational(0) : Rational(rest * accepts.value());
        says.equal(found[i] / path.draft, exactly, "{}",
                   iteration_text(static_cast<int>(i), path.tokens));
        rest -= exactly;
        if (i > 0) prefix = shortened(prefix);
      }
    }
  }
  return says;
}

constexpr ClaimRow kGivenBlock{
    .id = "sun2025.equation5.law",
    .source = "sun2025 Algorithm 2, equation (5)",
    .statement =
        "P(tau = i | X^gamma = x) = h_i prod_{j>i} (1 - h_j) for block, h_0 = 1, i = 0..gamma, "
        "every x; h_i = 0/0 only where a later h_j = 1",
    .hypotheses = "D(x) > 0",
    .check = law_given_block,
    .places = {kSmallSpace, kBattery},
    .bites = {{halved("sun2025.coin"), halved("block-weights"),
               replaced("block", "wrong-weight-coins"), replaced("block", "wrong-first-failure")}},
};

/// One step of the proof of Lemma 3: tau given one token more than it keeps.
Comparisons law_given_next(const Instance& instance) {
  Comparisons says;
  const Rows<Rational>& rows = *instance.rows;
  for (const Start& start : instance.pair().start()) {
    const auto joint = tau_with_draft(instance, start.state);
    for (const PathLaws& path : drafted_paths(instance, start.state)) {
      const TokenPath before = shortened(path.tokens);
      const State at = follow(rows, start.state, before).state;
      const Rational below = 1 - block_weight(instance, start.state, path.tokens);
      const Rational stops =
          below == 0 ? Rational(0)
                     : Rational(below * coin27(block_weight(instance, start.state, before),
                                               rows.draft(at), rows.target(at))
                                            .value());
      says.equal(joint.at(path.tokens)[before.size()] / path.draft, stops, "{}",
                 iteration_text(static_cast<int>(before.size()), path.tokens));
    }
  }
  return says;
}

constexpr ClaimRow kGivenNext{
    .id = "sun2025.equation25",
    .source = "sun2025 section B.3, equations (25) and (27)",
    .statement =
        "P(tau = l - 1 | X^l = x^l) = (1 - p_l(x^l)) h_{l-1}(x^{l-1}) for block, h by equation "
        "(27)",
    .hypotheses = "D(x^l) > 0, l = 1..gamma; 0 where p_l = 1",
    .check = law_given_next,
    .places = {kSmallSpace, kBattery},
    .bites = {{raised("sun2025.coin"), halved("block-weights"),
               replaced("block", "wrong-weight-coins")}},
};

constexpr ClaimRow kClaims[] = {kGivenBlock, kGivenNext};

}  // namespace
}  // namespace sun2025_tau

Claims sun2025_tau_claims() { return sun2025_tau::kClaims; }

}  // namespace speclab
