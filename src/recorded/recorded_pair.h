#pragma once

#include "base/spec.h"
#include "model/registry.h"
#include "recorded/recording.h"

namespace speclab {

/// recorded(FILE): a pair of real models whose rows are known only along drafted paths. It can be
/// named in a question, which run_recorded() answers. Requests for a
/// state or a row are refused.
class RecordedPair final : public Pair {
 public:
  explicit RecordedPair(std::shared_ptr<Recording> recording);

  [[nodiscard]] const Recording& recording() const { return *recording_; }
  /// Call before any row is read.
  void filter_target(const SamplingFilter& filter) { recording_->filter_target(filter); }

  [[nodiscard]] Token vocabulary() const override { return recording_->shape().vocabulary; }
  [[nodiscard]] State states() const override { return 1; }
  [[nodiscard]] State next(State state, Token token) const override;
  void rows(State state, std::span<double> draft, std::span<double> target) const override;
  void rows(State state, std::span<Rational> draft, std::span<Rational> target) const override;
  [[nodiscard]] std::vector<Start> start() const override;

 private:
  [[noreturn]] void refuse() const;

  std::shared_ptr<Recording> recording_;
};

/// The recording of a recorded pair, or null of any other.
const Recording* recording_of(const Pair& pair);

/// The family recorded(FILE), for add_pair_family(). Its filters must apply to the target alone:
/// the drafted tokens were drawn from the draft's recorded rows.
extern const PairFamily kRecordedFamily;

}  // namespace speclab
