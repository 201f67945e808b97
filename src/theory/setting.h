#pragma once

#include "base/spec.h"
#include "model/lengths.h"
#include "model/pair.h"

namespace speclab {

enum class Arithmetic { rational, floating };

/// The arguments of a prediction.
struct Setting {
  PairPointer pair;
  Spec verifier;  ///< name and parameters, as parsed from the canonical text
  Lengths lengths;
  Arithmetic arithmetic = Arithmetic::floating;
  /// A prediction that needs more elementary steps than this is omitted.
  double max_work = 1e7;
  /// The same of rows of whole decodes (PredictionRow::decode).
  double max_decode_work = 1e7;
};

}  // namespace speclab
