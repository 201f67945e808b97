#include "simulate/output_controls.h"

#include <algorithm>
#include <cstddef>

#include "base/sum.h"
#include "verifiers/choices.h"

namespace speclab {
namespace {

/// The most tokens of which each is looked at for the state after it.
constexpr Token kMostLookedAt = 16;

// Both are kept with the state's tables.

/// sum_z min(d(z), t(z))
double overlap(const Laws<double>& laws) {
  static constexpr char kKey = 0;
  return laws.table()->derived<double>({&kKey}, [&] { return shared_mass(laws); });
}
double overlap(const Rows<double>& rows, State state) { return overlap(laws_at(rows, state)); }

/// sum_z t(z) times the overlap after z
double next_overlap(const Rows<double>& rows, State state, const Laws<double>& laws) {
  static constexpr char kKey = 0;
  return laws.table()->derived<double>({&kKey}, [&] {
    Sum<double> mean;
    for (Token z = 0; z < rows.vocabulary(); ++z) {
      const double weight = laws.target(z);
      if (weight > 0) mean += weight * overlap(rows, rows.next(state, z));
    }
    return mean.value();
  });
}

}  // namespace

void add_output_terms(const Rows<double>& rows, State state, const Laws<double>& laws, Token y,
                      bool last, ControlVariates& controls) {
  control(controls, ControlVariate::output) +=
      std::min(1.0, laws.draft(y) / laws.target(y)) - overlap(laws);
  if (last || rows.vocabulary() > kMostLookedAt) return;
  control(controls, ControlVariate::states) +=
      overlap(rows, rows.next(state, y)) - next_overlap(rows, state, laws);
}

}  // namespace speclab
