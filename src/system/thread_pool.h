#pragma once

#include <functional>
#include <optional>

namespace speclab {

/// One task of run_tasks.
struct PoolTask {
  std::function<void()> work;  ///< called by a thread of the pool
  std::function<void()> done;  ///< called by the caller's thread when work has returned
};

/// Runs tasks on a pool of threads, each of which has one thread for OpenMP, until none is left.
/// The caller's thread calls `next` and every `done`, so that these need no locks; the order of the
/// calls of `done` depends on the threads. Once a task has failed, or a signal was received, no
/// further task is begun.
///
/// @param threads  0: as many as OpenMP has
/// @param next     the next task, or nothing where none is ready; called again after each `done`
/// @returns false where a signal was received before all tasks were done
/// @throws what the lowest-numbered task that failed threw, and what next and done throw, once no
/// task is running
bool run_tasks(int threads, const std::function<std::optional<PoolTask>()>& next);

}  // namespace speclab
