#include "system/thread_pool.h"

#include <omp.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cstddef>
#include <exception>
#include <map>
#include <utility>

#include "base/error.h"
#include "system/interrupt.h"
#include "system/openmp.h"

namespace speclab {
namespace {

bool is_interruption(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return error.code() == ExitCode::interrupted;
  } catch (...) {
    return false;
  }
}

/// What the task threw, or null.
std::exception_ptr failure_of(const PoolTask& task) {
  omp_set_num_threads(1);
  try {
    task.work();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

}  // namespace

bool run_tasks(int threads, const std::function<std::optional<PoolTask>()>& next) {
  const auto most = static_cast<std::size_t>(thread_count(threads));
  std::map<std::size_t, PoolTask> running;
  std::size_t begun = 0, failed = 0;
  std::exception_ptr failure;
  bool stopped = false;
  const auto take = [&](std::size_t number, const std::exception_ptr& thrown) {
    const auto task = running.extract(number);
    if (!thrown) {
      task.mapped().done();
    } else if (is_interruption(thrown)) {
      stopped = true;
    } else if (!failure || number < failed) {
      failed = number;
      failure = thrown;
    }
  };
  boost::asio::io_context finished;  // its handlers run on this thread
  const auto open = boost::asio::make_work_guard(finished);
  boost::asio::thread_pool pool(most);  // its destructor waits for the tasks that are running
  for (;;) {
    while (running.size() < most && !failure && !stopped && !interrupted()) {
      std::optional<PoolTask> task = next();
      if (!task) break;
      const std::size_t number = begun++;
      const PoolTask& kept = running.emplace(number, std::move(*task)).first->second;
      boost::asio::post(pool, [&finished, &take, &kept, number] {
        const std::exception_ptr thrown = failure_of(kept);
        boost::asio::post(finished, [&take, number, thrown] { take(number, thrown); });
      });
    }
    if (running.empty()) break;
    finished.run_one();  // waits for one of the tasks
  }
  if (failure) std::rethrow_exception(failure);
  return !stopped && !interrupted();
}

}  // namespace speclab
