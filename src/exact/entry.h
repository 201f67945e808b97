#pragma once

#include <functional>
#include <span>

#include "exact/exact.h"
#include "exact/runner.h"
#include "verifiers/program.h"

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

/// The exact interpreter of one verifier's programs, each handed over as a pointer to its type.
struct ExactEntry {
  ExactResult<double> (*doubles)(const void* program, const Rows<double>& rows,
                                 const ExactRequest& request);
  ExactResult<Rational> (*rationals)(const void* program, const Rows<Rational>& rows,
                                     const ExactRequest& request);
  /// Visits every sequence of decisions of one iteration from a state with what it drafted; of
  /// these drafts alone where some are `given`, each weight then conditional on them.
  void (*each_drafted)(const void* program, const Rows<double>& rows, State start, Window window,
                       GivenDrafts* given, const VisitDrafted& visit);
};

template <class Program, class Real>
ExactResult<Real> exact_of(const void* program, const Rows<Real>& rows,
                           const ExactRequest& request) {
  using View = ViewOf<Program, Real>;
  return run_with<View>(ProgramRunner<Program, View>(*static_cast<const Program*>(program)), rows,
                        request);
}

template <class Program>
void each_drafted_of(const void* program, const Rows<double>& rows, State start, Window window,
                     GivenDrafts* given, const VisitDrafted& visit) {
  using View = ViewOf<Program, double>;
  const View view(rows);
  const auto root = view.root(start);
  std::vector<Token> drafted;
  std::vector<UniformRange> ranges;
  Enumerator<double> choices;
  choices.follow({.given = given, .recorded = &drafted, .ranges = &ranges});
  Iteration<View> out;
  do {
    choices.restart();
    out.begin(root);
    (*static_cast<const Program*>(program))(view, root, window, choices, out);
    visit({drafted, out.tokens, out.accepted, out.ending, choices.weight(), ranges});
  } while (choices.advance());
}

template <class Program>
inline constexpr ExactEntry kExactEntry{&exact_of<Program, double>, &exact_of<Program, Rational>,
                                        &each_drafted_of<Program>};

}  // namespace speclab
