#include "recorded/recorded_pair.h"

#include <utility>

#include "base/error.h"
#include "model/filter.h"

namespace speclab {

RecordedPair::RecordedPair(std::shared_ptr<Recording> recording)
    : recording_(std::move(recording)) {
  set_inputs({recording_->file()});
}

void RecordedPair::refuse() const {
  throw InputError(
      recording_->name() +
      " has only the rows along drafted paths, so it answers questions about single iterations "
      "that begin at its starts (`simulate`), and none about later tokens or contexts off "
      "the paths");
}

State RecordedPair::next(State, Token) const { refuse(); }

void RecordedPair::rows(State, std::span<double>, std::span<double>) const { refuse(); }

void RecordedPair::rows(State, std::span<Rational>, std::span<Rational>) const { refuse(); }

std::vector<Start> RecordedPair::start() const { refuse(); }

const Recording* recording_of(const Pair& pair) {
  const auto* recorded = dynamic_cast<const RecordedPair*>(&pair);
  return recorded == nullptr ? nullptr : &recorded->recording();
}

namespace {

PairPointer make_recorded(SpecReader& spec) {
  return std::make_shared<RecordedPair>(open_recording(spec.path("path", /*positional=*/true)));
}

PairPointer filter_recording(const PairPointer& pair, const PairFilters& filters,
                             const SpecReader& spec) {
  if (!filters.draft.idle()) {
    spec.refuse(
        "the drafted tokens were drawn from the draft's recorded rows, so that a filter of the "
        "draft would describe other drafts; filter the target alone (target-top-p= and the like), "
        "or record the rows that were drawn from");
  }
  const auto recorded = std::dynamic_pointer_cast<const RecordedPair>(pair);
  std::const_pointer_cast<RecordedPair>(recorded)->filter_target(filters.target);
  return pair;
}

}  // namespace

constinit const PairFamily kRecordedFamily{
    .name = "recorded",
    .parameters = "PATH",
    .prose =
        "probabilities or logits of real models, recorded along drafted paths (HDF5 or JSON "
        "lines); filters of the target alone",
    .source = "this project",
    .example = "",
    .make = &make_recorded,
    .filter = &filter_recording,
    .no_end = "a recorded path ends where its tokens end; leave out eos="};

}  // namespace speclab
