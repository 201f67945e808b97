#pragma once

#include "simulate/sampler.h"
#include "system/interrupt.h"
#include "verifiers/contract.h"

namespace speclab {

/// A Sampler that refuses a decision after the correction, which must be an iteration's last; and
/// any once a signal came: one iteration may take longer than a user waits.
template <class Source>
class CheckedSampler : public Sampler<Source> {
 public:
  using Sampler<Source>::Sampler;

  /// Before each iteration.
  void begin() { corrected_ = false; }

  template <class Law>
  [[gnu::always_inline]] Token draft(const Law& law) {
    check();
    return Sampler<Source>::draft(law);
  }
  [[gnu::always_inline]] bool accept(double probability) {
    check();
    return Sampler<Source>::accept(probability);
  }
  template <class Law>
  [[gnu::always_inline]] Token choose(const Law& law) {
    check();
    return Sampler<Source>::choose(law);
  }
  template <class Law>
  [[gnu::always_inline]] Token correct(const Law& law) {
    check();
    corrected_ = true;
    return Sampler<Source>::correct(law);
  }

 private:
  void check() const {
    check_interrupted();
    if (corrected_) refuse_late_decision();
  }

  bool corrected_ = false;
};

}  // namespace speclab
