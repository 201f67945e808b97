#include "exact/exact.h"

#include "exact/entry.h"

namespace speclab {

template <>
ExactResult<double> run_exact(const Verifier& verifier, const Rows<double>& rows,
                              const ExactRequest& request) {
  const Verifier ready = prepare(verifier, rows.pair_pointer());
  return ready.info->exact_entry->doubles(ready.program.get(), rows, request);
}

template <>
ExactResult<Rational> run_exact(const Verifier& verifier, const Rows<Rational>& rows,
                                const ExactRequest& request) {
  const Verifier ready = prepare(verifier, rows.pair_pointer());
  return ready.info->exact_entry->rationals(ready.program.get(), rows, request);
}

}  // namespace speclab
