#pragma once

#include <string_view>

namespace speclab {

/// What a verifier is meant to be.
enum class VerifierKind {
  lossless,  ///< its output follows the target law
  biased,    ///< trades a known bias for speed
  printed,   ///< an algorithm exactly as a paper prints it, known to be faulty
  wrong,     ///< wrong on purpose: a fault of released implementations
};

std::string_view kind_name(VerifierKind kind);

/// The registry row of a verifier: help, `list`, the README and the tests are produced from it.
struct VerifierInfo {
  std::string_view name;
  std::string_view parameters;  ///< as in the spec text: "" or "K=" or "eps=, residual="
  std::string_view prose;       ///< one line
  std::string_view source;      ///< paper and number
  VerifierKind kind;
  std::string_view example;  ///< a spec text that works on every pair
};

}  // namespace speclab
