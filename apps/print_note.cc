#include "print_note.h"

#include <cstdio>

#include "base/printable.h"

namespace speclab {

void print_note(std::string_view message) {
  std::fprintf(stderr, "speclab: %s\n", printable(message).c_str());
}

}  // namespace speclab
