// One shared library for each of the names that may be defined.
#include <array>
#include <csignal>
#include <cstdlib>

#include "verifiers/plugin.h"

namespace {

speclab::VerifierRow row_named(std::string_view name) {
  speclab::VerifierRow row{};
  row.name = name;
  return row;
}

#if defined(OLDER)
constexpr const char* kBuiltFor = "speclab 0.9.0, interface 0";
#else
constexpr const char* kBuiltFor = SPECLAB_INTERFACE;
#endif
#if defined(TAKEN)
const std::array rows{row_named("fresh"), row_named("token")};
#else
const std::array rows{row_named("twice"), row_named("twice")};
#endif
const std::array<const speclab::VerifierRow*, 2> pointers{&rows[0], &rows[1]};
#if defined(ROWLESS)
const std::array<const speclab::VerifierRow*, 2> missing{&rows[0], nullptr};
const speclab::Plugin plugin{kBuiltFor, missing.data(), missing.size()};
#else
const speclab::Plugin plugin{kBuiltFor, pointers.data(), pointers.size()};
#endif

}  // namespace

#if defined(STRANGER)
extern "C" const void* somebody_elses() { return &plugin; }
#elif defined(LACKING)
namespace speclab {
int of_another_version();
}
extern "C" const speclab::Plugin* speclab_plugin() {
  return speclab::of_another_version() > 0 ? &plugin : nullptr;
}
#elif defined(NOTHING)
extern "C" const speclab::Plugin* speclab_plugin() { return nullptr; }
#elif defined(EXITS)
extern "C" const speclab::Plugin* speclab_plugin() { std::exit(0); }
#elif defined(LEAVES)
extern "C" const speclab::Plugin* speclab_plugin() { std::_Exit(0); }
#elif defined(THROWS)
extern "C" const speclab::Plugin* speclab_plugin() { throw 42; }
#elif defined(CRASHES)
extern "C" const speclab::Plugin* speclab_plugin() {
  std::raise(SIGSEGV);
  return &plugin;
}
#else
extern "C" const speclab::Plugin* speclab_plugin() { return &plugin; }
#endif
