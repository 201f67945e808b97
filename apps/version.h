#pragma once

#include <string>

namespace speclab {

/// The commit of the sources: its first 12 letters, with "-dirty" after them where files differ
/// from it, or "unknown" where the program was not built in a repository. No result depends on it.
std::string source_commit();

/// "speclab 1.0.0 (commit 458f0631d2ab)": what the program says of itself, without a newline.
std::string version_text();

}  // namespace speclab
