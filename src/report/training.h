#pragma once

#include <string>

#include "report/report.h"
#include "train/classifier.h"

namespace speclab {

/// What `train` says of one training.
///   table, markdown  one line a number; of the curve at most 11 points
///   json             {"pair", "lambda", "tau", "samples", "length", "seed", "area": a number or
///                    null, "rates": {"false_positive", "true_positive", "excess_weighted"},
///                    "theorem3.1": {"tv", "tv_by_token"}, "roc": [{"index", "threshold": a number
///                    or null, "false_positive", "true_positive"}, ...]}
///   csv              a header and a row a number: pair, lambda, tau, samples, length, seed,
///                    quantity, index, value
std::string training_text(const PairPointer& pair, const Training& training,
                          const TrainingReport& report, Format format);

}  // namespace speclab
