#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/rational.h"
#include "model/pair.h"
#include "system/read_file.h"

namespace speclab {

/// A member of yin2024's class of rejection-based algorithms (Algorithm 2) by its tables: the
/// probability b(x | state) with which a drafted token is accepted, and the law P(. | state) of the
/// correction. A state of the pair determines both models' laws.
struct AcceptanceRule {
  InputFile file;  ///< without a path where the tables were made in memory
  std::vector<std::vector<Rational>> accept;   ///< [state][token], in [0, 1]
  std::vector<std::vector<Rational>> correct;  ///< [state][token], summing to 1; all 0: no law
  std::vector<std::vector<double>> near_accept;
  std::vector<std::vector<double>> near_correct;

  template <class Real>
  [[nodiscard]] const std::vector<Real>& accepted(State state) const {
    if constexpr (std::is_same_v<Real, double>) {
      return near_accept[state];
    } else {
      return accept[state];
    }
  }
  template <class Real>
  [[nodiscard]] const std::vector<Real>& corrected(State state) const {
    if constexpr (std::is_same_v<Real, double>) {
      return near_correct[state];
    } else {
      return correct[state];
    }
  }

  /// @throws InputError where the tables do not have the pair's states and tokens
  void check_fits(const Pair& pair) const;
};

/// A rule from tables of one shape. @param file  where they were read
/// @pre chances in [0, 1]; laws that sum to 1, or are all 0
std::shared_ptr<const AcceptanceRule> make_acceptance_rule(
    std::vector<std::vector<Rational>> accept, std::vector<std::vector<Rational>> correct,
    InputFile file = {});

/// Reads {"schema": 2, "kind": "rule", "accept": [states][V], "correct": [states][V]} (see
/// docs/formats.md).
/// @throws InputError naming the file, the place in it and what to write
std::shared_ptr<const AcceptanceRule> read_acceptance_rule(const std::string& path);

}  // namespace speclab
