#pragma once

#include <optional>
#include <string>

namespace speclab {

/// Where results go: a file, replaced as a whole or not at all, or standard output.
class Output {
 public:
  /// Checks that the file can be written, before any work is done for it.
  /// @throws InputError naming the path and the reason
  explicit Output(std::optional<std::string> path);

  /// `text` as it is written: a name from a file must not steer the terminal where the text is
  /// read, now or later.
  static std::string shown(const std::string& text);

  /// Writes shown(text). A file is written beside its place under another name, flushed to disk and
  /// moved into place. A reader of standard output that has gone away is no failure.
  /// @throws InputError when it cannot be written
  void write(const std::string& text) const;

 private:
  std::optional<std::string> path_;
  bool in_place_ = false;  ///< an existing device or pipe, which is written to as it is
};

}  // namespace speclab
