#include "system/in_child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <string_view>

#include "system/interrupt.h"

namespace speclab {
namespace {

constexpr int kSliceOfWait = 50;  // milliseconds between polls for signals
constexpr std::chrono::seconds kLongestInChild{30};

/// Never returns: what the parent reads is one byte 'd' where f returned, or 'e' and a text.
[[noreturn]] void be_child(const std::function<void()>& f, int report) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGSEGV, SIGBUS}) {
    std::signal(signal, SIG_DFL);
  }
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
  std::string said = "d";
  try {
    f();
  } catch (const std::exception& error) {
    said = std::string("ethrows an exception: ") + error.what();
  } catch (...) {
    said = "ethrows what is no std::exception";
  }
  [[maybe_unused]] const auto written = ::write(report, said.data(), said.size());
  _exit(0);
}

std::string ending_text(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return "ends the program by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  }
  return "ends the program with status " + std::to_string(WEXITSTATUS(status));
}

/// What the child reports until it has ended.
std::string report_of(pid_t child, int from) {
  std::string said;
  const auto until = std::chrono::steady_clock::now() + kLongestInChild;
  for (char buffer[512];;) {
    if (interrupted() || std::chrono::steady_clock::now() > until) {
      kill(child, SIGKILL);
      break;
    }
    pollfd end{from, POLLIN, 0};
    if (poll(&end, 1, kSliceOfWait) <= 0) continue;
    const ssize_t count = ::read(from, buffer, sizeof buffer);
    if (count > 0) said.append(buffer, static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) break;
  }
  return said;
}

}  // namespace

std::string fault_in_child(const std::function<void()>& f) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  const pid_t child = fork();
  if (child == 0) be_child(f, ends[1]);
  ::close(ends[1]);
  const std::string said = child < 0 ? "d" : report_of(child, ends[0]);
  ::close(ends[0]);
  if (child < 0) return "";
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  check_interrupted();
  if (said == "d") return "";
  return said.starts_with("e") ? said.substr(1) : ending_text(status);
}

}  // namespace speclab
