#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/rational.h"
#include "verifiers/info.h"
#include "verifiers/registry.h"

namespace speclab {

// Planted faults: those of released implementations, and three that only lose speed. They are the
// negative controls of the checks: a check that has never rejected anything proves nothing
// (verifiers/faults/control_rows.h says where each of them is rejected).
//
// A fault is a row of a table and a change of a right verifier's decisions (the other headers of
// this folder), which run/faulty_run.h makes between the verifier and its interpreter. Its
// spec text wrong-x is the fault in the first verifier that it is for, and
// wrong-x(rule="rrs(K=2)") the fault in another one.

/// What is changed.
enum class Change {
  // The decisions: verifiers/faults/decisions.h makes them.
  always_accept,
  greedy_draft,
  shared_uniform,
  reseeded_coins,
  closed_coin,
  token_zero,
  one_hot_residual,
  no_draft_law,
  draft_bonus,
  late_residual,
  drawn_draft,
  filtered_law,
  late_rejection,
  late_stop,
  frozen_target,
  coin_product,
  weight_coins,
  block_residual,
  first_failure,
  without_replacement,
  sibling_draft,
  swapped_rows,
  // The iteration around them.
  no_bonus,
  correction_accepted,
  no_carry,
  flat_carry,
  one_draft_fewer,
  /// It is a program of its own (verifiers/faults/programs.h), and for one verifier alone.
  own_program,
};

/// A row of the table of faults.
struct FaultRow {
  VerifierInfo info;  ///< fault_of: the spec text of the first verifier that it is for
  Change change;
  std::span<const std::string_view> others;  ///< the names of the other verifiers that it is for
  /// Its parameters in faults_in: those that show it on small pairs with the fewest trials.
  std::string_view form = {};
};

/// The table, in the order in which faults are listed.
std::span<const FaultRow> faults();

/// The program of a verifier with a planted fault.
struct Faulty {
  const FaultRow* fault = nullptr;
  Verifier right;  ///< the verifier that the fault is planted in
  Verifier run;  ///< the verifier whose decisions are changed: `right`, or the same of fewer drafts
  bool second = false;  ///< of a fault with two forms, the second: by=filtered, weight=first, ..
  Rational theta{0};
};

/// The row of the registry for a fault; `runs_of` is left empty. @pre it has no program of its own
VerifierRow faulty_row(const FaultRow& fault);

/// The spec texts of the faults of the table in a verifier that is not the first one that they are
/// for.
std::vector<std::string> faults_in(const Verifier& rule);

}  // namespace speclab
