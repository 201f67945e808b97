#include "base/mail.h"

#ifdef SPECLAB_MPI
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>

#include "base/error.h"

namespace speclab {
namespace {

/// The ranks that a launcher says it has started: that of Open MPI; MPICH, Intel MPI and Slurm's
/// PMI-2; Slurm with PMIx. 1 where nothing says so.
int launched() {
  const auto number = [](const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? 1 : std::atoi(text);
  };
  const bool pmix = std::getenv("PMIX_RANK") != nullptr;
  return std::max(
      {number("OMPI_COMM_WORLD_SIZE"), number("PMI_SIZE"), pmix ? number("SLURM_NTASKS") : 1});
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

}  // namespace speclab
#endif
