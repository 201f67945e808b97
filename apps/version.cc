#include "version.h"

#include "speclab_commit.h"  // written by src/commit.cmake when the commit changes

namespace speclab {

std::string source_commit() { return SPECLAB_COMMIT; }

std::string version_text() {
  return "speclab " SPECLAB_VERSION " (commit " + source_commit() + ")";
}

}  // namespace speclab
