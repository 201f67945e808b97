// diffusion(target=[[..],..], next=[[..],..], start=0, length=L, steps=1): a block diffusion model
// trained to the end.
//
// A block of L tokens is made in `steps` steps of ceil(L / steps) tokens, from left to right (the
// last step may have fewer). The tokens of one step are independent: offset j of a step that begins
// in the target's state s draws from P(X_j | s), the target's own law j tokens ahead. With one step
// all tokens of the block are independent; with L steps the draft is the target.
#include "model/families/families.h"
#include "model/families/resetting.h"

namespace speclab {
namespace {

constexpr int kLongestBlock = 32;

}  // namespace

PairPointer make_diffusion(SpecReader& spec) {
  const TargetAutomaton target = read_target(spec);
  const int length = static_cast<int>(spec.integer("length", 1, kLongestBlock));
  const int steps = static_cast<int>(spec.integer("steps", 1, length, 1));
  const int together = (length + steps - 1) / steps;
  StatesAhead ahead(target);
  // A key is the state in which the step begins, and the offset within the step.
  return make_resetting(spec, target,
                        {.longest = length,
                         .begin = [](State context) -> std::vector<std::pair<DraftKey, Rational>> {
                           return {{{static_cast<int>(context), 0}, Rational(1)}};
                         },
                         .law =
                             [&](const DraftKey& key) {
                               return target.mixed(ahead.of(static_cast<State>(key[0]), key[1]));
                             },
                         .next = [together](const DraftKey& key, Token, State after) -> DraftKey {
                           if (key[1] + 1 == together) return {static_cast<int>(after), 0};
                           return {key[0], key[1] + 1};
                         }});
}

}  // namespace speclab
