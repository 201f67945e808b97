#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "recorded/scored/source.h"
#include "system/interrupt.h"
#include "system/output_files.h"
#include "system/read_file.h"

namespace speclab {
namespace {

constexpr std::size_t kFirstBytes = std::size_t{1} << 20;
constexpr std::size_t kLongestLine = std::size_t{1} << 30;

[[noreturn]] void refuse_file(const std::string& path, const std::string& why) {
  throw InputError("cannot read " + quoted_path(path) + ": " + why + "; check the path");
}

}  // namespace

LineReader::LineReader(std::string path) : path_(std::move(path)) {
  check_no_output(path_);
  std::error_code ignored;
  if (std::filesystem::is_directory(path_, ignored)) {
    throw InputError(quoted_path(path_) + " is a directory; give a file");
  }
  file_ = std::fopen(path_.c_str(), "rb");
  if (file_ == nullptr) {
    check_interrupted();
    refuse_file(path_, std::generic_category().message(errno));
  }
  bytes_.resize(kFirstBytes + kPadding);
}

LineReader::~LineReader() {
  if (file_ != nullptr) std::fclose(file_);
}

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
      std::fread(bytes_.data() + end_, 1, bytes_.size() - kPadding - end_, file_);
  check_interrupted();
  if (std::ferror(file_) != 0) refuse_file(path_, std::generic_category().message(errno));
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

}  // namespace speclab
