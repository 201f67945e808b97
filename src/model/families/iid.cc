#include "model/families/iid.h"

#include <algorithm>

#include "base/error.h"
#include "model/families/families.h"

namespace speclab {

std::vector<Rational> read_law(SpecReader& spec, std::string_view key) {
  std::vector<Rational> law = spec.numbers(key);
  try {
    check_law(law, std::string(key));
  } catch (const InputError& error) {
    spec.refuse(error.what());
  }
  return law;
}

void IidPair::rows(State, std::span<Rational> draft, std::span<Rational> target) const {
  std::copy(draft_.begin(), draft_.end(), draft.begin());
  std::copy(target_.begin(), target_.end(), target.begin());
}

PairPointer make_iid(SpecReader& spec) {
  std::vector<Rational> draft = read_law(spec, "draft");
  std::vector<Rational> target = read_law(spec, "target");
  if (draft.size() != target.size()) {
    spec.refuse("draft has " + std::to_string(draft.size()) + " entries and target " +
                std::to_string(target.size()) + "; give both one entry a token");
  }
  return std::make_shared<IidPair>(std::move(draft), std::move(target));
}

}  // namespace speclab
