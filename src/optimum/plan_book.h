#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "optimum/acceptance_plan.h"

namespace speclab {

/// A plan prepared for execution, in both arithmetics.
class PlayablePlan {
 public:
  PlayablePlan(const AcceptancePlan& plan);

  template <class Real>
  struct Tables {
    /// The prefixes that may be accepted and their weights, by set of drafts.
    std::map<std::vector<Prefix>, std::pair<std::vector<Prefix>, std::vector<Real>>> choices;
    std::map<Prefix, std::vector<Real>> corrections;
  };
  template <class Real>
  [[nodiscard]] const Tables<Real>& tables() const {
    if constexpr (std::is_same_v<Real, double>) {
      return doubles_;
    } else {
      return rationals_;
    }
  }

 private:
  Tables<double> doubles_;
  Tables<Rational> rationals_;
};

/// The certified plans of a pair, each made on first use and cached. Thread-safe.
class PlanBook {
 public:
  PlanBook(PairPointer pair, VerifierClass verifiers, int drafts)
      : rows_(std::move(pair)), verifiers_(verifiers), drafts_(drafts) {}

  /// @throws LimitError where the program is too large; std::logic_error where the certificate does
  /// not prove the plan
  const PlayablePlan& at(State start, int gamma) const;

 private:
  Rows<Rational> rows_;
  VerifierClass verifiers_;
  int drafts_;
  mutable std::mutex making_;
  mutable std::map<std::pair<State, int>, std::unique_ptr<const PlayablePlan>> plans_;
};

}  // namespace speclab
