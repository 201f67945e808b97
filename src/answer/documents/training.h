#pragma once

#include "document/document.h"
#include "train/classifier.h"

namespace speclab {

/// What `train` reports of one training.
///   table, markdown  one line a number; of the curve at most 11 points
///   json             {"pair", "lambda", "tau", "samples", "length", "seed", "area": a number or
///                    null, "rates": {"false_positive", "true_positive", "excess_weighted"},
///                    "theorem3.1": {"fp", "tv", "tv_by_token"}, "roc": [{"index", "threshold": a
///                    number or null, "false_positive", "true_positive"}, ...]}
///   csv              a row a number
/// @pre the training and the report outlive the document
Document training_document(const PairPointer& pair, const Training& training,
                           const TrainingReport& report);

}  // namespace speclab
