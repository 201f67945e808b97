#pragma once

#include "base/spec.h"
#include "model/pair.h"
#include "model/recording.h"

namespace speclab {

/// recorded(FILE): a pair of real models whose rows are known only along drafted paths. It can be
/// named in a question; the recorded interpreter (answer/recorded.h) answers it. Requests for a
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

/// Opens the file named by spec text.
PairPointer make_recorded(SpecReader& spec);

/// The recorded pair under filters, which must apply to the target alone: the drafted tokens were
/// drawn from the draft's recorded rows.
/// @pre recording_of(*pair), and no row has been read
/// @throws InputError saying what to write
PairPointer filter_recording(const PairPointer& pair, const PairFilters& filters,
                             const SpecReader& spec);

}  // namespace speclab
