#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <limits>
#include <new>

#include "base/error.h"

namespace speclab {

// Limits on the algebra of proofs. Every loop over the terms of polynomials polls them, so that a
// signal, the end of the time and the end of the memory each stop it within a fraction of a second.

/// The time of this thread's TimeLimit is over.
struct OutOfTime : Error {
  OutOfTime() : Error(ExitCode::limit, "the time of the proof is over") {}
};

/// The memory of the proofs of this process is over; the message has the need and the limit.
struct OutOfProofMemory : LimitError {
  using LimitError::LimitError;
};

/// While it lives, what this thread computes in the algebra of proofs ends after so many seconds.
class TimeLimit {
 public:
  using Clock = std::chrono::steady_clock;

  explicit TimeLimit(double seconds);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  Clock::time_point before_;
};

/// While it lives, nothing ends the algebra of this thread but the end of the memory: results that
/// are known are stored after a signal too.
class WithoutPolls {
 public:
  WithoutPolls();
  ~WithoutPolls();
  WithoutPolls(const WithoutPolls&) = delete;
  WithoutPolls& operator=(const WithoutPolls&) = delete;
};

/// Seconds that are left to this thread; infinite without a TimeLimit.
double seconds_left();

/// While it lives, the process may take so many bytes, of which the terms of polynomials are
/// counted as they are allocated, and all the rest as it is resident.
class ProofMemoryLimit {
 public:
  explicit ProofMemoryLimit(double bytes);
  ~ProofMemoryLimit();
  ProofMemoryLimit(const ProofMemoryLimit&) = delete;
  ProofMemoryLimit& operator=(const ProofMemoryLimit&) = delete;
};

/// Whether the process has reached the limit of ProofMemoryLimit.
bool proof_memory_over();

/// @throws Error with ExitCode::interrupted once a signal was received, OutOfTime,
/// OutOfProofMemory
void check_algebra();

/// The same once in kAlgebraStride calls: cheap enough for every step of a loop.
inline void poll_algebra() {
  constexpr unsigned kAlgebraStride = 256;
  static thread_local unsigned calls = 0;
  if (++calls % kAlgebraStride == 0) check_algebra();
}

/// Counts bytes that polynomials take. @throws OutOfProofMemory where they would exceed the limit;
/// nothing is counted then
void take_proof_memory(std::size_t bytes);
void free_proof_memory(std::size_t bytes);
/// @throws OutOfProofMemory for an allocation that failed
[[noreturn]] void refuse_proof_memory(std::size_t bytes);

/// The allocator of polynomials' terms. A term's coefficient counts as one block of GMP.
template <class T>
struct ProofAllocator {
  using value_type = T;
  static constexpr std::size_t kCoefficient = 32;

  ProofAllocator() = default;
  template <class U>
  ProofAllocator(const ProofAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / bytes_of(1)) {
      refuse_proof_memory(std::numeric_limits<std::size_t>::max());
    }
    take_proof_memory(bytes_of(count));
    void* const made = ::operator new(count * sizeof(T), std::nothrow);
    if (made == nullptr) {
      free_proof_memory(bytes_of(count));
      refuse_proof_memory(bytes_of(count));
    }
    return static_cast<T*>(made);
  }
  void deallocate(T* made, std::size_t count) {
    ::operator delete(made);
    free_proof_memory(bytes_of(count));
  }
  friend bool operator==(const ProofAllocator&, const ProofAllocator&) { return true; }

 private:
  static constexpr std::size_t bytes_of(std::size_t count) {
    return count * (sizeof(T) + kCoefficient);
  }
};

}  // namespace speclab
