#include "exact/drafted.h"

#include <vector>

#include "run/enumerator.h"
#include "run/runs.h"
#include "verifiers/contract.h"

namespace speclab {
namespace {

template <class Real>
const ReachedContext<Real>& context_of(const ReachedContext<Real>& node, ReachedContext<Real>&) {
  return node;
}

template <class Real>
const ReachedContext<Real>& context_of(State node, ReachedContext<Real>& place) {
  place.state = node;
  return place;
}

/// @param between  called after each sequence
template <class View, class Between>
void visit_drafted(const AnyProgram<View>& program, const View& view, State start,
                   const DraftedRequest& request, const VisitDrafted<typename View::Real>& visit,
                   const Between& between) {
  using Real = typename View::Real;
  const auto root = view.root(start);
  std::vector<Token> drafted, path;
  std::vector<UniformRange> ranges;
  ReachedContext<Real> context;
  Enumerator<Real> choices(request.corrections);
  choices.follow({.given = request.given, .recorded = &drafted, .ranges = &ranges});
  Iteration<View> out;
  do {
    choices.restart();
    out.begin(root);
    program(view, root, request.window, choices, out);
    check_fits(out, request.window);
    path.clear();
    for (const auto& step : out.path) path.push_back(step.token);
    visit({drafted, path, out.tokens, out.accepted, out.ending, context_of<Real>(out.node, context),
           choices.weight(), ranges});
    between();
  } while (choices.advance());
}

}  // namespace

template <class Real>
void each_drafted(const Verifier& verifier, const Rows<Real>& rows, State start,
                  const DraftedRequest& request, const VisitDrafted<Real>& visit) {
  with_runs(*verifier.runs, [&]<template <class> class V>(const RunsOn<V>& runs) {
    const AnyProgram<RunView<V<Real>>> program(verifier.program.get(), runs.template in<Real>());
    with_run_view(V<Real>(rows), [&](const auto& view, const auto& tidy) {
      visit_drafted(program, view, start, request, visit, tidy);
    });
  });
}

template void each_drafted(const Verifier&, const Rows<double>&, State, const DraftedRequest&,
                           const VisitDrafted<double>&);
template void each_drafted(const Verifier&, const Rows<Rational>&, State, const DraftedRequest&,
                           const VisitDrafted<Rational>&);

}  // namespace speclab
