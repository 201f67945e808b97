#include "experiment/experiment.h"

#include <algorithm>

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

}  // namespace speclab
