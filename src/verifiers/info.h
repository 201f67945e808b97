#pragma once

#include <string_view>

namespace speclab {

/// The kind of a verifier.
enum class VerifierKind {
  lossless,  ///< its output follows the target law
  biased,    ///< trades a known bias for speed
  printed,  ///< an algorithm exactly as a paper prints or a program releases it, known to be faulty
  wrong,    ///< a planted fault that implementations have (faults/fault.h)
};

std::string_view kind_name(VerifierKind kind);

/// How a running system drafts for one iteration. Draft steps are sequential; several drafts of one
/// iteration are drafted in parallel, in the steps of one.
enum class Drafting {
  none,    ///< no draft model
  window,  ///< the whole window is drafted before anything is verified
  run,     ///< a low-complexity verifier looks at each token and stops the draft
};

/// The draft steps of one iteration whose window has `drafts` tokens. A run drafts each token it
/// emits, the last one kept or replaced; each step of a run is also one call of the low-complexity
/// verifier.
/// @param emitted  tokens emitted, plus one where the correction was undefined
constexpr int draft_steps(Drafting drafting, int drafts, int emitted) {
  switch (drafting) {
    case Drafting::none:
      return 0;
    case Drafting::run:
      return emitted;
    case Drafting::window:
      break;
  }
  return drafts;
}

/// Properties of lossless verifiers that are usual but not required, and that this one lacks.
struct Lacks {
  bool full_acceptance = false;  ///< equal models do not accept every draft
  bool token_names =
      false;  ///< the law of tau changes when tokens are renumbered: ties depend on the numbers
  bool purposes = false;  ///< with one draft the correction depends on the rejected token
};

/// The description of a verifier, from which help, `list`, the README and the tests are produced.
struct VerifierInfo {
  std::string_view name;
  std::string_view parameters;  ///< as in the spec text: "" or "K=" or "eps=, residual="
  std::string_view prose;       ///< one line
  std::string_view source;      ///< paper and number; "" for a planted fault
  VerifierKind kind;
  std::string_view example;  ///< a spec text that works on every pair
  Drafting drafting = Drafting::window;
  std::string_view drafts = {};    ///< the parameter with the number of drafts: "K", "M", "nodes"
  std::string_view fault_of = {};  ///< for a wrong or printed verifier: the correct one's spec text
  /// Whether rational arithmetic has no rounding. It has some in kseq, whose rho* is irrational:
  /// the rho used is a fraction of denominator 2^40 at or slightly above it, for which the law is
  /// exact. In ascend-block and wrong-coin-product logarithms are rounded to doubles.
  bool exact = true;
  Lacks lacks = {};
  bool small_pairs = false;  ///< whether it is for small pairs only: its work grows as V^gamma
};

/// How a program drafts; a program without a registry row drafts its window.
template <class Program>
constexpr Drafting drafting_of() {
  if constexpr (requires { Program::kInfo; }) return Program::kInfo.drafting;
  return Drafting::window;
}

}  // namespace speclab
