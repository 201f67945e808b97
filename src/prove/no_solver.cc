// In the place of the solver, where the library it is made of was not there to build with.
#ifndef SPECLAB_Z3
#include "base/error.h"
#include "prove/solver.h"

namespace speclab {

std::unique_ptr<Solver> make_solver(std::size_t) {
  throw LimitError(
      "this program was built without Z3, which finds the pairs that a proof is made of; install "
      "it (Debian: libz3-dev) and build again. Certificates can be checked without it");
}

}  // namespace speclab
#endif
