#pragma once

#include <cstdint>
#include <exception>

namespace speclab {

/// Calls f(0), ..., f(count - 1) on `threads` threads, in no particular order; inside,
/// omp_get_thread_num() numbers the threads. Every call is made, whatever another one throws.
/// @param threads  at least 1
/// @throws the exception of the lowest-numbered call that failed, for any number of threads
template <class F>
void parallel_for(std::int64_t count, int threads, const F& f) {
  std::exception_ptr failure;
  std::int64_t failed = count;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (std::int64_t i = 0; i < count; ++i) {
    try {
      f(i);
    } catch (...) {
#pragma omp critical(speclab_parallel_for)
      if (i < failed) {
        failed = i;
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace speclab
