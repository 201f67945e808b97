#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/law.h"
#include "model/state_table.h"
#include "recorded/drawn.h"
#include "recorded/recording.h"

namespace speclab {

/// The drafts of one path from the start of an iteration.
struct PathDrafts {
  std::span<const Token> tokens;  ///< they must outlive the rows made from them
  /// Positions from the start on whose rows are of this path: up to the next start, whose context
  /// is another, or past the path's last token.
  int rows = 0;
};

/// The recorded rows along the drafts of an iteration: the first paths of a prompt, as a trie.
/// Paths that begin with the same tokens share their context and its row. A *place* is a
/// vertex of the trie; 0 is the start, and 0, 1, .. go along the first path. Each row is read when
/// it is first requested, and results computed from it are cached. Not thread-safe.
class PathRows {
 public:
  /// @param paths  one or more; path k of the prompt is number k
  PathRows(const Recording& recording, std::int64_t prompt, int first,
           std::vector<PathDrafts> paths);

  [[nodiscard]] Token vocabulary() const { return recording_->shape().vocabulary; }
  [[nodiscard]] int paths() const { return static_cast<int>(paths_.size()); }
  [[nodiscard]] std::span<const Token> tokens(int path) const {
    return paths_[static_cast<std::size_t>(path)].tokens;
  }
  [[nodiscard]] int places() const { return static_cast<int>(places_.size()); }

  /// A drafted token at a place, and the place after it.
  struct Step {
    Token token;
    int to;
  };
  /// In the order of the paths.
  [[nodiscard]] std::span<const Step> ahead(int at) const {
    return places_[static_cast<std::size_t>(at)].ahead;
  }
  /// "recorded(x.h5): prompt 3, position 5", for messages.
  [[nodiscard]] std::string where(int at) const;
  /// The place after a token, or -1 where it is on no path.
  [[nodiscard]] int next(int at, Token x) const;

  /// Probabilities at a place.
  /// @throws InputError naming the place where the row or the token's probability is not recorded
  [[nodiscard]] double draft(int at, Token x) const {
    return probability(draft_row(at), RecordedModel::draft, at, x);
  }
  [[nodiscard]] double target(int at, Token x) const {
    return probability(target_row(at), RecordedModel::target, at, x);
  }

  /// a target(x) - b draft(x) where that is positive, else 0; b = 0 reads no draft.
  [[nodiscard]] double gap(int at, const Wide& a, const Wide& b, Token x) const;
  /// The sum of gap over all tokens. @throws InputError where not all are recorded
  [[nodiscard]] double gap_mass(int at, const Wide& a, const Wide& b) const;
  /// Whether gap is positive for some token; may be decided from rows that are not whole.
  [[nodiscard]] bool has_gap(int at, const Wide& a, const Wide& b) const;

  /// The tables of a place's rows, for queries more frequent than the sort is expensive. Null where
  /// not all tokens are recorded.
  [[nodiscard]] const StateTable* table(int at) const;

  /// Of likeliest tokens: that the tokens ahead of a place are its row's first ones in their order,
  /// ties in any order, each of positive probability. Ties are then broken, by the last bit of a
  /// number, so that a verifier that looks for the likeliest finds these. Does nothing where the
  /// row is not recorded. @throws InputError naming the place
  void rank_ahead(int at);
  /// The place of token x among those ahead, as a weight: the earlier the larger, 0 of others.
  [[nodiscard]] double rank_weight(int at, Token x) const;

  /// Adds a token drafted at a place to the test of the drafts.
  void add_drafted(int at, Token drafted, DrawnTest& test) const;

 private:
  struct Mass {
    Wide a, b;
    double value;
  };
  struct Place {
    int depth = 0;             ///< tokens since the start
    std::vector<int> through;  ///< the paths through this place
    std::vector<Step> ahead = {};
    std::optional<RecordedRow> draft = {}, target = {};
    std::vector<Mass> masses = {};
    std::unique_ptr<const StateTable> table = {};
    std::optional<DrawnMoments> moments = {};  ///< of the draft's row
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

  const Recording* recording_;
  std::int64_t prompt_;
  int first_;
  std::vector<PathDrafts> paths_;
  mutable std::vector<Place> places_;
};

/// A law at a place: proportional to [a target - b draft]+, or the draft's.
class PathLaw {
 public:
  using Real = double;
  static constexpr bool kValid = true;
  PathLaw(const PathRows& rows, int at, const Wide& a, const Wide& b)
      : rows_(&rows), at_(at), a_(a), b_(b) {}

  [[nodiscard]] Token size() const { return rows_->vocabulary(); }
  [[nodiscard]] double weight(Token x) const { return rows_->gap(at_, a_, b_, x); }
  [[nodiscard]] double mass() const { return rows_->gap_mass(at_, a_, b_); }
  [[nodiscard]] Token pick(double u) const { return pick_in_order(*this, u); }
  /// mass() > 0, decided from fewer recorded tokens.
  [[nodiscard]] bool has_weight() const { return rows_->has_gap(at_, a_, b_); }
  /// The tokens that continue along a path.
  [[nodiscard]] std::span<const PathRows::Step> ahead() const { return rows_->ahead(at_); }

 private:
  const PathRows* rows_;
  int at_;
  Wide a_, b_;
};

class PathDraftLaw {
 public:
  using Real = double;
  static constexpr bool kValid = true;
  PathDraftLaw(const PathRows& rows, int at) : rows_(&rows), at_(at) {}
  [[nodiscard]] Token size() const { return rows_->vocabulary(); }
  [[nodiscard]] double weight(Token x) const { return rows_->draft(at_, x); }
  [[nodiscard]] double mass() const { return 1; }
  [[nodiscard]] Token pick(double u) const { return pick_in_order(*this, u); }

 private:
  const PathRows* rows_;
  int at_;
};

/// What a verifier has of the rows along its paths.
enum class PathUse {
  rows,
  tables,  ///< with tables: one path is looked at a few times, several up to once a sequence of
           ///< coins
  ranks,   ///< of the draft only which tokens are the likeliest (PathRows::rank_weight)
};

/// A view (model/view.h) of one iteration along recorded paths: a node is a place. Rows off the
/// paths are not recorded: requesting one is an error, and so is requesting a target that an
/// iteration modified for later ones.
class PathView {
 public:
  using Real = double;
  /// Modifications of the target are not supported.
  struct NoCarry {
    [[nodiscard]] static bool empty() { return true; }
    static void clear() {}
    auto operator<=>(const NoCarry&) const = default;
  };
  struct Node {
    State at = 0;  ///< a place, kOff or kModified
    NoCarry stack = {};
    auto operator<=>(const Node&) const = default;
  };

  class Laws {
   public:
    using Real = double;
    Laws(const PathRows& rows, int at, PathUse use) : rows_(&rows), at_(at), use_(use) {}
    [[nodiscard]] Token vocabulary() const { return rows_->vocabulary(); }
    [[nodiscard]] double draft(Token x) const {
      return use_ == PathUse::ranks ? rows_->rank_weight(at_, x) : rows_->draft(at_, x);
    }
    [[nodiscard]] double target(Token x) const { return rows_->target(at_, x); }
    [[nodiscard]] PathDraftLaw draft() const { return {*rows_, at_}; }
    [[nodiscard]] PathLaw target() const { return {*rows_, at_, Wide(1), Wide(0)}; }
    [[nodiscard]] PathLaw residual(double scale) const {
      return {*rows_, at_, Wide(scale), Wide(1)};
    }
    [[nodiscard]] PathLaw gap(const Wide& a, const Wide& b) const { return {*rows_, at_, a, b}; }
    [[nodiscard]] const StateTable* table() const {
      return use_ == PathUse::tables ? rows_->table(at_) : nullptr;
    }

   private:
    const PathRows* rows_;
    int at_;
    PathUse use_;
  };

  PathView(const PathRows& rows, PathUse use) : rows_(&rows), use_(use) {}
  [[nodiscard]] Token vocabulary() const { return rows_->vocabulary(); }
  [[nodiscard]] Node root(State state) const { return {state}; }
  [[nodiscard]] State state(const Node& node) const { return node.at; }
  [[nodiscard]] Node next(const Node& node, Token x) const {
    const int to = is_place(node) ? rows_->next(static_cast<int>(node.at), x) : -1;
    return {to < 0 ? kOff : static_cast<State>(to)};
  }
  /// @throws InputError off the paths, and where the target is modified
  [[nodiscard]] Laws at(const Node& node) const {
    if (!is_place(node)) refuse(node);
    return {*rows_, static_cast<int>(node.at), use_};
  }
  [[nodiscard]] Node modified(Node node, double, int remaining, int = 1) const {
    return remaining > 0 ? Node{kModified} : node;
  }

 private:
  static constexpr State kOff = ~State{0};
  static constexpr State kModified = kOff - 1;
  static bool is_place(const Node& node) { return node.at < kModified; }
  [[noreturn]] static void refuse(const Node& node);

  const PathRows* rows_;
  PathUse use_;
};

}  // namespace speclab
