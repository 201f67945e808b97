#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "claims/engine/row.h"

namespace speclab {

/// Every claim, paper by paper.
std::span<const ClaimRow> claim_rows();

/// The claim of that id, or null.
const ClaimRow* find_claim(std::string_view id);

/// The rows whose id is one of `ids`, or begins with one of them at a dot ("lin2026" names all of
/// that paper's), or, where none does, anywhere ("sun2025.theorem"), in the registry's order; all
/// of them when `ids` is empty.
/// @throws UsageError naming an id that names no row
std::vector<const ClaimRow*> select_claims(const std::vector<std::string>& ids);

/// A claim and what its check found.
struct ClaimOutcome {
  const ClaimRow* row = nullptr;
  ClaimResult result;

  /// Whether the verdict is the one on record, and what stands in the place of a refuted statement
  /// is true.
  [[nodiscard]] bool as_recorded() const {
    return result.verdict == row->recorded && !result.amended_violated;
  }
};

/// Called after each claim, from one thread at a time.
using ClaimProgress = std::function<void(const ClaimOutcome& outcome, std::size_t done)>;

/// Runs the checks, several at a time; the outcomes come in the order of `rows` and do not depend
/// on the number of threads. If interrupted() the claims not finished are left out.
std::vector<ClaimOutcome> run_claims(const std::vector<const ClaimRow*>& rows,
                                     const ClaimContext& context,
                                     const ClaimProgress& progress = {});

/// "CLAIM: the evidence says refuted, the record holds: DETAIL", the first evidence's detail.
std::string difference_text(const ClaimOutcome& outcome);

}  // namespace speclab
