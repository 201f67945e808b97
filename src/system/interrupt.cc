#include "system/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <mutex>

#include "base/error.h"
#include "system/ending.h"
#include "system/interrupt_scope.h"

namespace speclab {

volatile std::sig_atomic_t signals_seen = 0;

namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;  // in a second

std::atomic<void (*)()> g_last_act = nullptr;
static_assert(decltype(g_last_act)::is_always_lock_free);

/// Nanoseconds of the monotonic clock at the first signal; 0 before it.
std::atomic<std::int64_t> g_first_signal = 0;
static_assert(decltype(g_first_signal)::is_always_lock_free);

/// clock_gettime is safe in a signal handler. Never 0.
std::int64_t now_in_handler() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * kNanoseconds + now.tv_nsec + 1;
}

extern "C" void on_signal(int) {
  const std::int64_t now = now_in_handler();
  std::int64_t first = 0;
  signals_seen = 1;
  if (g_first_signal.compare_exchange_strong(first, now)) return;
  if (now - first < kNanoseconds) return;
  if (const auto act = g_last_act.load()) act();
  _exit(static_cast<int>(ExitCode::interrupted));
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
