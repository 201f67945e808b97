#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <system_error>

#include "base/printable.h"
#include "print_note.h"
#include "system/interrupt.h"
#include "system/stage.h"
#include "terminal.h"

namespace speclab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kInterval(200);

/// Columns that stay free: the last one, after which terminals wrap, and what a terminal shows of
/// keys that are struck twice, "^C^C".
constexpr std::size_t kSpare = 5;

std::atomic<bool> g_drawn = false;  ///< whether a line is on the terminal

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

/// "[####......]", or "" where that is wider than `columns`.
std::string bar_text(double share, std::size_t columns) {
  constexpr std::size_t kMost = 24, kLeast = 8, kBrackets = 2;
  if (columns < kLeast + kBrackets) return "";
  const std::size_t cells = std::min(kMost, columns - kBrackets);
  const auto full = static_cast<std::size_t>(share * static_cast<double>(cells));
  return "[" + std::string(full, '#') + std::string(cells - full, '.') + "]";
}

/// The text in at most so many bytes, none of which is a part of a letter.
std::string cut(const std::string& text, std::size_t columns) {
  if (text.size() <= columns) return text;
  constexpr std::size_t kLeast = 8;
  if (columns < kLeast) return "";
  std::size_t end = columns - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

}  // namespace

std::string progress_line(const ProgressState& progress, std::size_t columns) {
  constexpr std::size_t kGap = 2;
  const bool counted = progress.total > 0;
  const double share = counted ? std::clamp(progress.done / progress.total, 0.0, 1.0) : 0;
  std::string known = counted ? fmt::format("{:5.1f}%", 100 * share) : time_text(progress.seconds);
  if (known.size() > columns) return "";
  std::size_t room = columns - known.size();
  // Takes room for a part, the most important first.
  const auto take = [&](const std::string& text) {
    if (text.empty() || text.size() + kGap > room) return std::string();
    room -= text.size() + kGap;
    return std::string(kGap, ' ') + text;
  };
  std::string left, rate, bar;
  if (counted) {
    const bool moving = progress.done > 0 && progress.seconds > 0;
    const double speed = moving ? progress.done / progress.seconds : 0;
    if (moving) left = take(time_text((progress.total - progress.done) / speed) + " left");
    bar = bar_text(share, room > 0 ? room - 1 : 0);
    if (!bar.empty()) room -= bar.size() + 1;
    if (moving) rate = take(fmt::format("{:.3g} {}/s", speed, progress.unit));
  }
  const std::string note = take(cut(printable(progress.note), room > kGap ? room - kGap : 0));
  return (bar.empty() ? "" : bar + " ") + known + rate + left + note;
}

void remove_progress() {
  static constexpr char kClear[] = "\r\x1b[K";
  if (!g_drawn.exchange(false)) return;
  // Whatever becomes of it, the line is only for people to look at.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kClear, sizeof kClear - 1);
}

ProgressBar::ProgressBar(double total, std::string unit, Forecast forecast)
    : terminal_(terminal_columns(STDERR_FILENO).has_value()),
      forecast_(forecast),
      began_(Clock::now()),
      progress_{0, total, 0, std::move(unit), ""} {
  if (!terminal_ && forecast == Forecast::known) return;
  if (terminal_) set_last_act(&remove_progress);
  try {
    drawing_ = std::thread(
        terminal_ ? &ProgressBar::draw_until_asked : &ProgressBar::say_until_asked, this);
  } catch (const std::system_error&) {
    terminal_ = false;  // where there are no threads there is no line
  }
}

ProgressBar::~ProgressBar() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  if (drawing_.joinable()) drawing_.join();
  remove_progress();
  if (terminal_) set_last_act(nullptr);
}

void ProgressBar::draw_until_asked() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kInterval, [this] { return ended_; })) {
    if (hidden_) continue;
    progress_.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    const std::size_t columns = terminal_columns(STDERR_FILENO).value_or(0);
    ProgressState shown = progress_;
    shown.note = note();
    const std::string line =
        "\r" + progress_line(shown, columns - std::min(columns, kSpare)) + "\x1b[K";
    g_drawn = true;
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
  }
}

std::string ProgressBar::note() const {
  const std::string stage = forecast_ == Forecast::unknown ? stage_text() : "";
  return progress_.note + (progress_.note.empty() || stage.empty() ? "" : "; ") + stage;
}

void ProgressBar::say_until_asked() {
  std::unique_lock lock(mutex_);
  for (std::chrono::seconds wait(2);
       !changed_.wait_until(lock, began_ + wait, [this] { return ended_; }); wait *= 2) {
    const std::string now = note();
    print_note(fmt::format("after {} s: {}", wait.count(), now.empty() ? "at work" : now));
  }
}

void ProgressBar::show(double done, const std::string& note) {
  if (!terminal_ && forecast_ == Forecast::known) return;
  const std::lock_guard lock(mutex_);
  progress_.done = done;
  if (!note.empty()) progress_.note = note;
  hidden_ = false;
}

void ProgressBar::expect(double total) {
  const std::lock_guard lock(mutex_);
  progress_.total = total;
}

void ProgressBar::hide() {
  const std::lock_guard lock(mutex_);
  hidden_ = true;
  remove_progress();
}

}  // namespace speclab
