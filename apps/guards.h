#pragma once

#include <string>

namespace speclab {

/// The exit code of a fault of the program, or of memory that ran out (EX_SOFTWARE of sysexits.h).
inline constexpr int kSoftware = 70;

/// The most threads that can be asked for.
inline constexpr int kMostThreads = 1024;

/// While one lives, nothing that ends the process from within does so without a line on standard
/// error and an exit code of the program's: a library that calls exit() (libgomp, where a thread
/// does not start) gives 4; GMP without memory, an exception that nobody may catch, and a library
/// that calls abort() give 70. A file that grows beyond the limit of the process is an error of the
/// write.
class Guards {
 public:
  Guards();
  Guards(const Guards&) = delete;
  Guards& operator=(const Guards&) = delete;
  ~Guards();
};

/// Names a plugin in what the guards say from now on: its code may end the process too.
void suspect_plugin(const std::string& file);

/// " (plugins: a.so, b.so)", or "" where there are none.
std::string suspected_plugins();

/// Refuses more threads than the system starts, by starting them. @param threads  0: the default,
/// which the variable OMP_NUM_THREADS may set
/// @throws UsageError where the variable asks for more than kMostThreads; LimitError with the
/// number of threads that there are
void check_threads(int threads);

}  // namespace speclab
