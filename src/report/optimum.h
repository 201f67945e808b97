#pragma once

#include <span>
#include <string>

#include "optimum/optimum.h"
#include "report/report.h"

namespace speclab {

/// An optimum with the pair it is of.
struct PairOptimum {
  PairPointer pair;
  Optimum optimum;
  bool certificate = false;  ///< whether to show the prices
  bool plan = false;         ///< whether to show the plan
};

/// What `optimum` says (docs/formats.md).
///   table     a block each: the value, whether it is certified, sizes, time; then the tables
///   json      {"schema": 2, "results": [{"pair", "gamma", "drafts", "class", "arithmetic",
///             "optimum": Q or null, "at_least": Q, "at_most": Q or null, "certified", "program",
///             "starts", "notes"}]}
///   csv       a row a number
///   markdown  a row an optimum
std::string optima_text(std::span<const PairOptimum> optima, Format format);

}  // namespace speclab
