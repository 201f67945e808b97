// Times of the engine and of the exact laws, in Google Benchmark's formats; see compare.sh.

#include "answer/registration.h"
#include "perf.h"
#include "system/openmp.h"

int main(int argc, char** argv) {
  speclab::remove_empty_openmp_registration();
  speclab::register_all();
  speclab::perf::add_simulations();
  speclab::perf::add_exact();
  speclab::perf::add_vocabularies();
  speclab::perf::add_texts();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
