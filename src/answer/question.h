#pragma once

#include <string>

#include "model/lengths.h"
#include "model/pair.h"
#include "theory/setting.h"
#include "verifiers/registry.h"

namespace speclab {

/// Everything that can be asked: a pair of models, a verifier, how long, and in which arithmetic.
/// A command, an experiment and a claim all build one of these and give it to a Bench.
struct Question {
  PairPointer pair;
  Verifier verifier;
  Lengths lengths;
  bool law =
      false;  ///< the law of the T tokens and of N(i) as well, where the lengths ask for them
  Arithmetic arithmetic = Arithmetic::rational;  ///< of exact results and closed forms
  bool long_run = false;  ///< the limits as the horizon goes to infinity as well; exact alone
  bool variance = false;  ///< the variance of the accepted tokens as well

  /// The canonical text that names the question, the same wherever it is asked:
  /// "pair=... verifier=... gamma=8 horizon=64 iterations=2 law long-run arithmetic=rational", what
  /// is not asked left out. Two questions with one key have the same answer.
  [[nodiscard]] std::string key() const;
};

/// "8" or "inf".
std::string gamma_text(int gamma);

/// "rational" or "double".
std::string_view arithmetic_name(Arithmetic arithmetic);

/// The question in the form that closed forms take.
Setting setting_of(const Question& question);

}  // namespace speclab
