#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "claims/engine/row.h"
#include "theory/zhong2025.h"

namespace speclab {

// What the claims on SPRINTER share.

/// The error rates of a verifier that knows a token's class only.
struct Rates {
  Rational fp;
  Rational tp;

  [[nodiscard]] std::string verifier() const {
    return fmt::format("sprinter(fp={},tp={})", to_text(fp), to_text(tp));
  }
};

/// A perfect verifier, a good one, a poor one and the worst.
std::vector<Rates> class_rates();

/// Verifiers that pass the unacceptable token x and no other, for each x, and one that passes each
/// with a rate of its own. The last rate of a list goes for all later tokens.
std::vector<std::vector<Rational>> token_rates(std::size_t tokens);

/// "sprinter(fp=[1,0],tp=1)".
std::string token_verifier(const std::vector<Rational>& fp);

/// The horizon of most decodes: runs are cut at gamma and go on.
inline int beyond_window(const Instance& instance) { return instance.gamma + 1; }

/// A context that a decode reaches, its probability, and the exact law of the token after it.
struct Reached {
  std::vector<Token> tokens;
  State state;
  Rational probability;
  std::vector<Rational> next;
};

/// The contexts of 0 .. horizon - 1 tokens before an end-of-sequence token, from the decode's
/// enumerated law. None of a pair with several prompts.
std::vector<Reached> reached_by(std::string_view verifier, const Instance& instance, int horizon);

/// TV(d, t) at a state.
Rational distance_at(const Instance& instance, State state);

/// E over the starts of TV(d, t) at position 1.
Rational distance_at_start(const Instance& instance);

/// Two pairs whose first r drafted tokens are acceptable and all others are not, whatever is
/// drafted: afterwards the target keeps a share of its mass for a token that is never drafted, and
/// the laws stay the same for good.
/// @param even  the draft branches; else it is sure
Instance acceptable_first(int acceptable, bool even, int gamma);

/// Where what holds is held: the battery and every small memoryless pair.
constexpr Places everywhere(int gammas = 1) {
  return {BatteryShape{.tokens = 4, .gammas = gammas, .random = {4, 12, 40}},
          SearchSpace{.tokens = 3, .gammas = 1, .denominator = {3, 4, 5}}};
}

/// Where whole decodes are enumerated.
inline constexpr Places kDecoded{BatteryShape{.tokens = 3, .gammas = 2, .random = {2, 6, 20}},
                                 SearchSpace{.tokens = 3, .gammas = 1, .denominator = {3, 4, 5}}};

/// The hypothesis of most of them.
inline constexpr std::string_view kByClass =
    "error rates that depend on the token's class only; no bonus token where a run is cut";

}  // namespace speclab
