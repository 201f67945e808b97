#pragma once

#include "claims/engine/check.h"

namespace speclab {

// The words of checks. A verifier is a spec text with braces, see verifier_text; what stands on a
// side is a Term, a NamedForm or a whole number.

constexpr Term asked(QuantityId quantity, std::string_view verifier, Horizon horizon = kNoHorizon,
                     std::int8_t iterations = 0) {
  Term term;
  term.kind = Term::Kind::quantity;
  term.quantity = quantity;
  term.horizon = horizon;
  term.iterations = iterations;
  term.verifier = verifier;
  return term;
}

/// E[tau] of one iteration.
constexpr Term tau(std::string_view verifier) {
  return asked(QuantityId::expected_accepted, verifier);
}
/// P(tau = i), i = 0 .. gamma.
constexpr Term law_of_tau(std::string_view verifier) {
  return asked(QuantityId::accepted_law, verifier);
}
/// E[N(i)], i = 1 .. iterations.
constexpr Term tokens(std::string_view verifier, std::int8_t iterations = kDepth) {
  return asked(QuantityId::expected_tokens, verifier, kNoHorizon, iterations);
}
/// TV of the first T tokens to the target's.
constexpr Term tv(std::string_view verifier, Horizon horizon) {
  return asked(QuantityId::tv_to_target, verifier, horizon);
}
/// E[N_rej] of a decode of T tokens.
constexpr Term rejections(std::string_view verifier, Horizon horizon = kToGamma) {
  return asked(QuantityId::rejections, verifier, horizon);
}
/// E[target calls] of a decode of T tokens.
constexpr Term calls(std::string_view verifier, Horizon horizon = kToGamma) {
  return asked(QuantityId::target_calls, verifier, horizon);
}
/// P(X^i = x^i, tau >= i) for every path of drafted tokens.
constexpr Term reached(std::string_view verifier) {
  Term term = asked(QuantityId::accepted_law, verifier);
  term.kind = Term::Kind::reached;
  return term;
}
/// P(X^tau, Y = x) for every x.
constexpr Term emitted(std::string_view verifier) {
  Term term = asked(QuantityId::accepted_law, verifier);
  term.kind = Term::Kind::emitted;
  return term;
}

constexpr Check equal(Term left, Term right) { return Clause{left, Order::equal, right}; }
constexpr Check at_least(Term left, Term right) { return Clause{left, Order::at_least, right}; }
constexpr Check at_most(Term left, Term right) { return Clause{left, Order::at_most, right}; }
constexpr Check above(Term left, Term right) { return Clause{left, Order::above, right}; }
constexpr Check below(Term left, Term right) { return Clause{left, Order::below, right}; }

/// The first T tokens of the output have the target's law; by default T = gamma + 2, so many that a
/// second iteration begins where the first may have left a trace.
constexpr Check lossless(std::string_view verifier, Horizon horizon = {1, 2}) {
  return equal(tv(verifier, horizon), 0);
}
template <std::convertible_to<std::string_view>... More>
constexpr Check lossless(std::string_view first, std::string_view second, More... more) {
  return lossless(first) && lossless(second, more...);
}

/// Every (X^tau, Y) is equally likely.
constexpr Check same_law(std::string_view left, std::string_view right) {
  return equal(emitted(left), emitted(right));
}
/// Every tau is equally likely.
constexpr Check same_tau(std::string_view left, std::string_view right) {
  return equal(law_of_tau(left), law_of_tau(right));
}
/// P(tau = i) and E[N(2)] agree: rules that are one.
constexpr Check same_iterations(std::string_view left, std::string_view right) {
  const auto law = [](std::string_view verifier) {
    return asked(QuantityId::accepted_law, verifier, kNoHorizon, 2);
  };
  return equal(law(left), law(right)) && equal(tokens(left, 2), tokens(right, 2));
}

/// The value at gamma + 1 is not below that at gamma, or is above it.
constexpr Check grows_in_gamma(Term term, Order order = Order::at_least) {
  Term longer = term;
  longer.longer = true;
  return Clause{longer, order, term};
}
/// The value of `more`, of K drafts, is not below that of `fewer`, of K - 1; it says nothing at K
/// = 1.
constexpr Check grows_in_drafts(Term more, Term fewer) {
  return at_least(more, fewer).where([](const Instance& at) { return at.drafts > 1; });
}

/// yin2024's line of one position: P(reject) + TV = TV(d, t).
extern const NamedForm kLine;
constexpr Term point(std::string_view verifier) {
  Term term = asked(QuantityId::rejections, verifier, kOneToken);
  term.kind = Term::Kind::rejected_and_tv;
  return term;
}
constexpr Check on_line(std::string_view verifier) { return equal(point(verifier), kLine); }
constexpr Check on_or_above_line(std::string_view verifier) {
  return at_least(point(verifier), kLine);
}

}  // namespace speclab
