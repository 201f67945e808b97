#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "claims/engine/row.h"

namespace speclab {

// What the claims on the rules that engines run, and on those of the newer literature, share.

/// "rrs(K=2)".
inline std::string with_drafts(std::string_view name, int drafts) {
  return fmt::format("{}(K={})", name, drafts);
}

/// E[tau] with this many drafts.
inline Rational mean_accepted(std::string_view name, const Instance& instance, int drafts) {
  return accepted(with_drafts(name, drafts), instance);
}

/// P(tau = i) of `name` with one draft against that of a verifier of one draft.
inline Comparisons same_tau_of_one(const Instance& instance, std::string_view name,
                                   std::string_view single) {
  Comparisons comparisons;
  const auto found =
      exact_answer(with_drafts(name, 1), instance).fractions(QuantityId::accepted_law);
  const auto wanted = exact_answer(single, instance).fractions(QuantityId::accepted_law);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    comparisons.push_back({fmt::format("P(tau = {}) of {}(K=1) against {}", i, name, single),
                           found.at(i), Order::equal, wanted[i]});
  }
  return comparisons;
}

/// "tree=3-2-2": a tree as deep as a draft of `gamma` tokens is long, `first` children at its root
/// and `below` at every other vertex.
inline std::string tree_text(int gamma, int first, int below) {
  std::string text = fmt::format("tree={}", first);
  for (int depth = 1; depth < gamma; ++depth) text += fmt::format("-{}", below);
  return text;
}

/// "NAME(tree=2-1,draw=top)", with two children at the root and `below` at every other vertex.
inline std::string on_tree(std::string_view name, const Instance& instance, std::string_view draw,
                           int below = 1) {
  return fmt::format("{}({},draw={})", name, tree_text(instance.gamma, 2, below), draw);
}

/// TV of gamma + `beyond` tokens: by default so many that a second iteration begins where the first
/// may have left a trace.
inline Comparisons lossless_each(const Instance& instance,
                                 const std::vector<std::string>& verifiers, int beyond = 2) {
  const int horizon = instance.gamma + beyond;
  Comparisons comparisons;
  for (const std::string& verifier : verifiers) {
    comparisons.push_back({fmt::format("TV of {} tokens of {} to the target's", horizon, verifier),
                           exact_tv(verifier, instance, horizon), Order::equal, Rational(0)});
  }
  return comparisons;
}

/// P(tau = i), i = 0 .. gamma, and the tokens of two iterations: rules that are one.
inline Comparisons same_iterations(const Instance& instance, std::string_view left,
                                   std::string_view right) {
  const auto one = exact_answer(left, instance, std::nullopt, 2);
  const auto other = exact_answer(right, instance, std::nullopt, 2);
  const auto one_law = one.fractions(QuantityId::accepted_law);
  const auto other_law = other.fractions(QuantityId::accepted_law);
  Comparisons comparisons;
  for (std::size_t i = 0; i < other_law.size(); ++i) {
    comparisons.push_back({fmt::format("P(tau = {}) of {} against {}", i, left, right),
                           one_law.at(i), Order::equal, other_law[i]});
  }
  comparisons.push_back({fmt::format("E[N(2)] of {} against {}", left, right),
                         one.fractions(QuantityId::expected_tokens).back(), Order::equal,
                         other.fractions(QuantityId::expected_tokens).back()});
  return comparisons;
}

/// E[tau] of one rule against another.
inline Comparisons accepts_more(const Instance& instance, std::string_view left, Order order,
                                std::string_view right) {
  return {{fmt::format("E[tau] of {} against {}", left, right), accepted(left, instance), order,
           accepted(right, instance)}};
}

/// Where losslessness is held: pairs with contexts, zeros, an end of sequence.
inline constexpr BatteryShape kLossless{.tokens = 3, .gammas = 2, .random = {2, 4, 12}};
/// One position of a memoryless pair.
inline constexpr BatteryShape kOnePosition{
    .tokens = 4, .gammas = 1, .drafts = 3, .random = 0, .contexts = false};

/// Of the rows of their papers: why nothing more is covered.
inline constexpr std::string_view kNoText =
    "the paper's numbered statements: its text is not at hand, its rules are known by their code "
    "and by what others say of them";

}  // namespace speclab
