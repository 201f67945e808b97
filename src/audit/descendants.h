#pragma once

#include <sys/types.h>

#include <set>

namespace speclab {

/// While it lives, a process that a descendant of this one leaves behind becomes a child of this
/// one (PR_SET_CHILD_SUBREAPER), whatever session and environment it has. The destructor kills and
/// awaits all descendants that were started since, and restores what was set before. Where several
/// live at once, the first to end kills the descendants of all of them.
class Descendants {
 public:
  Descendants();
  ~Descendants();
  Descendants(const Descendants&) = delete;
  Descendants& operator=(const Descendants&) = delete;

 private:
  int before_ = 0;         ///< whether this process was a subreaper
  std::set<pid_t> older_;  ///< its children when this began
};

}  // namespace speclab
