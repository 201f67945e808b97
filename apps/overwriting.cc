#include "overwriting.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "system/output_files.h"

namespace speclab {
namespace {

namespace fs = std::filesystem;

/// Whether two paths lead to one file, or will when it is there. Devices may be written twice.
bool same_file(const std::string& one, const std::string& other) {
  std::error_code none;
  if (fs::exists(one, none) && !fs::is_regular_file(one, none)) return false;
  if (one == other || fs::equivalent(one, other, none)) return true;
  const fs::path place = fs::weakly_canonical(fs::absolute(one, none), none);
  return !place.empty() && place == fs::weakly_canonical(fs::absolute(other, none), none);
}

}  // namespace

void check_overwriting(const Command& command, const Arguments& arguments) {
  std::vector<OutputFile> files;
  for (const Option& option : command.options) {
    if (!option.written) continue;
    const std::string name = "--" + std::string(option.name);
    for (const std::string& path : arguments.all(option.name)) {
      for (const OutputFile& other : files) {
        if (other.named_by == name || !same_file(path, other.path)) continue;
        throw UsageError(
            fmt::format("{} and {} name the same file; give two", other.named_by, name));
      }
      files.push_back({name, path});
    }
  }
  // A proof goes on in the file of what was proved before.
  if (const auto from = arguments.text("resume")) {
    std::erase_if(files, [&](const OutputFile& file) {
      return file.named_by == "--certificate" && same_file(file.path, *from);
    });
  }
  set_output_files(std::move(files));
}

}  // namespace speclab
