// What it costs to hand out a task that does nothing and to take its result. To be started by
// mpirun, beside the module for MPI:
//   mpirun -n 4 perf_ranks [TASKS [BYTES]]
// prints the ranks, the seconds a task by the clock, and rank 0's processor time a task.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "system/mail.h"
#include "system/workers.h"

namespace {

std::string give_back(const std::string& task) { return task; }

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr speclab::WorkKind kKinds[] = {{"give back", &give_back}};
  const long tasks = argc > 1 ? std::atol(argv[1]) : 100'000;
  const std::string text(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1000, 'x');
  const auto mail = speclab::open_mail();
  if (mail && mail->rank() > 0) {
    speclab::serve(*mail, kKinds);
    return 0;
  }
  speclab::Workers workers(mail.get());
  long dealt = 0;
  speclab::Workers::Deal deal;
  deal.kind = kKinds[0].name;
  deal.wide = true;
  deal.threads = 1;
  deal.next = [&]() -> std::optional<std::string> {
    if (dealt == tasks) return std::nullopt;
    ++dealt;
    return text;
  };
  deal.here = [](std::size_t, const std::string& task) { return give_back(task); };
  deal.take = [](std::size_t, const std::string&) {};
  const auto began = std::chrono::steady_clock::now();
  const double before = processor_seconds();
  workers.deal(deal);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  std::printf("%d ranks, %ld tasks of %zu bytes: %.3g us a task, %.3g us of rank 0's processor\n",
              workers.ranks(), tasks, text.size(), 1e6 * took.count() / static_cast<double>(tasks),
              1e6 * (processor_seconds() - before) / static_cast<double>(tasks));
  return 0;
}
