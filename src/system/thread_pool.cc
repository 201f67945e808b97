#include "system/thread_pool.h"

#include <omp.h>

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "system/interrupt.h"
#include "system/openmp.h"

namespace speclab {
namespace {

/// A task's number, and what it threw.
struct Finished {
  std::size_t number;
  std::exception_ptr failure;
};

/// Finished tasks on their way to the caller's thread.
class FinishedQueue {
 public:
  void push(Finished finished) {
    {
      const std::scoped_lock lock(mutex_);
      queue_.push_back(std::move(finished));
    }
    added_.notify_one();
  }
  /// Waits until there is one.
  Finished pop() {
    std::unique_lock lock(mutex_);
    added_.wait(lock, [this] { return !queue_.empty(); });
    Finished finished = std::move(queue_.front());
    queue_.pop_front();
    return finished;
  }

 private:
  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<Finished> queue_;
};

bool is_interruption(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return error.code() == ExitCode::interrupted;
  } catch (...) {
    return false;
  }
}

Finished finished_task(std::size_t number, const PoolTask& task) {
  omp_set_num_threads(1);
  try {
    task.work();
  } catch (...) {
    return {number, std::current_exception()};
  }
  return {number, nullptr};
}

}  // namespace

bool run_tasks(int threads, const std::function<std::optional<PoolTask>()>& next) {
  const auto most = static_cast<std::size_t>(thread_count(threads));
  std::map<std::size_t, PoolTask> running;
  FinishedQueue finished;
  std::size_t begun = 0, failed = 0;
  std::exception_ptr failure;
  bool stopped = false;
  boost::asio::thread_pool pool(most);  // its destructor waits for the tasks that are running
  for (;;) {
    while (running.size() < most && !failure && !stopped && !interrupted()) {
      std::optional<PoolTask> task = next();
      if (!task) break;
      const std::size_t number = begun++;
      const PoolTask& kept = running.emplace(number, std::move(*task)).first->second;
      boost::asio::post(pool,
                        [&finished, &kept, number] { finished.push(finished_task(number, kept)); });
    }
    if (running.empty()) break;
    const auto [number, thrown] = finished.pop();
    const auto task = running.extract(number);
    if (!thrown) {
      task.mapped().done();
    } else if (is_interruption(thrown)) {
      stopped = true;
    } else if (!failure || number < failed) {
      failed = number;
      failure = thrown;
    }
  }
  if (failure) std::rethrow_exception(failure);
  return !stopped && !interrupted();
}

}  // namespace speclab
