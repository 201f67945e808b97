#pragma once

#include <functional>

#include "exact/runner.h"
#include "verifiers/registry.h"

namespace speclab {

/// A listed verifier's program with fractions: its runner, and its sequences of decisions one by
/// one without any of the ways in which a runner saves work.
template <class View>
struct PlainProgram {
  using Visit = std::function<void(const Iteration<View>&, const Rational&)>;

  const Runner<View>& runner;
  /// Calls visit(iteration, weight) for every sequence of decisions from `root`, in order.
  std::function<void(const View& view, const typename View::Node& root, Window window,
                     bool corrections, const Visit& visit)>
      enumerate;
};

template <class View>
using PlainVisit = std::function<void(const PlainProgram<View>&)>;

/// Calls the visit of the view that the verifier's program reads. All programs are compiled for it
/// once, in plain.test.cc.
/// @throws std::logic_error for a verifier that is not of the list
void with_plain(const Verifier& verifier, const PlainVisit<PairView<Rational>>& pair,
                const PlainVisit<CarriedView<Rational>>& carried);

/// The same with a visit of either view: visit(view, program), the view made of the rows.
template <class Visit>
void with_plain(const Verifier& verifier, const Rows<Rational>& rows, const Visit& visit) {
  with_plain(
      verifier,
      [&](const PlainProgram<PairView<Rational>>& program) {
        visit(PairView<Rational>(rows), program);
      },
      [&](const PlainProgram<CarriedView<Rational>>& program) {
        visit(CarriedView<Rational>(rows), program);
      });
}

}  // namespace speclab
