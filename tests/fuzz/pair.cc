// Pairs in JSON, file(PATH). Input: the file.
#include "pairs.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace speclab::fuzz;
  const MemoryFile file(text_of(data, size));
  make_checked_pair("file(" + file.path() + ")");
  return 0;
}
