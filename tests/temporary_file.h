#pragma once

#include <string>

#include "scratch.h"

namespace speclab {

/// A file that lives as long as the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes) : path_(scratch_.write("file", bytes)) {}
  [[nodiscard]] std::string path() const { return path_; }

 private:
  Scratch scratch_;
  std::string path_;
};

}  // namespace speclab
