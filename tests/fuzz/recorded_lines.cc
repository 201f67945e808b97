// Recordings as JSON lines, recorded(PATH). Input: the file.
#include "recordings.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace speclab::fuzz;
  const MemoryFile file(text_of(data, size));
  read_recording(file.path());
  return 0;
}
