#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace speclab {

/// What a task came to: its result, or what it threw.
struct TaskOutcome {
  std::size_t number = 0;
  std::string result;
  std::exception_ptr failure;
};

/// Threads that do tasks. As many are started as there are tasks at a time.
class Crew {
 public:
  Crew() = default;
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  /// Waits for the tasks that were begun; drops the others.
  ~Crew();

  /// @param threads  that OpenMP gives the task
  void start(std::size_t number, int threads, std::function<std::string()> task);
  /// An outcome that is there, or nothing.
  std::optional<TaskOutcome> collect();
  /// Waits for an outcome, but no longer than this.
  void wait(std::chrono::microseconds most);
  /// Tasks started and not collected.
  [[nodiscard]] std::size_t busy() const { return busy_; }

 private:
  struct Task {
    std::size_t number;
    int threads;
    std::function<std::string()> work;
  };
  void work();

  std::mutex mutex_;
  std::condition_variable new_task_, new_outcome_;
  std::deque<Task> tasks_;
  std::deque<TaskOutcome> outcomes_;
  bool over_ = false;
  std::size_t busy_ = 0;  // of the owner's thread alone
  std::vector<std::jthread> threads_;
};

}  // namespace speclab
