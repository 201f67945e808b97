#pragma once

#include <memory>
#include <string>

#include "model/registry.h"
#include "recorded/run_recorded.h"

namespace speclab {

/// scored(FILE): texts with two numbers a token, a prompt each, where a recording is taken. It has
/// no rows: run_recorded() answers by run_scored().
class ScoredRecording final : public Recording {
 public:
  /// Of texts that are scored elsewhere. @param files  for its name
  explicit ScoredRecording(const std::string& files);

  /// Reads the file once, and checks and counts its texts. @throws InputError
  static std::shared_ptr<ScoredRecording> open(const std::string& path);

  [[nodiscard]] bool has_row(RecordedModel, PathNumber, int) const override { return false; }

 private:
  void read_path(PathNumber at, RawPath& path) const override;
  void read_row(RecordedModel model, PathNumber at, int position, RawRow& row) const override;
};

/// The family scored(FILE), for add_pair_family().
extern const PairFamily kScoredFamily;

/// Scored texts in the form of recorded iterations: those of whole decodes of each
/// text, weighed by the probability that they begin (docs/score.md).
/// @pre recording.shape().texts
/// @throws InputError for a verifier or a draft length that texts do not answer for
RecordedResults run_scored(const Recording& recording, const RecordedRequest& request,
                           const std::function<void(std::int64_t)>& progress);

}  // namespace speclab
