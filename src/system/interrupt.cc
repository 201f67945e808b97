#include "system/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <mutex>

#include "base/error.h"
#include "system/ending.h"
#include "system/interrupt_last.h"
#include "system/interrupt_scope.h"

namespace speclab {

volatile std::sig_atomic_t signals_seen = 0;

namespace {

std::atomic<void (*)()> g_last_act = nullptr;
static_assert(decltype(g_last_act)::is_always_lock_free);

extern "C" void on_signal(int) {
  if (signals_seen != 0) {
    if (const auto act = g_last_act.load()) act();
    _exit(static_cast<int>(ExitCode::interrupted));
  }
  signals_seen = 1;
}

std::mutex g_scopes_mutex;
int g_scopes = 0;
struct sigaction g_before;  // SIGINT's action before the first scope

extern "C" void on_signal_in_scope(int signal) {
  signals_seen = 1;
  const auto before = g_before.sa_handler;
  if (before != SIG_DFL && before != SIG_IGN) before(signal);
}

}  // namespace

InterruptScope::InterruptScope() {
  const std::lock_guard lock(g_scopes_mutex);
  if (g_scopes++ > 0) return;
  signals_seen = 0;
  struct sigaction action {};
  action.sa_handler = on_signal_in_scope;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, nullptr, &g_before);
  sigaction(SIGINT, &action, nullptr);
}

InterruptScope::~InterruptScope() {
  const std::lock_guard lock(g_scopes_mutex);
  if (--g_scopes > 0) return;
  sigaction(SIGINT, &g_before, nullptr);
  signals_seen = 0;
}

void raise_interrupt() { signals_seen = 1; }

void install_interrupt_handler() {
  end_with_signals();
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // SIGHUP of a closed terminal, unless the user asked to ignore it (nohup).
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

void set_last_act(void (*act)()) { g_last_act = act; }

void stop_interrupted() {
  throw Error(ExitCode::interrupted, "interrupted before it was finished");
}

}  // namespace speclab
