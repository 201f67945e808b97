#pragma once

#include <optional>
#include <string>

namespace speclab {

/// This process among those that a launcher started together for one command.
struct Launched {
  int number = 0;        ///< from 0
  int processes = 1;     ///< of the command
  int on_machine = 1;    ///< of these on this machine, where the launcher reports it
  std::string variable;  ///< the environment variable that gives the number
};

/// What the environment of mpirun (Open MPI, MPICH, Intel MPI), of srun, or of an array of Slurm
/// jobs says; nothing where it names one process or none.
/// @throws UsageError where the variables do not fit together, or a launcher and an array each name
/// several processes
std::optional<Launched> launched();

}  // namespace speclab
