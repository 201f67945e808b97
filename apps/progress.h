#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace speclab {

/// How far a run is.
struct ProgressState {
  double done = 0;
  double total = 0;  ///< 0: nobody knows
  double seconds = 0;
  std::string unit;  ///< what a step is, such as "trials"
  std::string note;  ///< what is being done
};

/// "[#####.....]  50.0%  1.2e+06 trials/s  00:05 left  NOTE" in at most `columns` columns: what
/// does not fit is left out or cut, the share and the time left last. Without a total "00:12 NOTE",
/// the time that has passed.
std::string progress_line(const ProgressState& progress, std::size_t columns);

/// Removes the line of progress from the terminal, where there is one. May be called in a signal
/// handler.
void remove_progress();

/// Whether a command knows beforehand how much there is to do.
enum class Forecast { known, unknown };

/// A line on standard error that says how far a run is, where standard error is a terminal.
/// Elsewhere nothing, but for work without a forecast: a line of what is being done and how far it
/// is after 2 seconds, and whenever twice as much time has passed. On a terminal it leaves the last
/// columns free, so that nothing wraps, keys struck meanwhile neither, and is drawn anew a few
/// times a second, whether or not show() is called. There is one at a time.
class ProgressBar {
 public:
  /// @param total steps of the whole run, 0: nobody knows  @param unit what a step is, e.g.
  /// "trials"
  ProgressBar(double total, std::string unit, Forecast forecast = Forecast::known);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  /// Removes the line.
  ~ProgressBar();

  /// @param note  what is being done; what it was before where it is empty
  void show(double done, const std::string& note = {});
  /// The steps of the whole run, where they are known only now.
  void expect(double total);
  /// Removes the line until show() is called, for other lines to be written.
  void hide();

 private:
  void draw_until_asked();
  void say_until_asked();
  /// What is being done, with the stage of work without a forecast.
  [[nodiscard]] std::string note() const;

  bool terminal_;
  Forecast forecast_;
  std::chrono::steady_clock::time_point began_;
  std::mutex mutex_;  ///< of all that follows
  std::condition_variable changed_;
  ProgressState progress_;
  bool hidden_ = false;
  bool ended_ = false;
  std::thread drawing_;
};

}  // namespace speclab
