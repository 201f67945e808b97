// What a program registers before it reads anything: linked into every fuzz target.
#include "answer/registration.h"

namespace {
const bool registered = [] {
  speclab::register_all();
  return true;
}();
}  // namespace
