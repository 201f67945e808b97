#include "system/stage.h"

#include <atomic>

namespace speclab {
namespace {

std::atomic<const char*> g_stage = nullptr;
std::atomic<std::uint64_t> g_count = 0;

}  // namespace

void begin_stage(const char* what) {
  g_count = 0;
  g_stage = what;
}

void count_in_stage(std::uint64_t more) { g_count.fetch_add(more, std::memory_order_relaxed); }

std::string stage_text() {
  const char* const what = g_stage;
  return what == nullptr ? "" : std::to_string(g_count.load()) + " " + what;
}

}  // namespace speclab
