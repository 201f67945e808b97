#pragma once

#include <string>
#include <vector>

namespace speclab {

/// A file that the command will write.
struct OutputFile {
  std::string named_by;  ///< what the user calls it by, for the message: an option
  std::string path;
};

/// Says which files will be written when all is done; none of them may be read before. Called
/// before anything is read, by one thread.
void set_output_files(std::vector<OutputFile> files);

/// Checks that a file about to be read is none that will be written over, whatever names it: a link
/// leads to what it points at.
/// @throws UsageError naming both
void check_no_output(const std::string& path);

}  // namespace speclab
