#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answer/cost_model.h"
#include "base/error.h"
#include "experiment/calibrated.h"
#include "experiment/selector.h"
#include "experiment/table_audit.h"

namespace speclab {

// An experiment file (TOML), one a figure or table of a paper. docs/experiments.md is its manual;
// in short, at the top level:
//   title, source          one line each
//   note                   what is compared, and what cannot be
//   chunk                  trials of one transaction (default 8192)
//   [[task]]               combinations to run; every list makes a product (see TaskGroup)
//   [[derived]]            numbers computed from two rows of results (see Derived)
//   [[expected]]           a statement that these models can confirm or refute (see Expected)
//   [[printed]]            numbers of other models: shown, never judged (see Printed)
//   [[table]]              a printed table, number by number (see PrintedTable); or
//   tables                 the experiment file beside this one that holds them
//   [[audit]]              a relation that its numbers must have (see TableAudit)
//   [[calibrated]]         an improvement predicted where another number is fitted (see Calibrated)
// Unknown keys and wrong types are errors that name the file, the line and the fix.

enum class TaskKind {
  exact,
  simulate,
  predict,  ///< closed forms alone
  formula,
  train,
};

/// "exact", "simulate", "predict", "formula", "train".
std::string_view task_kind_name(TaskKind kind);

/// A [[task]]: the product of its lists.
struct TaskGroup {
  int line = 0;
  std::string name;
  TaskKind kind = TaskKind::exact;
  /// Templates; formulas and "train(lambda=..)" stand among `verifiers`.
  std::vector<std::string> pairs, verifiers;
  std::vector<int> gammas;                   ///< one entry at least
  std::vector<std::optional<int>> horizons;  ///< one entry at least
  int iterations = 0;
  Arithmetic arithmetic = Arithmetic::rational;
  double max_paths = 1e8;
  std::optional<CostModel> costs;                   ///< a view: it is no part of what is kept
  std::vector<std::uint64_t> trials, quick_trials;  ///< increasing
  std::optional<double> precision;                  ///< relative half-width at which trials end
  std::vector<QuantityId> keep;                     ///< quantities to write; all where empty
  bool full_only = false;
  std::vector<std::pair<std::string, std::vector<std::string>>> vary;  ///< by name

  /// Whether answers are compared with their optimum: only where `keep` names the share, since a
  /// sweep asks thousands of questions.
  [[nodiscard]] bool wants_optimum() const {
    return std::ranges::find(keep, QuantityId::share_of_optimum) != keep.end();
  }
};

/// A [[derived]]: for each row of `of` the row of `over` that agrees with it.
struct Derived {
  int line = 0;
  std::string name;
  std::string operation;  ///< "difference" a - b, "sum" a + b, "ratio" a / b, "relative" a / b - 1
  Selector of, over;
};

/// An [[expected]]: a value that every row has to meet, or a trend along a coordinate.
struct Expected {
  int line = 0;
  std::string source;
  std::string explanation;  ///< where the results do not reproduce it: why
  bool prints = false;      ///< the paper prints this number, of this very model
  Selector rows;
  std::optional<Rational> value;  ///< exactly as written: 16.41 is 1641/100
  std::string printed;            ///< the value's text
  Rational tolerance{0};
  std::string tolerance_text;
  Relation relation = Relation::equals;
  /// "increases", "decreases", "non-decreasing" or "non-increasing"; and along what: "gamma",
  /// "index", a variable, ...
  std::string trend, along;
};

/// A number of a [[printed]]: what a paper found of other models than these, language models for
/// example. It is not an expected value of ours.
struct Printed {
  int line = 0;
  std::string source;
  std::string of;       ///< whose number it is: "PALM-2 models, LM1B"
  Selector rows;        ///< the rows of ours that stand where it does
  std::string printed;  ///< as it is written
};

struct Experiment {
  std::string id;    ///< the file's name without .toml
  std::string path;  ///< as given
  std::string title, source, note;
  std::uint64_t chunk = 8192;  ///< trials of one transaction
  std::vector<TaskGroup> tasks;
  std::vector<Derived> derived;
  std::vector<Expected> expected;
  std::vector<Printed> printed;
  std::vector<PrintedTable> tables;  ///< its own, or those of the file that it names
  std::size_t own_tables = 0;        ///< of these, how many are its own: all or none
  std::vector<TableAudit> audits;
  std::vector<Calibrated> calibrated;
};

/// Reads an experiment file.
/// @throws InputError "FILE:LINE: ..." naming what is wrong and the fix
Experiment read_experiment(const std::string& path);

/// "FILE:LINE: ", for messages.
std::string line_text(const Experiment& experiment, int line);

/// What use() returns; its InputError is thrown with the file and the line before it.
template <class Use>
auto at_line(const Experiment& experiment, int line, const Use& use) {
  try {
    return use();
  } catch (const InputError& error) {
    throw InputError(line_text(experiment, line) + error.what());
  }
}

/// Whether a quick run leaves a task out, or what a derived quantity is made of.
bool left_out(const Experiment& experiment, const std::string& task, bool quick);

/// The experiments that come with the program, by id: those of the folder that the variable
/// SPECLAB_EXPERIMENTS names; else of the one that the file speclab.experiments beside the program
/// names, which a build writes there; else of the share folder that it is installed with. Empty
/// where there are none. @throws InputError where the variable or the file names no folder
std::vector<std::string> experiment_files();

}  // namespace speclab
