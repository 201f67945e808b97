#include "base/interrupt.h"

#include <unistd.h>

#include <csignal>

#include "base/error.h"

namespace speclab {
namespace {

volatile std::sig_atomic_t g_signals = 0;

extern "C" void on_signal(int) {
  if (g_signals != 0) _exit(static_cast<int>(ExitCode::interrupted));
  g_signals = 1;
}

}  // namespace

void install_interrupt_handler() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return g_signals != 0; }

void check_interrupted() {
  if (interrupted()) throw Error(ExitCode::interrupted, "interrupted before it was finished");
}

}  // namespace speclab
