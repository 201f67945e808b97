// What the environments of launchers say of a process.
#include "system/launched.h"

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "catch.h"

namespace speclab {
namespace {

/// Sets variables while it lives; all others that a launcher sets are unset.
class Environment {
 public:
  explicit Environment(const std::vector<std::pair<const char*, const char*>>& variables) {
    clear();
    for (const auto& [name, value] : variables) setenv(name, value, 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { clear(); }

 private:
  static void clear() {
    for (const char* name :
         {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "PMI_RANK",
          "PMI_SIZE", "MPI_LOCALNRANKS", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_NUM_TASKS",
          "SLURM_STEP_ID", "SLURM_JOB_ID", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN",
          "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_STEP"}) {
      unsetenv(name);
    }
  }
};

using Variables = std::vector<std::pair<const char*, const char*>>;

/// "2 of 5 by VARIABLE, 3 here", or "alone".
std::string found(const Variables& variables) {
  const Environment environment(variables);
  const auto process = launched();
  if (!process) return "alone";
  return std::to_string(process->number) + " of " + std::to_string(process->processes) + " by " +
         process->variable + ", " + std::to_string(process->on_machine) + " here";
}

TEST_CASE("launchers number the processes of a command from 0") {
  CHECK(found({}) == "alone");
  CHECK(found({{"OMPI_COMM_WORLD_RANK", "2"},
               {"OMPI_COMM_WORLD_SIZE", "3"},
               {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}) == "2 of 3 by OMPI_COMM_WORLD_RANK, 2 here");
  CHECK(found({{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}}) == "0 of 4 by PMI_RANK, 1 here");
  CHECK(found({{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "8"}}) == "1 of 8 by SLURM_PROCID, 1 here");
  CHECK(found({{"SLURM_JOB_ID", "9"},
               {"SLURM_STEP_ID", "0"},
               {"SLURM_PROCID", "1"},
               {"SLURM_NTASKS", "8"},
               {"SLURM_STEP_NUM_TASKS", "2"}}) == "1 of 2 by SLURM_PROCID, 1 here");
}

TEST_CASE("a process of its own, and a batch script, are alone") {
  CHECK(found({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}) == "alone");
  CHECK(found({{"PMI_RANK", "3"}}) == "alone");
  CHECK(found({{"SLURM_JOB_ID", "9"}, {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}) == "alone");
  CHECK(found({{"SLURM_ARRAY_TASK_ID", "5"}, {"SLURM_ARRAY_TASK_COUNT", "1"}}) == "alone");
}

TEST_CASE("the tasks of a job array are numbered from its first by its step") {
  const Variables array{{"SLURM_ARRAY_TASK_MIN", "10"}, {"SLURM_ARRAY_TASK_COUNT", "3"},
                        {"SLURM_ARRAY_TASK_STEP", "5"}, {"SLURM_JOB_ID", "9"},
                        {"SLURM_PROCID", "0"},          {"SLURM_NTASKS", "1"}};
  const auto with = [&](const char* id) {
    Variables all = array;
    all.emplace_back("SLURM_ARRAY_TASK_ID", id);
    return all;
  };
  CHECK(found(with("10")) == "0 of 3 by SLURM_ARRAY_TASK_ID, 1 here");
  CHECK(found(with("20")) == "2 of 3 by SLURM_ARRAY_TASK_ID, 1 here");
  for (const char* odd : {"12", "25", "5"}) {
    CHECK_THROWS_WITH(found(with(odd)), Containing("is not one of 3 that follow one another"));
  }
}

TEST_CASE("variables that do not fit together are refused by name") {
  CHECK_THROWS_WITH(found({{"PMI_RANK", "4"}, {"PMI_SIZE", "4"}}),
                    Containing("process 4 (PMI_RANK) of 4 (PMI_SIZE)"));
  CHECK_THROWS_WITH(found({{"PMI_RANK", "x"}, {"PMI_SIZE", "4"}}), Containing("PMI_RANK is 'x'"));
  CHECK_THROWS_AS(found({{"PMI_RANK", "-1"}, {"PMI_SIZE", "4"}}), UsageError);
  CHECK_THROWS_WITH(found({{"OMPI_COMM_WORLD_RANK", "0"},
                           {"OMPI_COMM_WORLD_SIZE", "2"},
                           {"SLURM_ARRAY_TASK_ID", "0"},
                           {"SLURM_ARRAY_TASK_COUNT", "2"}}),
                    Containing("both OMPI_COMM_WORLD_RANK and SLURM_ARRAY_TASK_ID"));
}

}  // namespace
}  // namespace speclab
