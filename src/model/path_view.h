#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/law.h"
#include "model/recording.h"

namespace speclab {

/// The recorded rows along a few tokens of one path, from an iteration's start on; each is read
/// when it is first asked for. What is worked out of a row is kept with it. For one thread.
class PathRows {
 public:
  /// @param tokens  the drafts from position `first` on; they must outlive this
  /// @param rows  positions from `first` on whose rows are of this path: up to the next start,
  /// whose context is another, or past the path's last token
  PathRows(const Recording& recording, std::int64_t prompt, int first,
           std::span<const Token> tokens, int rows);

  [[nodiscard]] Token vocabulary() const { return recording_->shape().vocabulary; }
  [[nodiscard]] std::span<const Token> tokens() const { return tokens_; }

  /// Probabilities at `at` tokens after the start, 0 <= at <= tokens().size().
  /// @throws InputError naming the place where the row or the token's probability is not recorded
  [[nodiscard]] double draft(int at, Token x) const {
    return probability(draft_row(at), RecordedModel::draft, at, x);
  }
  [[nodiscard]] double target(int at, Token x) const {
    return probability(target_row(at), RecordedModel::target, at, x);
  }

  /// a target(x) - b draft(x) where that is positive, else 0; b = 0 reads no draft.
  [[nodiscard]] double gap(int at, const Wide& a, const Wide& b, Token x) const;
  /// The sum of it over all tokens. @throws InputError where not all are recorded
  [[nodiscard]] double gap_mass(int at, const Wide& a, const Wide& b) const;
  /// Whether it is positive for some token: known sooner, and of rows that are not whole as well.
  [[nodiscard]] bool has_gap(int at, const Wide& a, const Wide& b) const;

  /// How the drafted token of a position stands to the draft's row there: d(X) less its
  /// expectation, the sum of d^2, and the variance of that; all tokens that are not recorded count
  /// as 0.
  struct Surprise {
    double excess = 0;
    double variance = 0;
  };
  [[nodiscard]] Surprise surprise(int at) const;

 private:
  struct Mass {
    Wide a, b;
    double value;
  };
  struct Place {
    std::optional<RecordedRow> draft, target;
    std::vector<Mass> masses;
  };

  const RecordedRow& row(RecordedModel model, std::optional<RecordedRow> Place::*which,
                         int at) const;
  const RecordedRow& draft_row(int at) const {
    return row(RecordedModel::draft, &Place::draft, at);
  }
  const RecordedRow& target_row(int at) const {
    return row(RecordedModel::target, &Place::target, at);
  }
  double probability(const RecordedRow& row, RecordedModel model, int at, Token x) const;
  [[nodiscard]] std::string where(int at) const;

  const Recording* recording_;
  std::int64_t prompt_;
  int first_;
  int rows_;
  std::span<const Token> tokens_;
  mutable std::vector<Place> places_;
};

/// A law at a place of a path: proportional to [a target - b draft]+, or the draft's.
class PathLaw {
 public:
  using Real = double;
  PathLaw(const PathRows& rows, int at, const Wide& a, const Wide& b)
      : rows_(&rows), at_(at), a_(a), b_(b) {}

  [[nodiscard]] Token size() const { return rows_->vocabulary(); }
  [[nodiscard]] double weight(Token x) const { return rows_->gap(at_, a_, b_, x); }
  [[nodiscard]] double mass() const { return rows_->gap_mass(at_, a_, b_); }
  [[nodiscard]] Token pick(double u) const { return pick_in_order(*this, u); }
  /// mass() > 0, with less to know.
  [[nodiscard]] bool has_weight() const { return rows_->has_gap(at_, a_, b_); }
  /// The token that goes on along the path, or kUndefined after its last one.
  [[nodiscard]] Token on_path() const {
    const auto at = static_cast<std::size_t>(at_);
    return at < rows_->tokens().size() ? rows_->tokens()[at] : kUndefined;
  }

 private:
  const PathRows* rows_;
  int at_;
  Wide a_, b_;
};

class PathDraftLaw {
 public:
  using Real = double;
  PathDraftLaw(const PathRows& rows, int at) : rows_(&rows), at_(at) {}
  [[nodiscard]] Token size() const { return rows_->vocabulary(); }
  [[nodiscard]] double weight(Token x) const { return rows_->draft(at_, x); }
  [[nodiscard]] double mass() const { return 1; }
  [[nodiscard]] Token pick(double u) const { return pick_in_order(*this, u); }

 private:
  const PathRows* rows_;
  int at_;
};

/// A view (model/view.h) of one iteration along a recorded path: a node is the number of tokens
/// since the start. What a context off the path would tell is not recorded: asking for it is an
/// error, as is asking for a target that an iteration modified for those after it.
class PathView {
 public:
  using Real = double;
  /// Modifications of the target, of which none is kept.
  struct NoCarry {
    [[nodiscard]] static bool empty() { return true; }
    static void clear() {}
    auto operator<=>(const NoCarry&) const = default;
  };
  struct Node {
    State at = 0;  ///< tokens since the start, or kOff
    NoCarry stack = {};
    auto operator<=>(const Node&) const = default;
  };

  class Laws {
   public:
    using Real = double;
    Laws(const PathRows& rows, int at) : rows_(&rows), at_(at) {}
    [[nodiscard]] Token vocabulary() const { return rows_->vocabulary(); }
    [[nodiscard]] double draft(Token x) const { return rows_->draft(at_, x); }
    [[nodiscard]] double target(Token x) const { return rows_->target(at_, x); }
    [[nodiscard]] PathDraftLaw draft() const { return {*rows_, at_}; }
    [[nodiscard]] PathLaw target() const { return {*rows_, at_, Wide(1), Wide(0)}; }
    [[nodiscard]] PathLaw residual(double scale) const {
      return {*rows_, at_, Wide(scale), Wide(1)};
    }
    [[nodiscard]] PathLaw gap(const Wide& a, const Wide& b) const { return {*rows_, at_, a, b}; }

   private:
    const PathRows* rows_;
    int at_;
  };

  explicit PathView(const PathRows& rows) : rows_(&rows) {}
  [[nodiscard]] Token vocabulary() const { return rows_->vocabulary(); }
  [[nodiscard]] Node root(State state) const { return {state}; }
  [[nodiscard]] State state(const Node& node) const { return node.at; }
  [[nodiscard]] Node next(const Node& node, Token x) const {
    const bool along = node.at < rows_->tokens().size() && rows_->tokens()[node.at] == x;
    return {along ? node.at + 1 : kOff};
  }
  /// @throws InputError off the path
  [[nodiscard]] Laws at(const Node& node) const {
    if (node.at > rows_->tokens().size()) refuse();
    return {*rows_, static_cast<int>(node.at)};
  }
  [[nodiscard]] Node modified(Node node, double, int remaining, int = 1) const {
    return remaining > 0 ? Node{kOff} : node;
  }

 private:
  static constexpr State kOff = ~State{0};
  [[noreturn]] static void refuse();

  const PathRows* rows_;
};

}  // namespace speclab
