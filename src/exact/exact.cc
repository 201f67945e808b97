#include "exact/exact.h"

#include <memory>
#include <type_traits>

#include "exact/run.h"
#include "run/runs.h"

namespace speclab {

ProgramTraits traits_of(const Verifier& verifier) {
  return {verifier.info->drafting, verifier.runs->merges,
          verifier.drafts == 1 && verifier.drafts_iid};
}

template <class Real>
ExactResult<Real> run_exact(const Verifier& verifier, const Rows<Real>& rows,
                            const ExactRequest& request) {
  const Verifier ready = prepare(verifier, rows.pair_pointer());
  return with_runs(*ready.runs, [&]<template <class> class V>(const RunsOn<V>& runs) {
    using View = V<Real>;
    const void* program = ready.program.get();
    if constexpr (std::is_same_v<Real, double>) {
      if (runs.inlined != nullptr) {
        return run_with<View>(*runs.inlined->runner(program), rows, request);
      }
    }
    const AnyRunner<View> runner({program, runs.template in<Real>()}, traits_of(ready));
    return run_with<View>(runner, rows, request);
  });
}

template ExactResult<double> run_exact(const Verifier&, const Rows<double>&, const ExactRequest&);
template ExactResult<Rational> run_exact(const Verifier&, const Rows<Rational>&,
                                         const ExactRequest&);

}  // namespace speclab
