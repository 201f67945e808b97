#include "exact/exact.h"

#include <memory>

#include "exact/run.h"
#include "run/runs.h"

namespace speclab {

ProgramTraits traits_of(const Verifier& verifier) {
  return {verifier.info->drafting, verifier.runs->merges,
          verifier.drafts == 1 && verifier.drafts_iid};
}

template <>
ExactResult<double> run_exact(const Verifier& verifier, const Rows<double>& rows,
                              const ExactRequest& request) {
  const Verifier ready = prepare(verifier, rows.pair_pointer());
  return with_runs(*ready.runs, [&]<template <class> class View>(const RunsOn<View>& runs) {
    using On = View<double>;
    if (runs.inlined != nullptr) {
      return run_with<On>(*runs.inlined->runner(ready.program.get()), rows, request);
    }
    return run_with<On>(AnyRunner<On>({ready.program.get(), runs.doubles}, traits_of(ready)), rows,
                        request);
  });
}

template <>
ExactResult<Rational> run_exact(const Verifier& verifier, const Rows<Rational>& rows,
                                const ExactRequest& request) {
  const Verifier ready = prepare(verifier, rows.pair_pointer());
  return with_runs(*ready.runs, [&]<template <class> class View>(const RunsOn<View>& runs) {
    using On = View<Rational>;
    return run_with<On>(AnyRunner<On>({ready.program.get(), runs.fractions}, traits_of(ready)),
                        rows, request);
  });
}

}  // namespace speclab
