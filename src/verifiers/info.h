#pragma once

#include <string_view>

namespace speclab {

/// What a verifier is meant to be.
enum class VerifierKind {
  lossless,  ///< its output follows the target law
  biased,    ///< trades a known bias for speed
  printed,   ///< an algorithm exactly as a paper prints it, known to be faulty
  wrong,     ///< wrong on purpose: a fault that implementations have (see wrong.h)
};

std::string_view kind_name(VerifierKind kind);

/// How a running system drafts for one iteration. Draft steps follow one another; several drafts of
/// one iteration are drafted side by side, in the steps of one.
enum class Drafting {
  none,    ///< no draft model
  window,  ///< the whole window is drafted before anything is verified
  run,     ///< a low-complexity verifier looks at each token and stops the draft
};

/// The draft steps of one iteration whose window holds `drafts` tokens. A run drafts each token it
/// emits, the last one kept or replaced; each step of a run is also one call of the low-complexity
/// verifier.
/// @param emitted  tokens emitted, and one more where the correction was undefined
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

/// Of the usual properties of lossless verifiers, those that one need not have and this one has
/// not.
struct Lacks {
  bool full_acceptance = false;  ///< equal models do not accept every draft
  bool token_names = false;  ///< the law of tau changes with the tokens' numbers: ties go by them
  bool purposes = false;     ///< with one draft the correction depends on the rejected token
};

/// Which running systems have a rule, and what their users ask of it (docs/rules.md).
struct InUse {
  std::string_view engines = {};   ///< "SGLang at its default thresholds; SpecInfer"
  std::string_view lossless = {};  ///< when its output follows the target law: "iff single = 1"
  std::string_view instead = {};   ///< what the same drafts allow as well; "": nothing better known
};

/// What is said of a verifier: help, `list`, the README and the tests are produced from it.
struct VerifierInfo {
  std::string_view name;
  std::string_view parameters;  ///< as in the spec text: "" or "K=" or "eps=, residual="
  std::string_view prose;       ///< one line
  std::string_view source;      ///< paper and number; "" of a wrong one
  VerifierKind kind;
  std::string_view example;  ///< a spec text that works on every pair
  Drafting drafting = Drafting::window;
  std::string_view drafts = {};    ///< the parameter that is the number of drafts: "", "K" or "M"
  std::string_view fault_of = {};  ///< of a wrong or printed one: the right one's spec text
  /// Whether rational arithmetic has no rounding. It has some in kseq, whose rho* is irrational:
  /// the rho taken is a fraction of denominator 2^40 at or just above it, for which the law is
  /// exact. In wrong-coin-product logarithms are rounded to doubles.
  bool exact = true;
  Lacks lacks = {};
  bool small_pairs = false;  ///< whether it is for small pairs alone, its work growing with V^gamma
  InUse use = {};            ///< without engines: no system is known to run it
};

/// How a program drafts; a program without a registry row drafts its window.
template <class Program>
constexpr Drafting drafting_of() {
  if constexpr (requires { Program::kInfo; }) return Program::kInfo.drafting;
  return Drafting::window;
}

}  // namespace speclab
