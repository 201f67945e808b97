#pragma once

#include "model/registry.h"
#include "temporary_file.h"
#include "train/classifier.h"

namespace speclab {

/// A rates file trained for a pair, and the verifier that reads it, as spec text.
class TrainedFile {
 public:
  TrainedFile(std::string_view pair, const Training& training) : file_(text(pair, training)) {}
  [[nodiscard]] std::string path() const { return file_.path(); }
  [[nodiscard]] std::string verifier() const { return "sprinter(rates=" + file_.path() + ")"; }

 private:
  static std::string text(std::string_view spec, const Training& training) {
    const PairPointer pair = make_pair(spec);
    const Trained trained = train(pair, training);
    return rates_file_text(pair, training, trained, report_training(pair, training, trained));
  }
  TemporaryFile file_;
};

}  // namespace speclab
