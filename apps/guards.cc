#include "guards.h"

#include <fmt/format.h>
#include <gmp.h>
#include <omp.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <latch>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/printable.h"
#include "base/text.h"
#include "progress.h"

namespace speclab {
namespace {

bool g_guarded = false;

/// " (plugins: a.so, b.so)", where there are any.
std::array<char, 512> g_plugins{};

/// Calls only what a signal's handler may.
[[noreturn]] void end(int code, std::string_view message) {
  remove_progress();
  for (const std::string_view part : {std::string_view("speclab: "), message,
                                      std::string_view(g_plugins.data()), std::string_view("\n")}) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, part.data(), part.size());
  }
  _exit(code);
}

void on_exit_from_within() {
  if (!g_guarded) return;
  end(static_cast<int>(ExitCode::limit),
      "a library or a plugin ended the program, most often for want of threads or memory; ask for "
      "fewer threads (--threads), or for less");
}

[[noreturn]] void on_terminate() {
  end(kSoftware,
      "a fault of the program, or memory that ran out; ask for less, or for fewer "
      "threads");
}

/// What a library says by abort(): a check of its own that fails, libomp where a thread does not
/// start or where it cannot make its file of shared memory.
void on_abort(int) {
  if (access("/dev/shm", W_OK) != 0) {
    end(static_cast<int>(ExitCode::limit),
        "OpenMP cannot make a file in /dev/shm; mount it so that it can be written to (mode 1777)");
  }
  end(kSoftware,
      "a library or a plugin ended the program by its own check; ask for less, or for fewer "
      "threads");
}

/// GMP can only end the process where there is no memory.
void* block(void* made) {
  if (made == nullptr) {
    end(kSoftware,
        "out of memory for exact fractions; ask for less, or for doubles "
        "(--arithmetic double)");
  }
  return made;
}

void* allocate(std::size_t size) { return block(std::malloc(size)); }

void* resize(void* old, std::size_t, std::size_t size) { return block(std::realloc(old, size)); }

void release(void* old, std::size_t) { std::free(old); }

}  // namespace

Guards::Guards() {
  // A closed pipe and a file that is too long are errors of the write, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGABRT, &on_abort);
  mp_set_memory_functions(allocate, resize, release);
  std::set_terminate(on_terminate);
  static const bool registered = std::atexit(on_exit_from_within) == 0;
  g_guarded = registered;
}

void suspect_plugin(const std::string& file) {
  static std::string all;
  all += (all.empty() ? " (plugins: " : ", ") + printable(file);
  const std::string text = abbreviate(all, g_plugins.size() - 2) + ")";
  text.copy(g_plugins.data(), g_plugins.size() - 1);
}

std::string suspected_plugins() { return g_plugins.data(); }

Guards::~Guards() { g_guarded = false; }

void check_threads(int threads) {
  if (threads == 0) {
    threads = omp_get_max_threads();
    if (threads > kMostThreads) {
      throw UsageError(fmt::format(
          "OMP_NUM_THREADS asks for {} threads, and there may be {}; set it lower, or give "
          "--threads",
          threads, kMostThreads));
    }
  }
  std::latch all_started(1);
  std::vector<std::jthread> started;
  try {
    while (static_cast<int>(started.size()) + 1 < threads) {
      started.emplace_back([&all_started] { all_started.wait(); });
    }
    all_started.count_down();
  } catch (const std::system_error& error) {
    all_started.count_down();
    throw LimitError(
        fmt::format("the system starts {} of {} threads ({}); ask for fewer with "
                    "--threads",
                    started.size() + 1, threads, error.code().message()));
  }
}

}  // namespace speclab
