#pragma once

#include <string>
#include <string_view>

#include "answer/proofs.h"

namespace speclab {

/// A theorem about all pairs of a size, which the prover shows or refutes.
struct ForAllPairs {
  std::string_view verifier{};             ///< spec text
  std::string_view property = "lossless";  ///< as read_property takes it
  Contexts contexts = Contexts::iid;
  Token vocabulary = 2;
  int gamma = 2;

  /// "all iid pairs of 2 tokens, gamma 2".
  [[nodiscard]] std::string pairs() const;
  /// "block at-least:token for all iid pairs of 2 tokens, gamma 2".
  [[nodiscard]] std::string text() const;
};

}  // namespace speclab
