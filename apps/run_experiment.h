#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "theory/predictions.h"

namespace speclab {

// An experiment file (TOML), one a figure or table of a paper. Top level:
//   title, source          one line each
//   note                   what is compared, and what cannot be
//   chunk                  trials of one transaction (default 8192)
//   [[task]]               combinations to run; every list below makes a product
//     name                 what results are called: letters, digits, '-'; unique
//     kind                 "exact", "simulate", "predict" (closed forms alone), "formula", "train"
//     pair, verifier       spec text, or a list; {NAME} stands for a variable, {text} for the text
//                          file of --text, {here} for the folder of the experiment file, and in a
//                          verifier {rates:NAME} for the rates file of the "train" task NAME above:
//                          sprinter(rates={rates:NAME}). Of its combinations the one of the same
//                          pair is taken that agrees in every variable that both have.
//     formula              spec text (speclab list formulas), instead of a verifier
//     lambda, tau, samples, length, seed
//                          of "train", instead of a verifier: a number, text or list, as the
//                          options of the command train. Its results are the ROC curve and the
//                          measured rates; its rates file goes to the results folder as
//                          EXPERIMENT.NAME.HASH.json
//     gamma, horizon       a whole number, "inf" (gamma), a range "1:12" or "0:24:4", or a list
//     iterations           a whole number: E[N(1)], .., E[N(iterations)] too
//     arithmetic           of "exact", "predict", "formula": "rational" (default) or "double"
//     max-paths            of "exact": refuse more (default 1e8)
//     latency              as --latency of simulate
//     trials, quick-trials of "simulate": a whole number, or a list (results after each)
//     precision            of "simulate": stop at the first chunk after which the half-width of the
//                          95% interval is at most this share of the mean of the first of `keep`
//     keep                 quantities to write (default all), by their paths in JSON
//     full-only            true: left out by --quick
//     [task.vary]          NAME = a range, or a list of numbers or words
//   [[derived]]            name, quantity, operation ("difference" a - b, "sum" a + b,
//                          "ratio" a / b, "relative" a / b - 1), of, over: selectors as below,
//                          `quantity` only where it is another. Rows are taken together that agree
//                          in pair, gamma and horizon (if both have one), index and the
//                          variables that both have and no `where` names.
//   [[expected]]           what the paper prints: source, task, pair (or its family), verifier,
//   gamma, horizon, quantity,
//                          index, claim and `where` (variables) choose the rows; then either
//                            value, tolerance, relation ("equals" or "at_most", "at_least"), which
//                            every row has to meet, or
//                            trend ("increases", "decreases") along a coordinate `along`;
//                          explanation   why it cannot be met, where it cannot
//
// Unknown keys and wrong types are errors that name the file, the line and the mend.

enum class TaskKind { exact, simulate, predict, formula, train };

/// "exact", "simulate", ...
std::string_view task_kind_name(TaskKind kind);

/// Values of the variables of one combination, in the order of their names.
using Variables = std::vector<std::pair<std::string, std::string>>;

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
  std::optional<Latency> latency;
  std::string latency_text;
  std::vector<std::uint64_t> trials, quick_trials;  ///< increasing
  std::optional<double> precision;
  std::vector<std::string> keep;
  bool full_only = false;
  std::vector<std::pair<std::string, std::vector<std::string>>> vary;  ///< by name
};

/// Chooses rows of results; what is empty chooses all.
struct Selector {
  int line = 0;
  std::string task, pair, verifier, quantity;
  std::optional<std::string> claim;  ///< "" (default): the result itself, not a closed form
  std::optional<std::string> gamma, horizon, index;
  Variables where;
};

struct Derived {
  int line = 0;
  std::string name, operation;
  Selector of, over;
};

struct Expected {
  int line = 0;
  std::string source, explanation;
  Selector rows;
  std::optional<double> value;
  double tolerance = 0;
  Relation relation = Relation::equals;
  std::string trend, along;
};

struct Experiment {
  std::string id;    ///< the file's name without .toml
  std::string path;  ///< as given
  std::string title, source, note;
  std::uint64_t chunk = 8192;
  std::vector<TaskGroup> tasks;
  std::vector<Derived> derived;
  std::vector<Expected> expected;
};

/// Reads an experiment file.
/// @throws InputError "FILE:LINE: ..." naming what is wrong and the mend
Experiment read_experiment(const std::string& path);

/// The experiments that come with the program, by id: those of $SPECLAB_EXPERIMENTS, of the
/// installed program, or of its source folder. Empty where there are none.
std::vector<std::string> experiment_files();

}  // namespace speclab
