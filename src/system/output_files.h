#pragma once

#include <string>
#include <vector>

namespace speclab {

/// A file that the command will write.
struct OutputFile {
  std::string named_by;  ///< the option that names it, for messages
  std::string path;
};

/// Registers the files that the command will write at its end; none of them may be read before.
/// Called before anything is read, by one thread.
void set_output_files(std::vector<OutputFile> files);

/// Checks that a file about to be read is not one that will be overwritten, also through a symbolic
/// link.
/// @throws UsageError naming both
void check_no_output(const std::string& path);

}  // namespace speclab
