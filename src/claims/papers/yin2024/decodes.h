#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "claims/engine/row.h"
#include "theory/yin2024.h"

namespace speclab {

// What the claims of yin2024 on rejections and on batches share.

/// A decode of T = gamma tokens: the drafts reach the horizon, as with gamma = inf.
inline Answer decode_to_horizon(std::string_view verifier, const Instance& instance) {
  return exact_answer(verifier, instance, instance.gamma);
}

/// The batch verifier with M = K drafts.
inline std::string batch_of(const Instance& instance, std::string_view name = "batch") {
  return fmt::format("{}(M={})", name, instance.drafts);
}

/// Theorem 1's terms, n = 1..T.
inline Rejections<Rational> tv_along_target(const Instance& instance) {
  Budget budget;
  auto terms = token_rejections(*instance.rows, start_law(*instance.rows), instance.gamma, budget);
  terms.probability = ingredient("yin2024.theorem1.formula", std::move(terms.probability));
  return terms;
}

/// The emitted law is the target's.
inline Comparisons emits_target(const Instance& instance, std::string_view verifier) {
  return {{fmt::format("TV of T = gamma tokens of {} to the target's", verifier),
           decode_to_horizon(verifier, instance).fraction(QuantityId::tv_to_target), Order::equal,
           Rational(0)}};
}

}  // namespace speclab
