#include "experiment/experiment.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/read_file.h"

namespace speclab {

std::string line_text(const Experiment& experiment, int line) {
  return experiment.path + ":" + std::to_string(line) + ": ";
}

bool left_out(const Experiment& experiment, const std::string& task, bool quick) {
  const auto named = [&](const auto& entry) { return entry.name == task; };
  const auto group = std::find_if(experiment.tasks.begin(), experiment.tasks.end(), named);
  if (group != experiment.tasks.end()) return quick && group->full_only;
  const auto derived = std::find_if(experiment.derived.begin(), experiment.derived.end(), named);
  return derived != experiment.derived.end() &&
         (left_out(experiment, derived->of.get("task"), quick) ||
          left_out(experiment, derived->over.get("task"), quick));
}

std::vector<std::string> experiment_files() {
  namespace fs = std::filesystem;
  std::vector<fs::path> folders;
  std::error_code failed;
  if (const char* named = std::getenv("SPECLAB_EXPERIMENTS")) {
    folders.emplace_back(named);
    if (!fs::is_directory(folders.back(), failed)) {
      throw InputError("SPECLAB_EXPERIMENTS names " + quoted_path(named) +
                       ", which is no folder that can be read; give the folder of experiments");
    }
  } else {
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    folders.push_back(program.parent_path() / ".." / "share" / "speclab" / "experiments");
    folders.emplace_back(SPECLAB_EXPERIMENTS_DIR);
  }
  std::vector<std::string> files;
  for (const fs::path& folder : folders) {
    if (!files.empty()) break;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
      if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace speclab
