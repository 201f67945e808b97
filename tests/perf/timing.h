#pragma once

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>

#include "simulate/tally.h"

namespace speclab::perf {

inline std::string zipf(int vocabulary) {
  return "zipf(vocabulary=" + std::to_string(vocabulary) + ",draft=1.0,target=1.1)";
}

/// Seconds of processor time, which other work on the machine disturbs less, or by the clock.
inline double now(bool processor = true) {
  timespec time{};
  clock_gettime(processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Seconds a unit in the fastest of many short runs: what is left of a machine's other work.
class Best {
 public:
  void add(double seconds, WideCount units) {
    if (units > 0) best_ = std::min(best_, seconds / static_cast<double>(units));
  }
  /// @pre at least one run had units; 0 where none had
  [[nodiscard]] double seconds() const { return best_ < HUGE_VAL ? best_ : 0; }

 private:
  double best_ = HUGE_VAL;
};

}  // namespace speclab::perf
