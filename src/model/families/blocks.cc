// blocks(target=[[..],..], next=[[..],..], start=0, draft=[[..],..]): the law of each offset of an
// iteration given the target's state in which it begins, S states of L offsets each, independent
// given that state: what block diffusion and parallel heads draw.
#include "model/families/families.h"
#include "model/families/resetting.h"

namespace speclab {

PairPointer make_blocks(SpecReader& spec) {
  const TargetAutomaton target = read_target(spec);
  auto rows = read_draft_rows(spec, target.states(), "states of the target", target.vocabulary());
  return make_resetting(spec, target, block_draft(std::move(rows), target.states()));
}

}  // namespace speclab
