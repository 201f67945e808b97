// Replaces the solver in builds without its library.
#ifndef SPECLAB_Z3
#include "base/error.h"
#include "prove/solver.h"

namespace speclab {

std::unique_ptr<Solver> make_solver(std::size_t) {
  throw LimitError(
      "this program was built without Z3, which finds the sample pairs of a proof; install "
      "it (Debian: libz3-dev) and build again. Certificates can be checked without it");
}

}  // namespace speclab
#endif
