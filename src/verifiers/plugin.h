#pragma once

#include <boost/version.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include "verifiers/registry.h"

namespace speclab {

/// Says which plugins fit a program: the version, the layout that the headers of that version give
/// to what is handed over, and the library whose containers cross the border.
#define SPECLAB_INTERFACE "speclab " SPECLAB_VERSION ", interface 2, Boost " BOOST_LIB_VERSION

/// What a plugin's one symbol, kPluginSymbol, returns. `interface` stays the first member in every
/// version; the rest is read only where it is SPECLAB_INTERFACE.
struct Plugin {
  const char* interface;
  const VerifierRow* const* rows;
  std::size_t count;
};

/// extern "C" const Plugin* speclab_plugin();
inline constexpr const char* kPluginSymbol = "speclab_plugin";

/// Loads a shared library and adds its verifiers to the registry, for good; a library that is
/// loaded already is left alone. Not while other threads use the registry.
/// @throws InputError naming the file and what is wrong with it: missing, no shared library, no
/// plugin, of another version, a name that is taken. The registry is then as it was.
void load_plugin(const std::string& file);

/// Of a plugin's verifier 16 hexadecimal digits that change with its file, "" of any other: a key
/// of stored results holds them, as a rebuilt plugin's verifier keeps its name.
std::string plugin_digest(std::string_view verifier);

}  // namespace speclab
