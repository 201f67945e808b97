#pragma once

namespace speclab {

/// Which of the processes that a launcher (mpirun, srun) started together this one is, by what the
/// launcher says and without mail (system/mail.h); 0 where it is alone.
int launched_rank();

}  // namespace speclab
