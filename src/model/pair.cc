#include "model/pair.h"

#include "base/error.h"
#include "base/text.h"
#include "model/normalise.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// The stride where fractions are summed. Small laws are not interrupted: results found before the
/// signal are reported with pairs that are made after it.
constexpr std::size_t kRow = 64;

}  // namespace

void RationalPair::rows(State state, std::span<double> draft, std::span<double> target) const {
  std::vector<Rational> exact_draft(draft.size());
  std::vector<Rational> exact_target(target.size());
  rows(state, std::span<Rational>(exact_draft), std::span<Rational>(exact_target));
  for (std::size_t x = 0; x < draft.size(); ++x) {
    if (x % kPollStride == 0) check_interrupted();
    draft[x] = to_double(exact_draft[x]);
    target[x] = to_double(exact_target[x]);
  }
}

void DoublePair::rows(State state, std::span<Rational> draft, std::span<Rational> target) const {
  std::vector<double> near_draft(draft.size());
  std::vector<double> near_target(target.size());
  rows(state, std::span<double>(near_draft), std::span<double>(near_target));
  for (std::size_t x = 0; x < draft.size(); ++x) {
    if (x % kPollStride == 0) check_interrupted();
    draft[x] = exact(near_draft[x]);
    target[x] = exact(near_target[x]);
  }
  normalise(draft);
  normalise(target);
}

void check_law(std::span<const Rational> law, const std::string& where) {
  if (law.empty()) throw InputError(where + " is empty; a law needs at least one token");
  Rational total(0);
  for (std::size_t x = 0; x < law.size(); ++x) {
    if (x % kRow == kRow - 1) check_interrupted();
    if (law[x] < 0 || law[x] > 1) {
      throw InputError(where + ", token " + std::to_string(x) + ": " + abbreviate(to_text(law[x])) +
                       " is not a probability; give a number from 0 to 1");
    }
    total += law[x];
  }
  if (total != 1) {
    throw InputError(where + " sums to " + abbreviate(to_text(total)) +
                     ", not to 1; correct an entry");
  }
}

}  // namespace speclab
