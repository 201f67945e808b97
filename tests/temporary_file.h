#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace speclab {

/// A file that lives as long as the object; named by the test's process and a counter.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes) {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("speclab-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace speclab
