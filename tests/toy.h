#pragma once

#include <string_view>
#include <vector>

#include "exact/run.h"
#include "exact_numbers.h"
#include "model/named_pair.h"
#include "model/registry.h"
#include "verifiers/program.h"

namespace speclab {

/// Small pairs on which a check may fail: zeros in either support, equal, disjoint and one-hot
/// laws, nearly equal laws, one token, a context that matters, an end-of-sequence token.
inline const std::vector<std::string_view> kHardPairs{
    kToy,
    "iid(draft=[2/3,1/3],target=[2/3,1/3])",
    "iid(draft=[1,0],target=[0,1])",
    "iid(draft=[1/2,1/2,0,0],target=[0,0,1/4,3/4])",
    "iid(draft=[1,0],target=[1/4,3/4])",
    "iid(draft=[1/2,1/4,1/4],target=[0,1,0])",
    "iid(draft=[0,1/2,1/2],target=[1/2,1/2,0])",
    "iid(draft=[1],target=[1])",
    "iid(draft=[500001/1000000,499999/1000000],target=[1/2,1/2])",
    "uniform(draft=3,target=2)",
    "tree(vocabulary=3,depth=3,seed=5)",
    "bernoulli(draft=2/3,target=1/3,eos=1)",
    "tree(vocabulary=3,depth=2,seed=8,eos=0)",
};

/// The runner of a program that need not be in the registry.
/// @param program  must outlive the runner
template <class View, class Program>
AnyRunner<View> any_runner(const Program& program) {
  using On = RunView<View>;
  return {AnyProgram<On>(&program, &run_erased<Program, On>), traits_of(program)};
}

/// The exact results of such a program.
template <class Program, class Real>
ExactResult<Real> exact_results(const Program& program, const Rows<Real>& rows,
                                const ExactRequest& request) {
  using View = ViewOf<Program, Real>;
  return run_with<View>(any_runner<View>(program), rows, request);
}

/// The same on a pair named by spec text.
template <class Program, class Real = Rational>
ExactNumbers<Real> run_program(const Program& program, std::string_view pair,
                               const ExactRequest& request) {
  return exact_results(program, Rows<Real>(make_pair(pair)), request);
}

/// The exact results of a verifier of the registry, both named by spec text.
template <class Real = Rational>
ExactNumbers<Real> run_named(std::string_view verifier, std::string_view pair,
                             const ExactRequest& request) {
  const Rows<Real> rows(make_pair(pair));
  return ExactNumbers<Real>(run_exact(make_verifier(verifier), rows, request));
}

}  // namespace speclab
