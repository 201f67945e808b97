#include "system/openmp.h"

#include <fmt/format.h>
#include <omp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace speclab {

int thread_count(int asked) { return asked > 0 ? asked : omp_get_max_threads(); }

void remove_empty_openmp_registration() {
  const std::string file = fmt::format("/dev/shm/__KMP_REGISTERED_LIB_{}_{}", getpid(), getuid());
  struct stat status {};
  if (stat(file.c_str(), &status) == 0 && status.st_size == 0) unlink(file.c_str());
}

}  // namespace speclab
