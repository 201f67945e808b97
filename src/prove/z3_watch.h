#pragma once

#include <z3++.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#include "prove/algebra_limits.h"
#include "system/interrupt.h"

namespace speclab {

/// Cancels the solver's query soon after a signal, or once the memory of the proof is over.
class Z3Watch {
 public:
  explicit Z3Watch(z3::context& context) : context_(context) {
    try {
      thread_ = std::thread([this] { look(); });
    } catch (const std::system_error&) {
      // Without a thread, the query's time limit ends it.
    }
  }
  Z3Watch(const Z3Watch&) = delete;
  Z3Watch& operator=(const Z3Watch&) = delete;
  ~Z3Watch() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  /// Whether a query is running.
  void set_asking(bool asking) {
    const std::lock_guard lock(mutex_);
    asking_ = asking;
  }

 private:
  static constexpr std::chrono::milliseconds kLook{50};

  void look() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, kLook, [this] { return over_; })) {
      if (asking_ && (interrupted() || proof_memory_over())) context_.interrupt();
    }
  }

  z3::context& context_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool asking_ = false;
  bool over_ = false;
  std::thread thread_;  // last member: it uses the others
};

/// While it lives, a query is running.
class Z3Asking {
 public:
  explicit Z3Asking(Z3Watch& watch) : watch_(watch) { watch_.set_asking(true); }
  ~Z3Asking() { watch_.set_asking(false); }
  Z3Asking(const Z3Asking&) = delete;
  Z3Asking& operator=(const Z3Asking&) = delete;

 private:
  Z3Watch& watch_;
};

}  // namespace speclab
