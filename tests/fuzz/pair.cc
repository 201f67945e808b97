// JSON that pairs and verifiers are read from: file(PATH), the tables of a rule, the rates of
// sprinter. Input: the file.
#include "pairs.h"
#include "verifiers/registry.h"

namespace speclab::fuzz {
namespace {

/// A verifier of the file, where it is one, is the same under its name.
void read_verifier(const std::string& text) {
  const auto verifier = accepted([&] { return make_verifier(text); });
  if (!verifier) return;
  demand(make_verifier(verifier->name).name == verifier->name,
         "a canonical form reads back to itself");
  demand(!verifier->inputs.empty(), "a verifier tells of the file that it was read from");
}

}  // namespace
}  // namespace speclab::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace speclab::fuzz;
  const MemoryFile file(text_of(data, size));
  make_checked_pair("file(" + file.path() + ")");
  read_verifier("rule(file=" + file.path() + ")");
  read_verifier("sprinter(rates=" + file.path() + ")");
  return 0;
}
