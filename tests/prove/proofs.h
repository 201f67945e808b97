#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "prove/equalities.h"
#include "prove/iteration.h"
#include "prove/prover.h"
#include "prove/samples.h"

namespace speclab {

/// The theorem that a verifier, named by spec text, has a property.
inline Theorem theorem_of(std::string_view verifier, Contexts contexts, Token vocabulary, int gamma,
                          const std::string& property = "lossless") {
  Theorem theorem{make_verifier(verifier), TheoremProperty::lossless, std::nullopt,
                  AllPairs(contexts, vocabulary, gamma)};
  read_property(property, theorem);
  return theorem;
}

/// What is said of a program of the tests' own.
constexpr VerifierInfo made_info(std::string_view name, VerifierKind kind) {
  return {.name = name, .parameters = "", .prose = "", .source = "", .kind = kind, .example = name};
}

/// The theorem that a program of the tests' own is lossless.
template <class Program>
Theorem theorem_of_program(Contexts contexts, Token vocabulary, int gamma) {
  static const VerifierRow row{Program::kInfo};
  Verifier verifier;
  verifier.name = std::string(Program::kInfo.name);
  verifier.info = &row;
  verifier.program = std::make_shared<const Program>();
  return {std::move(verifier), TheoremProperty::lossless, std::nullopt,
          AllPairs(contexts, vocabulary, gamma), proof_program_of<Program>()};
}

/// Explores all cells.
inline void finish(Prover& prover) {
  while (prover.step()) {
  }
}

/// How many cells have conditions that a point meets: one, where they cover every pair once.
inline int homes(const std::vector<Cell>& cells, const Factors& factors,
                 const std::vector<Rational>& point) {
  return static_cast<int>(std::count_if(cells.begin(), cells.end(), [&](const Cell& cell) {
    return meets(cell.path(), factors, point);
  }));
}

/// Every pair of a grid, zeros and ties included, meets the conditions of exactly one cell.
/// @returns the number of pairs that do not
inline int misplaced(const AllPairs& family, const std::vector<Cell>& cells, const Factors& factors,
                     int denominator) {
  int wrong = 0;
  search_grid(family, denominator, 1e6, [&](const std::vector<Rational>& point) {
    wrong += homes(cells, factors, point) != 1;
    return false;
  });
  return wrong;
}

}  // namespace speclab
