#pragma once

#include <cstddef>
#include <vector>

#include "optimum/acceptance_proof.h"
#include "optimum/prefix_tree.h"

namespace speclab {

/// The size of a program when it was solved.
struct ProgramSize {
  std::size_t prefixes = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t blocks = 0;  ///< of antichain cuts
  int rounds = 0;          ///< rounds in which cuts were added
};

/// The largest value of a class from one start, sum_v gain(v) B(v), at gains of 1 E[tau], by the
/// masses B(v) of prefixes.
struct NodeMasses {
  std::vector<Rational> masses;  ///< B by node of the tree; [0] is 1
  Rational worth;                ///< of the masses but the root's
  AcceptanceProof proof;         ///< in fractions only
  ProgramSize size;
};

/// Solves the program of AcceptanceProof's inequalities over a tree. These inequalities suffice: a
/// flow from sets of drafts to prefixes exists for every B that satisfies the antichains' (Hall),
/// and the outputs are laminar.
///
/// Violated cuts are added iteratively. max over antichains R of B(R) - f(D(R)) is exact: f is
/// concave, so that the most violated R is a vertex of the upper hull of the points (D(R), B(R)),
/// and the hull of a prefix is the hull of the origin, its own point and the sum of its children's
/// hulls. A cut at D(R) is a block of price k = f'(D(R)): g(v) >= B(v) - k D(v), g(v) >= sum_x
/// g(vx), g >= 0, sum of g over first tokens <= f(D(R)) - k D(R): it excludes all antichains that
/// its tangent can, including ties.
///
/// One draft needs no program, under a coupling or plug-and-play: see one_draft.h.
///
/// @param exact  in fractions with a proof, or in doubles within about 1e-9
/// @pre problem.verifiers is not conditionally_independent; tree of depth problem.gamma over `rows`
/// @throws LimitError where the cuts do not converge
NodeMasses solve_masses(const PrefixTree& tree, const Rows<Rational>& rows,
                        const AcceptanceProblem& problem, bool exact);

/// The largest excess of an antichain's masses over f(D(R)); at most 0 where there is none.
Rational worst_antichain(const PrefixTree& tree, const std::vector<Rational>& masses, int drafts);

}  // namespace speclab
