#include "base/resident.h"

#include <unistd.h>

#include <fstream>

namespace speclab {

double resident_memory() {
  std::ifstream file("/proc/self/statm");
  double whole = 0;
  double resident = 0;
  if (!(file >> whole >> resident)) return 0;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace speclab
