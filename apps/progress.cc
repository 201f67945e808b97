#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace speclab {
namespace {

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// "05:07", "3:05:07", "12 days".
std::string time_text(double seconds) {
  constexpr double kDay = 86400;
  if (!(seconds < 100 * kDay)) return "more than 100 days";
  if (seconds >= 2 * kDay) return fmt::format("{:.0f} days", seconds / kDay);
  const int whole = static_cast<int>(std::ceil(seconds));
  if (whole >= 3600) {
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return fmt::format("{:02}:{:02}", whole / 60, whole % 60);
}

}  // namespace

std::string progress_line(double done, double total, double seconds, const std::string& unit) {
  constexpr int kCells = 24;
  const double share = total > 0 ? std::clamp(done / total, 0.0, 1.0) : 1.0;
  const int full = static_cast<int>(share * kCells);
  std::string line =
      fmt::format("[{:#>{}}{:.>{}}] {:5.1f}%", "", full, "", kCells - full, 100 * share);
  if (!(done > 0) || !(seconds > 0)) return line;
  const double rate = done / seconds;
  line += fmt::format("  {:.3g} {}/s  {} left", rate, unit, time_text((total - done) / rate));
  return line;
}

ProgressBar::ProgressBar(double total, std::string unit)
    : total_(total),
      unit_(std::move(unit)),
      terminal_(isatty(STDERR_FILENO) != 0),
      began_(std::chrono::steady_clock::now()),
      shown_(began_) {}

ProgressBar::~ProgressBar() {
  if (terminal_ && shown_ != began_) std::fputs("\r\x1b[K", stderr);
}

void ProgressBar::show(double done, const std::string& note) {
  if (!terminal_) return;
  constexpr double kInterval = 0.1;
  const auto now = std::chrono::steady_clock::now();
  if (seconds_between(shown_, now) < kInterval) return;
  shown_ = now;
  std::string line;
  if (total_ > 0) line = progress_line(done, total_, seconds_between(began_, now), unit_);
  if (!note.empty()) line += (line.empty() ? "" : "  ") + note;
  std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
  std::fflush(stderr);
}

}  // namespace speclab
