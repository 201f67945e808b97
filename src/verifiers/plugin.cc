#include "verifiers/plugin.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/random.h"
#include "base/text.h"
#include "system/in_child.h"
#include "system/output_files.h"
#include "system/read_file.h"

namespace speclab {
namespace {

[[noreturn]] void refuse(const std::string& file, const std::string& fault) {
  throw InputError("plugin '" + abbreviate(file, 200) + "': " + fault);
}

/// Whether the file ends before its table of sections, which linkers write last: it was cut then,
/// also where all that is loaded is there.
bool is_cut(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  Elf64_Ehdr header{};
  in.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!in || !std::equal(header.e_ident, header.e_ident + SELFMAG, ELFMAG)) return false;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  const std::uint64_t table = std::uint64_t{header.e_shentsize} * header.e_shnum;
  return !error && (header.e_shoff > size || table > size - header.e_shoff);
}

using Entry = const Plugin* (*)();

/// What was found of a library: its entry, or why it has none.
struct Opened {
  void* library = nullptr;
  Entry entry = nullptr;
  std::string fault;
};

Opened opened(const std::string& file) {
  Opened found;
  // A path without a slash would be searched among the system's libraries.
  found.library = dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (found.library == nullptr) {
    const std::string why = dlerror();
    found.fault = why.find("undefined symbol") != std::string::npos
                      ? "it needs what this program lacks; build it against " SPECLAB_INTERFACE
                      : "it cannot be loaded as a shared library (" + abbreviate(why, 300) + ")";
    return found;
  }
  found.entry = reinterpret_cast<Entry>(dlsym(found.library, kPluginSymbol));
  if (found.entry == nullptr) {
    found.fault = "it is not a plugin of speclab; see SPECLAB_PLUGIN in answer/plugin.h";
  }
  return found;
}

/// Why what the entry returned is no plugin of this program; empty where it is one.
std::string fault_of(const Plugin* plugin) {
  if (plugin == nullptr || plugin->interface == nullptr) {
    return "its function speclab_plugin returns nothing; see SPECLAB_PLUGIN in answer/plugin.h";
  }
  if (std::string_view(plugin->interface) != SPECLAB_INTERFACE) {
    return "it was built for '" + abbreviate(plugin->interface, 100) +
           "' and this is '" SPECLAB_INTERFACE "'; build it again";
  }
  if (plugin->count > 0 && plugin->rows == nullptr) return "it has no list of its verifiers";
  for (std::size_t i = 0; i < plugin->count; ++i) {
    if (plugin->rows[i] == nullptr) return "a verifier of its list is missing";
    if (plugin->rows[i]->name.empty()) return "a verifier of its list has no name";
  }
  return "";
}

/// Loads the library's plugin, which is never closed: rows point into it.
const Plugin* open(const std::string& file) {
  const Opened found = opened(file);
  if (found.entry == nullptr) {
    if (found.library != nullptr) dlclose(found.library);
    refuse(file, found.fault);
  }
  const Plugin* plugin = found.entry();
  const std::string fault = fault_of(plugin);
  if (fault.empty()) return plugin;
  dlclose(found.library);
  refuse(file, fault);
}

/// The identity of the file at a path and its last modification.
auto state_of(const std::string& file) {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0) found = {};
  const auto& [changed, changed_ns] = found.st_ctim;
  const auto& [written, written_ns] = found.st_mtim;
  return std::array<std::uint64_t, 7>{std::uint64_t{found.st_dev},
                                      std::uint64_t{found.st_ino},
                                      static_cast<std::uint64_t>(found.st_size),
                                      static_cast<std::uint64_t>(changed),
                                      static_cast<std::uint64_t>(changed_ns),
                                      static_cast<std::uint64_t>(written),
                                      static_cast<std::uint64_t>(written_ns)};
}

/// Digests of plugin files, by the names of their verifiers.
std::map<std::string, std::string, std::less<>>& digests() {
  static std::map<std::string, std::string, std::less<>> all;
  return all;
}

}  // namespace

void load_plugin(const std::string& file) {
  static std::set<const Plugin*> loaded;
  check_no_output(file);
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    refuse(file, "there is no file of that name; give the path of a shared library");
  }
  if (is_cut(file)) refuse(file, "it ends before its table of sections; copy the whole file");
  const auto before = state_of(file);
  const std::string fault = fault_in_child([&file] {
    const Opened found = opened(file);
    if (found.entry != nullptr) fault_of(found.entry());
  });
  if (!fault.empty()) refuse(file, "to load it " + fault + "; is the file whole?");
  const Plugin* plugin = open(file);
  if (!loaded.insert(plugin).second) return;
  const std::span<const VerifierRow* const> rows(plugin->rows, plugin->count);
  std::set<std::string_view> names;
  for (const VerifierRow* row : rows) {
    if (find_verifier(row->name) == nullptr && names.insert(row->name).second) continue;
    loaded.erase(plugin);
    refuse(file, "a verifier '" + std::string(row->name) +
                     "' exists already; give the plugin's verifier another name");
  }
  // The dynamic loader opens the file by its name: the bytes read here are those that it loaded if
  // the name refers to the same unchanged file before and after.
  const std::string digest = fmt::format("{:016x}", task_hash(read_file(file)));
  if (state_of(file) != before) {
    loaded.erase(plugin);
    refuse(file, "it changed while it was loaded; run the command again");
  }
  for (const VerifierRow* row : rows) {
    add_verifier(*row);
    digests().emplace(row->name, digest);
  }
}

std::string plugin_digest(std::string_view verifier) {
  const auto found = digests().find(verifier);
  return found == digests().end() ? "" : found->second;
}

}  // namespace speclab
