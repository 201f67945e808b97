#include "exact/exact.h"

#include <utility>

#include "base/error.h"
#include "exact/dispatch.h"

namespace speclab {
namespace {

struct Tables {
  ExactTable<double> doubles{};
  ExactTable<Rational> rationals{};
};

template <int... Part>
Tables fill(std::integer_sequence<int, Part...>) {
  Tables tables;
  (fill_exact<Part>(tables.doubles, tables.rationals), ...);
  return tables;
}

const Tables& tables() {
  static const Tables all = fill(std::make_integer_sequence<int, SPECLAB_PARTS>{});
  return all;
}

}  // namespace

Window full_window(const Pair& pair, int gamma, std::optional<int> horizon) {
  const auto length = pair.length();
  if (gamma == kUnbounded) {
    if (horizon) return window_within(gamma, *horizon);
    if (length) return window_within(gamma, *length);
    throw UsageError("--gamma inf drafts up to the horizon; add --horizon");
  }
  return length ? window_within(gamma, *length) : Window{.drafts = gamma, .bonus = true};
}

template <>
ExactResult<double> run_exact(const Verifier& verifier, const Rows<double>& rows,
                              const ExactRequest& request) {
  const Verifier ready = prepare(verifier, rows.pair_pointer());
  return tables().doubles[ready.program.index()](ready.program, rows, request);
}

template <>
ExactResult<Rational> run_exact(const Verifier& verifier, const Rows<Rational>& rows,
                                const ExactRequest& request) {
  const Verifier ready = prepare(verifier, rows.pair_pointer());
  return tables().rationals[ready.program.index()](ready.program, rows, request);
}

}  // namespace speclab
