#pragma once

#include "simulate/sampler.h"
#include "system/interrupt.h"
#include "verifiers/contract.h"

namespace speclab {

/// A Sampler that refuses a decision after the correction, which must be an iteration's last; and
/// any once a signal came: one iteration may take longer than a user waits.
class CheckedSampler : public Sampler {
 public:
  using Sampler::Sampler;

  /// Before each iteration.
  void begin() { corrected_ = false; }

  template <class Law>
  [[gnu::always_inline]] Token draft(const Law& law) {
    check();
    return Sampler::draft(law);
  }
  [[gnu::always_inline]] bool accept(double probability) {
    check();
    return Sampler::accept(probability);
  }
  template <class Law>
  [[gnu::always_inline]] Token choose(const Law& law) {
    check();
    return Sampler::choose(law);
  }
  template <class Law>
  [[gnu::always_inline]] Token correct(const Law& law) {
    check();
    corrected_ = true;
    return Sampler::correct(law);
  }

 private:
  void check() const {
    check_interrupted();
    if (corrected_) refuse_late_decision();
  }

  bool corrected_ = false;
};

}  // namespace speclab
