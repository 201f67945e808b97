#include "model/lengths.h"

#include <fmt/format.h>

#include "base/error.h"

namespace speclab {

void check_lengths(const Pair& pair, const Lengths& lengths) {
  const auto length = pair.length();
  if (const auto longest = pair.longest_draft(); longest && lengths.gamma > *longest) {
    throw InputError(fmt::format(
        "gamma {} is over the {} tokens that the draft of {} gives in one iteration; lower it",
        lengths.gamma == kUnbounded ? "inf" : std::to_string(lengths.gamma), *longest,
        pair.name()));
  }
  const bool unbounded = lengths.gamma == kUnbounded;
  if (unbounded && !lengths.horizon && !length) {
    throw UsageError("gamma inf drafts up to the horizon; add a horizon");
  }
  if (unbounded && lengths.iterations > 0) {
    throw UsageError("iterations need a finite gamma");
  }
  if (!length) return;
  if (lengths.horizon && *lengths.horizon > *length) {
    throw InputError(fmt::format("a horizon of {} is over the {} positions of {}; lower it",
                                 *lengths.horizon, *length, pair.name()));
  }
  // In doubles, as gamma and the iterations may be the largest integers.
  const double needed = (1.0 + lengths.gamma) * lengths.iterations;
  if (needed > *length) {
    throw InputError(fmt::format(
        "{} iterations of up to {} tokens need {:.0f} positions and {} has {}; lower iterations or "
        "gamma",
        lengths.iterations, lengths.gamma + 1LL, needed, pair.name(), *length));
  }
}

}  // namespace speclab
