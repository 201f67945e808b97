#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "recorded/scored/source.h"
#include "system/interrupt.h"
#include "system/read_file.h"

namespace speclab {
namespace {

constexpr std::size_t kFirstBytes = std::size_t{1} << 20;
constexpr std::size_t kLongestLine = std::size_t{1} << 30;

}  // namespace

LineReader::LineReader(std::string path)
    : path_(std::move(path)), file_(open_input(path_)), bytes_(kFirstBytes + kPadding) {}

std::string LineReader::place() const { return fmt::format("{}: line {}", path_, number_); }

/// Reads more behind what is left; false where there is no more.
bool LineReader::fill() {
  if (ended_) return false;
  if (at_ > 0) {
    std::memmove(bytes_.data(), bytes_.data() + at_, end_ - at_);
    end_ -= at_;
    at_ = 0;
  }
  if (end_ + kPadding == bytes_.size()) {
    if (bytes_.size() > kLongestLine) {
      throw InputError(fmt::format("{}: line {} is longer than {} bytes; write one text a line",
                                   path_, number_ + 1, kLongestLine));
    }
    bytes_.resize(2 * (bytes_.size() - kPadding) + kPadding);
  }
  const std::size_t count =
      std::fread(bytes_.data() + end_, 1, bytes_.size() - kPadding - end_, file_.get());
  check_interrupted();
  if (std::ferror(file_.get()) != 0) refuse_reading(path_, errno);
  end_ += count;
  ended_ = count == 0;
  return !ended_;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = at_;
  for (;;) {
    const void* found = std::memchr(bytes_.data() + searched, '\n', end_ - searched);
    if (found == nullptr && !ended_) {
      searched = end_ - at_;  // what is left moves to the front
      fill();
      continue;
    }
    if (found == nullptr && at_ == end_) return false;
    const std::size_t stop =
        found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - bytes_.data())
                         : end_;
    line = std::string_view(bytes_.data() + at_, stop - at_);
    at_ = found != nullptr ? stop + 1 : stop;
    ++number_;
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) return true;
    searched = at_;
  }
}

std::string_view LineReader::peek() {
  std::string_view line;
  if (!next(line)) return "";
  at_ = static_cast<std::size_t>(line.data() - bytes_.data());
  --number_;
  return line;
}

Json read_json_line(std::string_view line, const std::string& place, const char* what) {
  try {
    return read_json(line);
  } catch (const JsonError& error) {
    throw InputError(fmt::format("{}: it is not one JSON object ({}); write one {} a line", place,
                                 error.what(), what));
  }
}

}  // namespace speclab
