#include "system/ending.h"

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "system/interrupt.h"

namespace speclab {
namespace {

std::atomic<bool> g_program = false;

}  // namespace

bool ending() { return interrupted() && g_program; }

void end_with_signals() { g_program = true; }

void leave(std::shared_ptr<void> object) {
  static std::mutex mutex;
  static auto& left = *new std::vector<std::shared_ptr<void>>;
  const std::lock_guard lock(mutex);
  left.push_back(std::move(object));
}

}  // namespace speclab
