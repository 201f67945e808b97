#include "overwriting.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/read_file.h"

namespace speclab {
namespace {

/// The pieces of a value that may be paths: of `draft=0.1,target=@a.csv` also "a.csv". Names and
/// numbers have neither a dot nor a slash, or are no files.
std::vector<std::string> pieces(const std::string& value) {
  std::vector<std::string> found{value};
  const std::string signs = "(),=@\"'";
  for (std::size_t from = 0; from < value.size();) {
    const std::size_t to = std::min(value.find_first_of(signs, from), value.size());
    found.push_back(value.substr(from, to - from));
    from = to + 1;
  }
  return found;
}

bool may_be_path(const std::string& piece) {
  return piece.find_first_of("./") != std::string::npos;
}

}  // namespace

void check_overwriting(const Arguments& arguments) {
  std::vector<std::string> read(arguments.words());
  for (const char* option :
       {"pair", "verifier", "latency", "check", "resume", "certificate", "rates", "plugin"}) {
    if (!arguments.has(option)) continue;
    for (const std::string& value : arguments.all(option)) {
      for (std::string& piece : pieces(value)) {
        if (may_be_path(piece)) read.push_back(std::move(piece));
      }
    }
  }
  for (const std::string& output : arguments.all("output")) {
    for (const std::string& path : read) {
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(output, ignored) ||
          !std::filesystem::equivalent(output, path, ignored)) {
        continue;
      }
      throw UsageError("--output would write over " + quoted_path(path) +
                       ", which the command names too; give another file");
    }
  }
}

}  // namespace speclab
