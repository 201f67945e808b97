#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "command.h"
#include "system/output_files.h"
#include "system/read_file.h"

namespace speclab {
namespace {

namespace fs = std::filesystem;

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

/// A Python that has matplotlib: the one that SPECLAB_PYTHON names, or else the first of python3 on
/// PATH and the system's own, which need not be the same.
std::string find_python() {
  constexpr const char* kAsk =
      "import importlib.util as u, sys; sys.exit(u.find_spec('matplotlib') is None)";
  const char* named = std::getenv("SPECLAB_PYTHON");
  const std::vector<std::string> candidates =
      named != nullptr ? std::vector<std::string>{named}
                       : std::vector<std::string>{"python3", "/usr/bin/python3"};
  bool starts = false;
  for (const std::string& python : candidates) {
    const int status = silent_status({python, "-c", kAsk});
    if (status == 0) return python;
    starts = starts || status == 1;
  }
  if (named != nullptr && !starts) {
    throw InputError("SPECLAB_PYTHON names " + quoted_path(named) +
                     ", which is no Python that starts; name one that has matplotlib");
  }
  throw InputError(
      starts ? "plot needs matplotlib for Python (apt-get install python3-matplotlib); "
               "SPECLAB_PYTHON names another Python that has it"
             : "plot needs Python 3 with matplotlib (apt-get install python3-matplotlib)");
}

/// What draws: beside the installed program, or in its build folder.
std::string find_drawer() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed).parent_path();
  const fs::path drawer = fs::path("python") / "speclab" / "plot";
  for (const fs::path& place : {program / ".." / "share" / "speclab" / drawer, program / drawer}) {
    if (fs::exists(place / "__main__.py", failed)) return place.string();
  }
  throw InputError("what draws is not installed beside the program, in " +
                   quoted_path((program / ".." / "share" / "speclab" / drawer).string()) +
                   "; install speclab whole (cmake --install)");
}

ExitCode run_plot(const Arguments& arguments) {
  if (!arguments.word()) {
    throw UsageError("name the file to draw, such as results.csv, or - for standard input");
  }
  const std::string table = *arguments.word();
  if (!arguments.has("output")) {
    set_output_files({{"the drawing", fs::path(table).stem().string() + ".svg"}});
  }
  check_no_output(table);
  std::vector<std::string> words{find_python(), "-B", find_drawer()};
  for (const char* name : {"x", "y", "by", "facet", "where", "log", "errors", "output"}) {
    for (const std::string& value : arguments.all(name)) {
      words.push_back("--" + std::string(name) + "=" + value);
    }
  }
  if (arguments.has("paper-style")) words.emplace_back("--paper-style");
  words.insert(words.end(), {"--", *arguments.word()});
  // From here on the process is Python's, its messages and its exit code too.
  execvp(words.front().c_str(), pointers(words).data());
  throw InputError("cannot start " + quoted_path(words.front()) + ": " + std::strerror(errno));
}

}  // namespace

Command plot_command() {
  return {"plot",
          "a picture of the results in a file, or in standard input (-): of a CSV y over x; of an "
          "audit, an advice or a proof's certificate its own",
          "FILE [options]",
          "FILE",
          {{"x", "NAME",
            "what goes across: a column, such as gamma, or a variable of an experiment (default: "
            "the index of a law, or what alone varies)"},
           {"y", "NAME",
            "what goes up: a quantity, its last part where one alone ends so, or a column of "
            "numbers"},
           {"by", "NAME", "what parts series (default: whatever parts lines at one place)", true},
           {"facet", "NAME", "what parts panels"},
           {"where", "NAME=VALUE", "draw these lines alone, such as verifier=block", true},
           {"log", "x|y|xy", "these axes are logarithmic"},
           {"errors", "bars|band|none", "how 95% intervals are drawn (default bars)"},
           {"paper-style", "", "as wide as a column of a paper, serif letters, no title"},
           {"output", "FILE",
            "ends in .svg, .pdf or .png (300 dots an inch); default: FILE's name with .svg, in "
            "this folder",
            /*repeated=*/true, /*written=*/true},
           {"help", "", "this text"}},
          {"speclab exact --pair 'bernoulli(draft=2/3,target=1/3)' --verifier token --verifier "
           "block --gamma 4 --format csv | speclab plot - --y tail --output /tmp/speclab-tail.svg",
           "speclab simulate --pair 'bernoulli(draft=2/3,target=1/3)' --verifier token --verifier "
           "block --gamma 1:6 --horizon 64 --trials 2000 --format csv | speclab plot - --x gamma "
           "--y acceptance_length --by verifier --output /tmp/speclab-lengths.svg"},
          &run_plot};
}

}  // namespace speclab
