#include "system/output_files.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "system/read_file.h"

namespace speclab {
namespace {

std::vector<OutputFile>& output_files() {
  static std::vector<OutputFile> files;
  return files;
}

}  // namespace

void set_output_files(std::vector<OutputFile> files) { output_files() = std::move(files); }

void check_no_output(const std::string& path) {
  for (const OutputFile& output : output_files()) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(output.path, none) ||
        !std::filesystem::equivalent(output.path, path, none)) {
      continue;
    }
    throw UsageError(output.named_by + " would write over " + quoted_path(path) +
                     ", which the command reads; write to another place");
  }
}

}  // namespace speclab
