#include "audit/descendants.h"

#include <dirent.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace speclab {
namespace {

/// The parent of each process; empty on systems without /proc.
std::map<pid_t, pid_t> parents() {
  std::map<pid_t, pid_t> found;
  DIR* const folder = opendir("/proc");
  if (folder == nullptr) return found;
  while (const dirent* entry = readdir(folder)) {
    const char* const end = entry->d_name + std::strlen(entry->d_name);
    pid_t process = 0;
    const auto [rest, error] = std::from_chars(entry->d_name, end, process);
    if (error != std::errc() || rest != end) continue;
    std::ifstream file("/proc/" + std::string(entry->d_name) + "/stat");
    std::string line;
    std::getline(file, line, '\0');
    const std::size_t name_end = line.rfind(')');  // the name may hold anything
    if (name_end == std::string::npos || name_end + 4 >= line.size()) continue;
    pid_t parent = 0;
    std::from_chars(line.data() + name_end + 4, line.data() + line.size(), parent);
    found.emplace(process, parent);
  }
  closedir(folder);
  return found;
}

/// The descendants of this process, but for `older` children and what these started.
std::vector<pid_t> descendants(const std::set<pid_t>& older) {
  const std::map<pid_t, pid_t> parent_of = parents();
  std::vector<pid_t> found;
  for (const auto& [process, parent] : parent_of) {
    pid_t at = process;
    for (std::size_t steps = 0; steps < parent_of.size() && older.count(at) == 0; ++steps) {
      const auto next = parent_of.find(at);
      if (next == parent_of.end()) break;
      if (next->second == getpid()) {
        found.push_back(process);
        break;
      }
      at = next->second;
    }
  }
  return found;
}

std::set<pid_t> children() {
  std::set<pid_t> found;
  for (const auto& [process, parent] : parents()) {
    if (parent == getpid()) found.insert(process);
  }
  return found;
}

}  // namespace

Descendants::Descendants() : older_(children()) {
  prctl(PR_GET_CHILD_SUBREAPER, &before_);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Descendants::~Descendants() {
  constexpr int kMostRounds = 1000;  // a process may start others meanwhile
  try {
    for (int round = 0; round < kMostRounds; ++round) {
      const std::vector<pid_t> left = descendants(older_);
      if (left.empty()) break;
      for (const pid_t process : left) kill(process, SIGKILL);
      for (const pid_t process : left) waitpid(process, nullptr, WNOHANG);
      usleep(1000);
    }
  } catch (const std::exception&) {
    // Out of memory: nothing more can be done.
  }
  prctl(PR_SET_CHILD_SUBREAPER, before_);
}

}  // namespace speclab
