// Tasks on a pool of threads: each runs once, failures and signals end the run.
#include "system/thread_pool.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "catch.h"
#include "system/interrupt_scope.h"

namespace speclab {
namespace {

/// Runs `count` tasks; task i calls work(i), and then done(i) on the caller's thread.
struct TaskCounts {
  int begun = 0;
  std::vector<int> done;
};

template <class Work, class Done>
bool run_counted(int threads, int count, TaskCounts& counts, const Work& work, const Done& done) {
  return run_tasks(threads, [&]() -> std::optional<PoolTask> {
    if (counts.begun == count) return std::nullopt;
    const int i = counts.begun++;
    return PoolTask{[&work, i] { work(i); },
                    [&counts, &done, i] {
                      counts.done.push_back(i);
                      done(i);
                    }};
  });
}

constexpr auto kNothing = [](int) {};

TEST_CASE("every task runs once on any number of threads") {
  for (const int threads : {0, 1, 2, 7}) {
    for (const int count : {0, 1, 300}) {
      CAPTURE(threads, count);
      TaskCounts counts;
      std::vector<int> runs(static_cast<std::size_t>(count));
      CHECK(run_counted(
          threads, count, counts, [&](int i) { ++runs[static_cast<std::size_t>(i)]; }, kNothing));
      CHECK(std::set<int>(counts.done.begin(), counts.done.end()).size() == runs.size());
      CHECK(counts.done.size() == runs.size());
      for (const int each : runs) CHECK(each == 1);
    }
  }
}

TEST_CASE("at most as many tasks run at a time as there are threads, each with one for OpenMP") {
  TaskCounts counts;
  std::atomic<int> running = 0, most = 0, other = 0;
  const std::thread::id caller = std::this_thread::get_id();
  run_counted(
      3, 100, counts,
      [&](int) {
        const int now = ++running;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        if (omp_get_max_threads() != 1 || std::this_thread::get_id() == caller) ++other;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        --running;
      },
      [&](int) {
        if (std::this_thread::get_id() != caller) ++other;
      });
  CHECK(most <= 3);
  CHECK(most > 1);
  CHECK(other == 0);
}

TEST_CASE("a task may depend on the results of others") {
  int next = 1, waiting = 1, sum = 0;  // each of the first 20 leads to another
  CHECK(run_tasks(4, [&]() -> std::optional<PoolTask> {
    if (waiting == 0) return std::nullopt;
    --waiting;
    return PoolTask{[] {},
                    [&] {
                      sum += next;
                      if (++next <= 20) ++waiting;
                    }};
  }));
  CHECK(sum == 210);
}

TEST_CASE("the first failure is thrown when no task is running") {
  for (const int threads : {1, 4}) {
    TaskCounts counts;
    std::atomic<int> running = 0;
    const auto work = [&](int i) {
      ++running;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      --running;
      if (i >= 40) throw LimitError("task " + std::to_string(i));
    };
    CHECK_THROWS_WITH(run_counted(threads, 1000, counts, work, kNothing), "task 40");
    CHECK(running == 0);
    CHECK(counts.begun < 1000);
    for (int i = 0; i < 40; ++i) {
      CHECK(std::count(counts.done.begin(), counts.done.end(), i) == 1);
    }
  }
}

TEST_CASE("an error of the caller's own ends the run") {
  TaskCounts counts;
  const auto full = [](int) { throw InputError("the disk is full"); };
  CHECK_THROWS_WITH(run_counted(3, 1000, counts, kNothing, full), "the disk is full");
  CHECK(counts.begun < 1000);
  CHECK_THROWS_AS(run_tasks(2, []() -> std::optional<PoolTask> { throw std::bad_alloc(); }),
                  std::bad_alloc);
}

TEST_CASE("a signal ends the run") {
  {
    const InterruptScope scope;  // clears the flag at its end
    TaskCounts counts;
    const auto raise = [](int i) {
      if (i == 10) raise_interrupt();
    };
    CHECK_FALSE(run_counted(2, 1'000'000, counts, kNothing, raise));
    CHECK(counts.begun < 1'000'000);
  }
  TaskCounts counts;
  const auto stop = [](int i) {
    if (i == 10) throw Error(ExitCode::interrupted, "interrupted");
  };
  CHECK_FALSE(run_counted(2, 1'000'000, counts, stop, kNothing));
  CHECK(counts.begun < 1'000'000);
}

}  // namespace
}  // namespace speclab
