// What a program registers before it reads anything: linked into every fuzz target.
#include "verifiers/registry.h"

namespace {
const bool registered = [] {
  speclab::add_verifiers(speclab::listed_verifiers());
  return true;
}();
}  // namespace
