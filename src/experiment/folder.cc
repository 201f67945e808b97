#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "experiment/experiment.h"
#include "system/read_file.h"

namespace speclab {
namespace {

namespace fs = std::filesystem;

fs::path checked(const fs::path& folder, const std::string& by) {
  std::error_code failed;
  if (fs::is_directory(folder, failed)) return folder;
  throw InputError(by + " names " + quoted_path(folder.string()) +
                   ", which is no folder that can be read; give the folder of experiments");
}

/// Where the experiments are, or would be.
fs::path folder() {
  if (const char* named = std::getenv("SPECLAB_EXPERIMENTS")) {
    return checked(named, "SPECLAB_EXPERIMENTS");
  }
  std::error_code failed;
  const fs::path own = fs::read_symlink("/proc/self/exe", failed).parent_path();
  std::string line;
  if (std::getline(std::ifstream(own / "speclab.experiments"), line)) {
    return checked(line, quoted_path((own / "speclab.experiments").string()));
  }
  return own / SPECLAB_SHARE / "experiments";
}

}  // namespace

std::vector<std::string> experiment_files() {
  std::vector<std::string> files;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder(), failed)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace speclab
