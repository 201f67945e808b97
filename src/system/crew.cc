#include "system/crew.h"

#include <omp.h>

#include <utility>

namespace speclab {

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
    tasks_.clear();
  }
  new_task_.notify_all();
}

void Crew::start(std::size_t number, int threads, std::function<std::string()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back({number, threads, std::move(task)});
  }
  if (++busy_ > threads_.size()) threads_.emplace_back([this] { work(); });
  new_task_.notify_one();
}

std::optional<TaskOutcome> Crew::collect() {
  const std::lock_guard lock(mutex_);
  if (outcomes_.empty()) return std::nullopt;
  TaskOutcome outcome = std::move(outcomes_.front());
  outcomes_.pop_front();
  --busy_;
  return outcome;
}

void Crew::wait(std::chrono::microseconds most) {
  std::unique_lock lock(mutex_);
  new_outcome_.wait_for(lock, most, [this] { return !outcomes_.empty(); });
}

void Crew::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    new_task_.wait(lock, [this] { return over_ || !tasks_.empty(); });
    if (over_) return;
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    TaskOutcome outcome{task.number, {}, {}};
    omp_set_num_threads(task.threads);
    try {
      outcome.result = task.work();
    } catch (...) {
      outcome.failure = std::current_exception();
    }
    lock.lock();
    outcomes_.push_back(std::move(outcome));
    new_outcome_.notify_one();
  }
}

}  // namespace speclab
