#pragma once

#include <functional>
#include <span>

#include "model/rows.h"
#include "run/guide.h"
#include "verifiers/iteration.h"
#include "verifiers/registry.h"

namespace speclab {

/// One sequence of decisions of one iteration, valid during the visit.
struct DraftedIteration {
  std::span<const Token> drafted;  ///< every token that was drafted, in order
  std::span<const Token> tokens;   ///< what was emitted
  int accepted;
  Ending ending;
  double weight;                         ///< the sequence's probability
  std::span<const UniformRange> ranges;  ///< the numbers that make each of its decisions, in order
};
using VisitDrafted = std::function<void(const DraftedIteration&)>;

/// Visits every sequence of decisions of one iteration of a prepared verifier from a state with
/// what it drafted; of these drafts alone where some are `given`, each weight then conditional on
/// them.
void each_drafted(const Verifier& verifier, const Rows<double>& rows, State start, Window window,
                  GivenDrafts* given, const VisitDrafted& visit);

}  // namespace speclab
