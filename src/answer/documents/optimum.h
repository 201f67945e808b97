#pragma once

#include <vector>

#include "document/document.h"
#include "model/pair.h"
#include "optimum/iterations.h"
#include "optimum/optimum.h"

namespace speclab {

/// An optimum with the pair it is of.
struct PairOptimum {
  PairPointer pair;
  Optimum optimum;
  bool certificate = false;  ///< whether to show the prices
  bool plan = false;         ///< whether to show the plan
};

/// What `optimum` found, in every format (docs/formats.md).
///   table     a block each: the value, whether it is certified, sizes, time; then the tables
///   csv       a row a number
///   markdown  a row an optimum
/// @pre the optima outlive the document
Document optima_document(const std::vector<PairOptimum>& optima);

/// The most tokens of several iterations of a pair.
struct PairIterations {
  PairPointer pair;
  int gamma;
  int drafts;
  IterationsOptimum optimum;
};

/// A row a number of iterations; with `certificate` also a row a number of each iteration's proof,
/// from each state in which it may begin (docs/formats.md).
/// @pre the optima outlive the document
Document iterations_document(const std::vector<PairIterations>& optima, bool certificate);

}  // namespace speclab
