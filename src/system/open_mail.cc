#include "system/launched.h"
#include "system/mail.h"

#ifdef SPECLAB_MPI
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/error.h"

namespace speclab {
namespace {

/// What a launcher says: that of Open MPI; MPICH, Intel MPI and Slurm's PMI-2; Slurm with PMIx.
struct Launched {
  const char* rank;
  const char* ranks;
};
constexpr Launched kLaunchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                   {"PMI_RANK", "PMI_SIZE"},
                                   {"PMIX_RANK", "SLURM_NTASKS"}};

/// The whole number of a variable, or nothing.
std::optional<int> number(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::nullopt : std::optional(std::atoi(text));
}

/// The ranks that a launcher says it has started; 1 where nothing says so.
int launched() {
  int most = 1;
  for (const Launched& by : kLaunchers) {
    if (number(by.rank)) most = std::max(most, number(by.ranks).value_or(1));
  }
  return most;
}

/// Beside the program, or where it is installed.
void* load_module() {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
  void* module = nullptr;
  for (const fs::path& place : {folder, folder / SPECLAB_MODULES}) {
    // Global: Open MPI loads parts of its own, which look for it.
    module = dlopen((place / "speclab-mpi.so").c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module != nullptr || fs::exists(place / "speclab-mpi.so", failed)) break;
  }
  return module;
}

}  // namespace

int launched_rank() {
  int rank = 0;
  for (const Launched& by : kLaunchers) {
    if (number(by.ranks).value_or(1) > 1) rank = std::max(rank, number(by.rank).value_or(0));
  }
  return rank;
}

std::unique_ptr<Mail> open_mail() {
  if (launched() <= 1) return nullptr;
  void* const module = load_module();
  void* const symbol = module == nullptr ? nullptr : dlsym(module, "speclab_mail");
  if (symbol == nullptr) {
    const char* reason = dlerror();
    throw LimitError(std::string("started as one of several ranks, and cannot reach the others: ") +
                     (reason != nullptr ? reason : "no module for MPI"));
  }
  std::unique_ptr<Mail> mail(reinterpret_cast<Mail* (*)()>(symbol)());
  if (mail->ranks() != launched()) {
    throw LimitError(
        "started as one of several ranks by the launcher of another MPI than this program is built "
        "with; use the mpirun of that one");
  }
  return mail;
}

}  // namespace speclab
#else
namespace speclab {

std::unique_ptr<Mail> open_mail() { return nullptr; }

int launched_rank() { return 0; }

}  // namespace speclab
#endif
