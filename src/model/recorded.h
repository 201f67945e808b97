#pragma once

#include "base/spec.h"
#include "model/pair.h"
#include "model/recording.h"

namespace speclab {

/// recorded(FILE): a pair of real models of which the rows along drafted paths are known and no
/// others. It has a place in a question, and is answered by what speaks of its paths
/// (answer/recorded.h). Everything that asks it for a state or a row is refused.
class RecordedPair final : public Pair {
 public:
  explicit RecordedPair(std::shared_ptr<Recording> recording);

  [[nodiscard]] const Recording& recording() const { return *recording_; }
  /// Before anything is read of it.
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

/// Opens the file that spec text names.
PairPointer make_recorded(SpecReader& spec);

/// The recorded pair under filters, which must be of the target alone: the drafted tokens were
/// drawn from the draft's rows as they stand.
/// @pre recording_of(*pair), and nobody has read of it
/// @throws InputError naming the mend
PairPointer filter_recording(const PairPointer& pair, const PairFilters& filters,
                             const SpecReader& spec);

}  // namespace speclab
