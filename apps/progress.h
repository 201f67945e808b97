#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace speclab {

/// A line on standard error with a bar, the rate and the time left, where standard error is a
/// terminal; nothing otherwise.
class ProgressBar {
 public:
  /// @param total steps of the whole run  @param unit what a step is, e.g. "trials"
  ProgressBar(double total, std::string unit);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  /// Removes the line.
  ~ProgressBar();

  /// @param note  what is being done, shown after the bar; alone where the run has no steps
  void show(double done, const std::string& note = {});

 private:
  double total_;
  std::string unit_;
  bool terminal_;
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point shown_;
};

/// The line without its carriage return: "[#####.....]  50.0%  1.2e+06 trials/s  00:05 left".
std::string progress_line(double done, double total, double seconds, const std::string& unit);

}  // namespace speclab
