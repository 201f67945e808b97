// Plugins that are none. Input: a line, "path" or "file"; then a plugin's path, or the bytes of a
// file that is given as one. Code that a shared library brings is run, so none is tried here.
#include "verifiers/plugin.h"

#include "fuzz.h"

namespace speclab::fuzz {
namespace {

/// Every plugin is refused, and the registry is as it was.
void load(const std::string& path) {
  const auto before = all_verifier_rows().size();
  const auto loaded = accepted([&] { return load_plugin(path), true; });
  demand(!loaded, "what is no plugin is refused");
  demand(all_verifier_rows().size() == before, "a plugin that is refused adds no verifier");
}

bool begins_library(std::string_view bytes) {
  return bytes.starts_with(
      "\x7f"
      "ELF");
}

bool is_library(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(4, '\0');
  return file.read(head.data(), 4) && begins_library(head);
}

}  // namespace
}  // namespace speclab::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace speclab::fuzz;
  const std::string_view input = text_of(data, size);
  if (input.starts_with("path\n")) {
    const std::string path(input.substr(5));
    if (!is_library(path)) load(path);
  } else if (input.starts_with("file\n") && !begins_library(input.substr(5))) {
    const MemoryFile file(input.substr(5));
    load(file.path());
  }
  return 0;
}
