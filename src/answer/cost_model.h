#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "answer/question.h"
#include "base/error.h"
#include "theory/predictions.h"

namespace speclab {

/// A file of measured times is wrong: its place, as of every InputError.
struct TableError : InputError {
  using InputError::InputError;
};

/// A time that depends on how many are done side by side, n >= 1: positions of a call of the
/// target, sequences of a draft step.
///
///   text         time(n)
///   20           20
///   20+0.1n      20 + 0.1 n       (also 20+n, 0.1n, n)
///   20+0.002c    20 + 0.002 c, c the tokens of context that a call reads: of each sequence in a
///                batch, so that attention's share grows with the batch
///   max(20,0.1n) the largest of several such: memory is the limit up to some n, arithmetic beyond
///   @times.csv   measured: lines `n,time` in ascending order of n after a line of names, straight
///                between two of them, unknown outside of them
class TimeCurve {
 public:
  TimeCurve(double time) : lines_{{time, 0, 0}} {}  // NOLINT(google-explicit-constructor): plain

  /// @throws InputError with the form that it takes
  static TimeCurve read(const std::string& text);

  /// What the text leaves open.
  /// @param context  tokens of context of one sequence
  /// @param sizes    ascending: n is padded to the next of them, as graphs recorded for these sizes
  /// do; above the last one it stays
  void set_setting(double context, const std::vector<double>& sizes);

  /// @throws InputError where n is outside of what was measured
  [[nodiscard]] double at(double n, double sequences = 1) const;

  /// Whether it has a term of c.
  [[nodiscard]] bool reads_context() const;

  /// Whether it is above 0 for every n that it knows.
  [[nodiscard]] bool positive() const;

  /// Whether it is one number, whatever n is.
  [[nodiscard]] bool constant() const;

 private:
  struct Line {
    double start = 0;
    double slope = 0;
    double context = 0;  ///< once set, of one sequence's whole context
  };
  static Line read_line(const std::string& text);

  std::vector<Line> lines_;  ///< the largest holds
  std::vector<double> sizes_;
  std::string source_;  ///< of measured times
  std::vector<std::pair<double, double>> measured_;
};

/// What the parts of speculative decoding cost, in seconds, FLOPs or any one unit.
struct CostModel {
  /// One draft step by the number of sequences drafted side by side. A plain number is the time of
  /// one sequence: K of them take K times as long, so that no draft is free.
  TimeCurve draft = 0;
  double verifier = 0;  ///< one call of a low-complexity verifier (sprinter)
  /// One call of the target by the positions that it evaluates: K (gamma + 1) for K drafts of gamma
  /// tokens, of a tree its nodes and the root.
  TimeCurve target = 1;
  double rule = 0;  ///< the verification rule's own time for each drafted token
};

/// Reads "draft=0.1,verifier=0.02,target=1"; also `rule`, and curves for draft and target:
/// "draft=1+0.2n,target=@times.csv,rule=0.001", and for both curves "context=4096" and
/// "sizes=1|2|4|8". What is left out keeps its default.
/// @throws InputError with the form that it takes
CostModel read_costs(const std::string& text);

/// One iteration's draft set in a full window, as it is evaluated.
struct DraftShape {
  std::vector<double> levels;  ///< of a tree: nodes by depth, from 1: 3, 6, 6 of 3-2-1
  double nodes = 0;            ///< tokens drafted
  double roots = 1;            ///< positions before them: one of a tree, one of each of K drafts

  /// Positions of the target's call: K (gamma + 1), or a tree's nodes and its root.
  [[nodiscard]] double positions() const { return nodes + roots; }
};

/// No nodes where nothing is drafted. @pre drafts is finite
DraftShape draft_shape(const Verifier& verifier, int drafts);

/// A change of the costs, to see what depends on it.
struct Load {
  double batch = 1;    ///< sequences decoded side by side
  double draft = 1;    ///< factor on the draft's time
  double growth = 1;   ///< factor on what the target's time grows beyond that of one position
  bool waits = false;  ///< whether the batch begins together and waits for its slowest decode
};

/// The time of a draft step with what goes with it: of a run the low-complexity verifier's call.
double step_time(const Verifier& verifier, const Latency& latency);

/// What the steps and calls of questions take under one cost model: of full windows of each one's
/// gamma. Runs (sprinter) have no window: their target call is of one position. All draft lengths
/// of a verifier together take as long as the longest alone.
class Latencies {
 public:
  /// @param costs  must outlive this
  explicit Latencies(const CostModel& costs, const Load& load = {});

  /// @throws InputError where a measured curve does not reach so far, or for a batch at costs that
  /// do not grow with it
  Latency of(const Question& question);

 private:
  [[nodiscard]] double drafted(double width) const;
  /// The time of so many draft steps of one width, added in order.
  double steps_of(double width, std::size_t count);

  const CostModel& costs_;
  Load load_;
  std::map<double, std::vector<double>> steps_;  ///< by width: of 0, 1, 2, .. steps
};

}  // namespace speclab
