// Recordings in HDF5, recorded(PATH). Input: whether the file is changed (1 of 16), decisions from
// which the HDF5 library writes it (made_hdf5.h), and the bytes to change: two of place, one of
// what. A changed file is read in a process of its own, since the library itself ends on some.
#include <dlfcn.h>
#include <execinfo.h>
#include <sanitizer/allocator_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sys/wait.h>

#include <csignal>

#include "made_hdf5.h"
#include "recordings.h"

namespace speclab::fuzz {
namespace {

constexpr int kInLibrary = 98;
constexpr unsigned kMostSeconds = 20;

/// Ends the process that reads a changed file: with kInLibrary where the HDF5 library was at work.
void end_reader() {
  std::array<void*, 64> frames{};
  const int depth = backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int i = 0; i < depth; ++i) {
    Dl_info info{};
    if (dladdr(frames[static_cast<std::size_t>(i)], &info) != 0 && info.dli_fname != nullptr &&
        std::string_view(info.dli_fname).find("hdf5") != std::string_view::npos) {
      _exit(kInLibrary);
    }
  }
}

bool g_reader = false;

/// Before libFuzzer's own hook, which ends the process at such a size wherever it is asked for.
void on_allocation(const volatile void*, std::size_t size) {
  constexpr std::size_t kMost = std::size_t{1} << 30;
  if (g_reader && size > kMost) end_reader();
}

const int kHooked = __sanitizer_install_malloc_and_free_hooks(&on_allocation, [](auto) {});

void end_by_signal(int signal) {
  end_reader();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Reads the file in a process of its own, which ends well or within the library.
void read_apart(const std::string& path) {
  const pid_t reader = ::fork();
  demand(reader >= 0, "a process is made");
  if (reader == 0) {
    g_reader = kHooked > 0;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) {
      std::signal(signal, &end_by_signal);
    }
    __sanitizer_set_death_callback(&end_reader);
    ::alarm(kMostSeconds);
    read_recording(path);
    _exit(0);
  }
  int status = 0;
  ::waitpid(reader, &status, 0);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == kInLibrary && std::getenv("SPECLAB_FUZZ_SAY") != nullptr) {
    std::fprintf(stderr, "the HDF5 library ended\n");
  }
  demand(code == 0 || code == kInLibrary, "a changed file is read or refused");
}

}  // namespace
}  // namespace speclab::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace speclab::fuzz;
  Decisions decisions(data, size);
  const bool changed = decisions.below(16) == 1;
  const MadeHdf5 made(decisions);
  std::string bytes = made.bytes();
  while (changed && !decisions.ended() && !bytes.empty()) {
    std::size_t place = decisions.next();
    place = place * 256 + decisions.next();
    bytes[place % bytes.size()] ^= static_cast<char>(decisions.next());
  }
  static const MemoryFolder folder;
  const std::string path = folder.write("made.h5", bytes);
  if (changed) {
    read_apart(path);
  } else if (read_recording(path)) {
    demand(made.fits(), "a recording that is taken has shapes that fit");
  }
  return 0;
}
