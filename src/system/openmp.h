#pragma once

namespace speclab {

/// Threads for parallel work: as many as are asked for, of 0 as many as OpenMP gives.
int thread_count(int asked);

/// Removes an empty registration of this process with LLVM's OpenMP library. That library maps a
/// file of shared memory that is named by the process's number; a process that is killed while it
/// makes its own leaves it empty, and a later one of that number would end by SIGBUS. Call before
/// the first parallel work.
void remove_empty_openmp_registration();

}  // namespace speclab
