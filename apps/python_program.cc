#include "python_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "system/interrupt.h"
#include "system/read_file.h"

namespace speclab {
namespace {

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

/// The status of a program that runs in silence; -1 where it does not start.
int silent_status(std::vector<std::string> words) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  pid_t child = -1;
  const int failed = posix_spawnp(&child, words.front().c_str(), &actions, nullptr,
                                  pointers(words).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// A program of Python that exits with 1 where a module is not there.
std::string asking(const PythonNeeds& needs) {
  return fmt::format(
      "import sys\nsys.path[:0] = [p for p in sys.argv[1:] if p]\n"
      "import importlib.util as u\n"
      "try:\n  found = all(u.find_spec(name) for name in '{}'.split())\n"
      "except ImportError:\n  found = False\nsys.exit(not found)",
      fmt::join(needs.modules, " "));
}

/// Python with these words: killed where this process ends, deaf to a terminal's Ctrl-C, which this
/// process handles.
pid_t start_python(std::vector<std::string> words) {
  const std::vector<char*> arguments = pointers(words);
  const pid_t parent = getpid();
  // No signal reaches the child while it has this process's handlers.
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t child = fork();
  const int error = errno;
  if (child != 0) sigprocmask(SIG_SETMASK, &before, nullptr);
  if (child < 0) throw InputError(std::string("cannot start Python: ") + std::strerror(error));
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(static_cast<int>(ExitCode::interrupted));
  for (const int signal : {SIGPIPE, SIGXFSZ, SIGABRT, SIGTERM, SIGHUP}) {
    std::signal(signal, SIG_DFL);
  }
  std::signal(SIGINT, SIG_IGN);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  execvp(arguments.front(), arguments.data());
  constexpr int kNotFound = 127;
  _exit(kNotFound);
}

/// Waits for Python, to which a signal is handed on as SIGTERM.
ExitCode ending_of_python(pid_t child) {
  constexpr int kSlice = 10'000;  // microseconds
  constexpr int kPatience = 200;  // slices between SIGTERM and SIGKILL
  int waited = 0;
  int status = 0;
  for (pid_t ended = 0; (ended = waitpid(child, &status, WNOHANG)) != child;) {
    if (ended < 0 && errno != EINTR) throw InputError("Python is lost");
    if (interrupted()) {
      if (waited == 0) kill(child, SIGTERM);
      if (waited++ == kPatience) kill(child, SIGKILL);
    }
    usleep(kSlice);
  }
  if (WIFEXITED(status)) return static_cast<ExitCode>(WEXITSTATUS(status));
  check_interrupted();
  throw InputError(std::string("Python was ended by a signal: ") + strsignal(WTERMSIG(status)));
}

}  // namespace

std::string find_python(const PythonNeeds& needs) {
  const char* named = std::getenv("SPECLAB_PYTHON");
  const std::vector<std::string> candidates =
      named != nullptr ? std::vector<std::string>{named}
                       : std::vector<std::string>{"python3", "/usr/bin/python3"};
  bool starts = false;
  for (const std::string& python : candidates) {
    const int status = silent_status({python, "-c", asking(needs), needs.folder});
    if (status == 0) return python;
    starts = starts || status == 1;
  }
  const std::string what(needs.what), get(needs.get);
  const std::string modules = fmt::format("{}", fmt::join(needs.modules, " and "));
  if (named != nullptr && !starts) {
    throw InputError("SPECLAB_PYTHON names " + quoted_path(named) +
                     ", which is no Python that starts; name one that has " + modules);
  }
  throw InputError(starts ? what + " " + modules + " for Python (" + get +
                                "); SPECLAB_PYTHON names another Python that has it"
                          : what + " Python 3 with " + modules + " (" + get + ")");
}

void become_python(const std::string& python, std::vector<std::string> arguments,
                   const std::string& folder) {
  if (!folder.empty()) {
    const char* others = std::getenv("PYTHONPATH");
    const std::string all = others == nullptr ? folder : folder + ":" + others;
    setenv("PYTHONPATH", all.c_str(), 1);
  }
  arguments.insert(arguments.begin(), python);
  execvp(arguments.front().c_str(), pointers(arguments).data());
  throw InputError("cannot start " + quoted_path(python) + ": " + std::strerror(errno));
}

ExitCode run_python(const std::string& python, std::vector<std::string> arguments) {
  check_interrupted();
  arguments.insert(arguments.begin(), python);
  return ending_of_python(start_python(std::move(arguments)));
}

std::string program_folder() {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed).parent_path().string();
}

}  // namespace speclab
