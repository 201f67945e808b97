// A signal while the solver of a training works.
#include "sanitizer.h"
#ifdef SPECLAB_ADDRESS_SANITIZER
#include <sanitizer/lsan_interface.h>
#endif

#include <dlfcn.h>

#include "catch.h"
#include "model/registry.h"
#include "stops.h"
#include "system/interrupt_scope.h"
#include "train/classifier.h"

namespace {

using Print = void (*)(const char*);

Print g_print = nullptr;
bool g_signal = false;  // whether one comes while the solver works
int g_steps = 0;

void step(const char* line) {
  ++g_steps;
  if (g_signal) speclab::raise_interrupt();
  g_print(line);
}

}  // namespace

/// Replaces the function of liblinear's shared library: reports each line that it would print.
extern "C" void set_print_string_function(Print print) {
  g_print = print;
  reinterpret_cast<void (*)(Print)>(dlsym(RTLD_NEXT, "set_print_string_function"))(step);
}

namespace speclab::interrupt_test {
namespace {

TEST_CASE("a signal ends the solver of a training at its next step") {
  const PairPointer pair = make_pair("markov(vocabulary=7,horizon=50,seed=10)");
  Training training;
  training.samples = 2000;
  g_steps = 0;
  train(pair, training);
  REQUIRE(g_steps > 1);

  const InterruptScope scope;  // clears the flag at its end
  g_steps = 0;
  g_signal = true;
#ifdef SPECLAB_ADDRESS_SANITIZER
  const __lsan::ScopedDisabler of_library;  // the solver does not free its memory then
#endif
  CHECK(stops([&] { train(pair, training); }));
  g_signal = false;
  CHECK(g_steps == 1);
}

}  // namespace
}  // namespace speclab::interrupt_test
