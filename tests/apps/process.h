#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "catch.h"
#include "sanitizer.h"
#include "scratch.h"
#include "slurp.h"

namespace speclab {

/// Whether the program is built with AddressSanitizer, which maps terabytes of addresses and holds
/// on to what is freed: it can be given no limit of memory.
#if defined(SPECLAB_ADDRESS_SANITIZER)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

using Words = std::vector<std::string>;

/// The words of a command line: a literal is split at its blanks, a list adds its words, and
/// anything else is one word.
Words argv(const auto&... parts) {
  Words words;
  const auto add = [&]<class Part>(const Part& part) {
    if constexpr (std::is_array_v<Part>) {
      std::istringstream text(part);
      words.insert(words.end(), std::istream_iterator<std::string>(text), {});
    } else if constexpr (std::is_same_v<Part, Words>) {
      words.insert(words.end(), part.begin(), part.end());
    } else {
      words.emplace_back(part);
    }
  };
  (add(parts), ...);
  return words;
}

/// In the child, before the program: the system allows it no more.
inline void limit(__rlimit_resource resource, rlim_t most) {
  const rlimit both{most, most};
  if (setrlimit(resource, &both) != 0) _exit(126);
}

/// In the child, before the program: it works in the folder.
inline void enter(const Scratch& folder) {
  if (chdir(folder.file("").c_str()) != 0) _exit(126);
}

/// What a finished program left behind.
struct Finished {
  int code = -1;  ///< exit code, or 1000 + the signal that ended it
  std::string out, err;
  std::uint64_t peak = 0;  ///< bytes of its largest resident set
  [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// The built program with these arguments, its output in files.
class Process {
 public:
  /// @param before  called in the child before the program starts: its limits and its environment
  explicit Process(const std::vector<std::string>& arguments,
                   const std::function<void()>& before = {}) {
    Words words = argv(std::string(SPECLAB_BINARY), arguments);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const std::string out = scratch_.file("out"), err = scratch_.file("err");
    child_ = fork();
    if (child_ < 0) throw std::runtime_error("cannot fork");
    if (child_ == 0) {
      const int flags = O_WRONLY | O_CREAT | O_TRUNC;
      if (dup2(open(out.c_str(), flags, 0600), 1) < 0 ||
          dup2(open(err.c_str(), flags, 0600), 2) < 0) {
        _exit(126);
      }
      // Opened first: the user that `before` changes to may be kept out of the program's folder.
      const int program = open(SPECLAB_BINARY, O_RDONLY | O_CLOEXEC);
      if (before) before();
      fexecve(program, pointers.data(), environ);
      _exit(127);
    }
  }

  void send(int signal) const { kill(child_, signal); }

  /// Waits until the program has been at work for so many seconds of a processor, which shows how
  /// far it is however busy the machine; no longer than a minute, nor when it has ended.
  void let_work(double seconds) const {
    for (int waited = 0; waited < 6000; ++waited) {
      const std::string stat = slurp(proc("stat"));
      std::istringstream fields(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
      std::string state, skipped;
      fields >> state;
      for (int field = 4; field < 14; ++field) fields >> skipped;
      double user = 0, system = 0;
      fields >> user >> system;
      if (!fields || state == "Z") return;
      if (user + system >= seconds * static_cast<double>(sysconf(_SC_CLK_TCK))) return;
      usleep(10'000);
    }
  }

  /// Waits until something holds that the program brings about; a minute at most.
  static void let_reach(const std::function<bool()>& reached) {
    for (int waited = 0; waited < 6000 && !reached(); ++waited) usleep(10'000);
  }

  /// Waits until the program catches signals; a minute at most.
  void let_begin() const {
    let_reach([this] { return catches_signals(); });
  }

  /// Waits until the program catches signals and has slept for a while: it waits for something,
  /// however busy the machine; a minute at most.
  void let_wait() const {
    let_begin();
    int asleep = 0;
    for (int waited = 0; waited < 6000 && asleep < 25; ++waited) {
      const bool sleeps = slurp(proc("status")).find("State:\tS") != std::string::npos;
      asleep = sleeps ? asleep + 1 : 0;
      usleep(10'000);
    }
  }

  Finished wait() {
    int status = 0;
    rusage usage{};
    wait4(child_, &status, 0, &usage);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    return {code, slurp(scratch_.file("out")), slurp(scratch_.file("err")),
            static_cast<std::uint64_t>(usage.ru_maxrss) * 1024};
  }

 private:
  [[nodiscard]] std::string proc(const std::string& file) const {
    return "/proc/" + std::to_string(child_) + "/" + file;
  }

  /// Whether the program, and no longer this one before it, has a handler of SIGINT, as the mask of
  /// /proc/PID/status shows.
  [[nodiscard]] bool catches_signals() const {
    std::error_code none;
    if (std::filesystem::read_symlink(proc("exe"), none) ==
        std::filesystem::read_symlink("/proc/self/exe", none)) {
      return false;
    }
    std::istringstream status(slurp(proc("status")));
    std::uint64_t caught = 0;
    for (std::string word; status >> word;) {
      if (word == "SigCgt:") status >> std::hex >> caught;
    }
    return (caught >> (SIGINT - 1) & 1) != 0;
  }

  Scratch scratch_;
  pid_t child_ = -1;
};

/// Variables of the environment, which a program has besides those of the tests.
using Environment = std::vector<std::pair<const char*, std::string>>;

Finished speclab_run(const Environment& environment, const auto&... parts) {
  const auto set = [&] {
    for (const auto& [name, value] : environment) {
      if (setenv(name, value.c_str(), 1) != 0) _exit(126);
    }
  };
  return Process(argv(parts...), set).wait();
}

Finished speclab_run(const auto&... parts) { return speclab_run(Environment{}, parts...); }

/// The finished program, which must end with exit code 0.
Finished succeeds(const Environment& environment, const auto&... parts) {
  const Words words = argv(parts...);
  Finished done = speclab_run(environment, words);
  CAPTURE(words, done.err);
  REQUIRE(done.code == 0);
  return done;
}

Finished succeeds(const auto&... parts) { return succeeds(Environment{}, parts...); }

/// Whether there is a Python that draws.
inline bool draws_plots() {
  static const bool draws = std::system(
                                "python3 -c 'import matplotlib' 2>/dev/null || "
                                "/usr/bin/python3 -c 'import matplotlib' 2>/dev/null") == 0;
  return draws;
}

inline const std::string kToyPair = "bernoulli(draft=2/3,target=1/3)";

}  // namespace speclab
