#pragma once

#include <boost/version.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include "verifiers/registry.h"

namespace speclab {

/// Identifies the plugins that fit a program: the version, which fixes the layout of the structures
/// that cross the border, and the version of the library whose containers they use.
#define SPECLAB_INTERFACE "speclab " SPECLAB_VERSION ", interface 4, Boost " BOOST_LIB_VERSION

/// What a plugin's one symbol, kPluginSymbol, returns. `interface` remains the first member in
/// every version; the rest is read only where it is SPECLAB_INTERFACE.
struct Plugin {
  const char* interface;
  const VerifierRow* const* rows;
  std::size_t count;
};

/// extern "C" const Plugin* speclab_plugin();
inline constexpr const char* kPluginSymbol = "speclab_plugin";

/// Loads a shared library and adds its verifiers to the registry permanently; a library that is
/// loaded already is not loaded again. Not while other threads use the registry.
/// @throws InputError naming the file and what is wrong with it: missing, not a shared library, not
/// a plugin, of another version, a name that is taken. The registry is then unchanged.
void load_plugin(const std::string& file);

/// 16 hexadecimal digits that change with the file of a plugin's verifier, "" for any other: a key
/// of stored results contains them, as a rebuilt plugin's verifier keeps its name.
std::string plugin_digest(std::string_view verifier);

}  // namespace speclab
