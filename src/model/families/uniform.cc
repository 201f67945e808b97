#include <algorithm>

#include "model/families/families.h"
#include "model/families/iid.h"

namespace speclab {
namespace {

std::vector<Rational> uniform_law(long long support, long long vocabulary) {
  std::vector<Rational> law(static_cast<std::size_t>(vocabulary), Rational(0));
  std::fill_n(law.begin(), support, Rational(1, support));
  return law;
}

}  // namespace

PairPointer make_uniform(SpecReader& spec) {
  const long long draft = spec.integer("draft", 1, kMaxVocabulary);
  const long long target = spec.integer("target", 1, kMaxVocabulary);
  const long long vocabulary = std::max(draft, target);
  return std::make_shared<IidPair>(uniform_law(draft, vocabulary), uniform_law(target, vocabulary));
}

}  // namespace speclab
