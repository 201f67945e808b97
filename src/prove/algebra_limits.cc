#include "prove/algebra_limits.h"

#include <fmt/format.h>

#include <cmath>

#include "system/interrupt.h"
#include "system/memory.h"

namespace speclab {
namespace {

thread_local TimeLimit::Clock::time_point g_until = TimeLimit::Clock::time_point::max();

thread_local int g_without_polls = 0;

std::atomic<double> g_proof_memory = HUGE_VAL;
std::atomic<std::size_t> g_terms = 0;  ///< bytes of the terms of all polynomials

[[noreturn]] void refuse_bytes(const char* what, double bytes) {
  throw OutOfProofMemory(fmt::format("{} {}, over the limit of {}", what, size_text(bytes),
                                     size_text(g_proof_memory.load())));
}

/// Reading the resident size takes some microseconds: at most once in this time a thread.
constexpr std::chrono::milliseconds kMemoryInterval{20};

}  // namespace

TimeLimit::TimeLimit(double seconds) : before_(g_until) {
  constexpr double kLongest = 1e9;  // seconds; the clock's range is about ten times as long
  g_until = Clock::now() +
            std::chrono::duration_cast<Clock::duration>(
                std::chrono::duration<double>(std::fmax(0.0, std::fmin(seconds, kLongest))));
}

TimeLimit::~TimeLimit() { g_until = before_; }

WithoutPolls::WithoutPolls() { ++g_without_polls; }

WithoutPolls::~WithoutPolls() { --g_without_polls; }

double seconds_left() {
  if (g_until == TimeLimit::Clock::time_point::max()) return HUGE_VAL;
  return std::chrono::duration<double>(g_until - TimeLimit::Clock::now()).count();
}

ProofMemoryLimit::ProofMemoryLimit(double bytes) { g_proof_memory = bytes; }

ProofMemoryLimit::~ProofMemoryLimit() { g_proof_memory = HUGE_VAL; }

bool proof_memory_over() { return resident_memory() > g_proof_memory; }

void check_algebra() {
  if (g_without_polls > 0) return;
  check_interrupted();
  const auto now = TimeLimit::Clock::now();
  if (now >= g_until) throw OutOfTime();
  static thread_local TimeLimit::Clock::time_point looked{};
  if (now - looked < kMemoryInterval) return;
  looked = now;
  const double most = g_proof_memory;
  if (most == HUGE_VAL) return;
  if (const double taken = resident_memory(); taken > most) refuse_bytes("the proof takes", taken);
}

void take_proof_memory(std::size_t bytes) {
  const std::size_t before = g_terms.fetch_add(bytes);
  const auto taken = static_cast<double>(before) + static_cast<double>(bytes);
  if (taken <= g_proof_memory) return;
  g_terms.fetch_sub(bytes);
  refuse_bytes("the polynomials of the proof take", taken);
}

void free_proof_memory(std::size_t bytes) { g_terms.fetch_sub(bytes); }

void refuse_proof_memory(std::size_t bytes) {
  refuse_bytes("the polynomials of the proof need", static_cast<double>(bytes));
}

}  // namespace speclab
