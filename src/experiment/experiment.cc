#include "experiment/experiment.h"

#include <algorithm>

namespace speclab {

std::string line_text(const Experiment& experiment, int line) {
  return experiment.path + ":" + std::to_string(line) + ": ";
}

bool left_out(const Experiment& experiment, const std::string& task, bool quick) {
  const auto group = std::ranges::find(experiment.tasks, task, &TaskGroup::name);
  if (group != experiment.tasks.end()) return quick && group->full_only;
  const auto derived = std::ranges::find(experiment.derived, task, &Derived::name);
  return derived != experiment.derived.end() &&
         (left_out(experiment, derived->of.get("task"), quick) ||
          left_out(experiment, derived->over.get("task"), quick));
}

}  // namespace speclab
