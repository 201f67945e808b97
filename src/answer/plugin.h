#pragma once

#include <array>

#include "answer/instantiate.h"
#include "verifiers/plugin.h"

namespace speclab {

/// The plugin of these verifier types (see verifiers/program.h).
template <class... Programs>
const Plugin* plugin_of() {
  static const std::array<VerifierRow, sizeof...(Programs)> rows{
      verifier_row<Programs, Made::foreign>()...};
  static const auto pointers = [] {
    std::array<const VerifierRow*, sizeof...(Programs)> all{};
    for (std::size_t i = 0; i < rows.size(); ++i) all[i] = &rows[i];
    return all;
  }();
  static const Plugin plugin{SPECLAB_INTERFACE, pointers.data(), pointers.size()};
  return &plugin;
}

}  // namespace speclab

/// Makes a shared library a plugin: SPECLAB_PLUGIN(MyVerifier) or of several types, once in one of
/// its sources, outside of every namespace.
#define SPECLAB_PLUGIN(...)                                                                   \
  extern "C" __attribute__((visibility("default"))) const speclab::Plugin* speclab_plugin() { \
    return speclab::plugin_of<__VA_ARGS__>();                                                 \
  }                                                                                           \
  static_assert(true)
