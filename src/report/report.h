#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/rational.h"
#include "base/types.h"
#include "simulate/interval.h"
#include "theory/predictions.h"

namespace speclab {

// What `exact` and `simulate` found, in one form from which table, JSON and CSV are written.

/// One number: exact, in either arithmetic, or estimated.
struct Value {
  double number = 0;                 ///< the value, or the mean of an estimate; finite
  std::optional<Rational> fraction;  ///< in rational arithmetic
  std::optional<Estimate> estimate;  ///< by simulation
};

/// A named number, or a list of numbers of one kind. Its path in JSON is `group.name`, or `name`
/// alone at the top level, and `group.name[i]` for an element (i from 0).
struct Quantity {
  enum class Shape {
    single,
    list,  ///< elements numbered from `first_label`: tau for the law of tau, i for E[N(i)]
    law,   ///< probabilities of token sequences
  };

  std::string group{};
  std::string name{};
  Shape shape = Shape::single;
  std::vector<Value> values{};  ///< empty for a `single` that is missing (see `missing`)
  int first_label = 0;
  std::vector<std::vector<Token>> tokens{};  ///< one a value, for a law
  std::string missing{};                     ///< why there is no value

  [[nodiscard]] std::string path() const { return group.empty() ? name : group + "." + name; }
  [[nodiscard]] std::string path(std::size_t element) const;
  /// Which of the values a path names, if one.
  [[nodiscard]] std::optional<std::size_t> element(std::string_view wanted) const;
};

/// What comes of holding a closed form against a result.
enum class Verdict {
  agrees,
  differs,
  bound_holds,
  bound_missed,
  not_compared,  ///< the result has no such quantity
};

/// "agrees", "differs", "bound holds", "bound missed", "not compared".
std::string_view verdict_name(Verdict verdict);

/// "equals", "at_most", "at_least": the result stands in this relation to the closed form.
std::string_view relation_name(Relation relation);

/// A closed form beside a result.
struct Comparison {
  Prediction prediction;
  Verdict verdict = Verdict::not_compared;
  std::optional<double> difference;  ///< result - prediction
  std::optional<double> z;           ///< difference / standard error
  std::string z_missing;             ///< why a simulation has no z
};

/// How a simulation was run.
struct SimulationRun {
  std::uint64_t trials = 0;
  std::uint64_t seed = 0;
  int threads = 1;
  double seconds = 0;
  std::string estimator = "plain";
  std::optional<double> variance_ratio;       ///< of tau's variance over the estimator's
  std::optional<double> seconds_to_permille;  ///< to a relative half-width of 0.1% of E[tau]
  std::size_t table_bytes = 0;                ///< held by the pair's rows and sampling tables
  std::uint64_t undefined_trials = 0;
  bool interrupted = false;
};

/// One combination of pair, verifier and draft length.
struct Record {
  std::string pair;
  std::string verifier;
  int gamma = 1;
  std::optional<int> horizon;
  Arithmetic arithmetic = Arithmetic::floating;
  std::optional<SimulationRun> run;  ///< of a simulation; nothing for an exact result
  std::vector<Quantity> quantities;
  std::vector<Comparison> comparisons;
  std::vector<std::string> notes;

  /// The value at a path, or null.
  [[nodiscard]] const Value* find(std::string_view path) const;
};

/// All combinations, in order.
using Report = std::vector<Record>;

/// "8" or "inf".
std::string gamma_text(int gamma);

enum class Format { table, json, csv, markdown };

/// The text of a report; Markdown holds the overview alone.
std::string render(const Report& report, Format format);

}  // namespace speclab
