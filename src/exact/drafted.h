#pragma once

#include <functional>
#include <span>

#include "model/carries/carried_view.h"
#include "run/guide.h"
#include "verifiers/iteration.h"
#include "verifiers/registry.h"

namespace speclab {

/// A context of a pair, with what a verifier carries into the next iteration.
template <class Real>
using ReachedContext = typename CarriedView<Real>::Node;

/// One sequence of decisions of one iteration, valid during the visit.
template <class Real>
struct DraftedIteration {
  std::span<const Token> drafted;  ///< every token that was drafted, in order
  std::span<const Token> path;     ///< of a verifier that works along one path: Iteration::path
  std::span<const Token> tokens;   ///< what was emitted
  int accepted;
  Ending ending;
  const ReachedContext<Real>& context;   ///< after the tokens
  Real weight;                           ///< the sequence's probability
  std::span<const UniformRange> ranges;  ///< in doubles: the numbers that make each of its
                                         ///< decisions, in order
};
template <class Real>
using VisitDrafted = std::function<void(const DraftedIteration<Real>&)>;

/// Which sequences of decisions are visited.
struct DraftedRequest {
  Window window{};
  GivenDrafts* given = nullptr;  ///< these drafts alone, each weight then conditional on them
  bool corrections = true;       ///< whether each last draw is a sequence of its own
};

/// Visits every sequence of decisions of one iteration of a prepared verifier from a state with
/// what it drafted.
/// @throws ContractError where it drafts another set than the given one
template <class Real>
void each_drafted(const Verifier& verifier, const Rows<Real>& rows, State start,
                  const DraftedRequest& request, const VisitDrafted<Real>& visit);

}  // namespace speclab
