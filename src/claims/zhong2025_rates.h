#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "claims/row.h"
#include "theory/zhong2025.h"

namespace speclab {

// What the claims on SPRINTER share.

/// The error rates of a verifier that knows a token's class only.
struct Rates {
  Rational fp;
  Rational tp;

  [[nodiscard]] std::string verifier(std::string_view name = "sprinter") const {
    return fmt::format("{}(fp={},tp={})", name, to_text(fp), to_text(tp));
  }
};

/// A perfect verifier, a good one, a poor one and the worst.
inline std::vector<Rates> class_rates() {
  return {{Rational(0), Rational(1)},
          {Rational(1, 10), Rational(9, 10)},
          {Rational(1, 2), Rational(1, 3)},
          {Rational(1), Rational(0)}};
}

/// The exact decode of `horizon` tokens.
inline Answer decode_of(std::string_view verifier, const Instance& instance, int horizon = 1,
                        bool law = false) {
  return exact_answer(verifier, instance, horizon, 0, law);
}

/// E over the starts of TV(d, t) at position 1.
inline Rational distance_at_start(const Instance& instance) {
  Rational sum(0);
  for (const Start& start : instance.pair().start()) {
    sum += start.probability *
           total_variation(instance.rows->draft(start.state), instance.rows->target(start.state));
  }
  return sum;
}

/// Where what holds is held: the battery and every small memoryless pair.
constexpr Places everywhere(int gammas = 1) {
  return {BatteryShape{.tokens = 4, .gammas = gammas, .random = {4, 12, 40}},
          SearchSpace{.tokens = 3, .gammas = 1, .denominator = {3, 4, 5}}};
}

/// The hypothesis of most of them.
inline constexpr std::string_view kByClass = "error rates that depend on the token's class only";

}  // namespace speclab
