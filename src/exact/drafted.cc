#include "exact/drafted.h"

#include <vector>

#include "run/enumerator.h"
#include "run/runs.h"

namespace speclab {
namespace {

template <class View>
void visit_drafted(const AnyProgram<View>& program, const View& view, State start, Window window,
                   GivenDrafts* given, const VisitDrafted& visit) {
  const auto root = view.root(start);
  std::vector<Token> drafted;
  std::vector<UniformRange> ranges;
  Enumerator<double> choices;
  choices.follow({.given = given, .recorded = &drafted, .ranges = &ranges});
  Iteration<View> out;
  do {
    choices.restart();
    out.begin(root);
    program(view, root, window, choices, out);
    visit({drafted, out.tokens, out.accepted, out.ending, choices.weight(), ranges});
  } while (choices.advance());
}

}  // namespace

void each_drafted(const Verifier& verifier, const Rows<double>& rows, State start, Window window,
                  GivenDrafts* given, const VisitDrafted& visit) {
  with_runs(*verifier.runs, [&]<template <class> class View>(const RunsOn<View>& runs) {
    const AnyProgram<View<double>> program(verifier.program.get(), runs.doubles);
    visit_drafted(program, View<double>(rows), start, window, given, visit);
  });
}

}  // namespace speclab
