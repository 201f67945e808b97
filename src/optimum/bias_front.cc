#include "optimum/bias_front.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "base/error.h"
#include "optimum/linear_program.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

constexpr std::size_t kMostOutputs = 400;

class FrontProgram {
 public:
  FrontProgram(const Rows<Rational>& rows, int tokens) : rows_(rows), tokens_(tokens) {
    for (const Start& start : rows.pair().start()) {
      grow(start.state, {start.state, {}}, std::nullopt, start.probability, start.probability);
    }
    const std::size_t rows_so_far = program_.totals.size();
    for (std::size_t row = 0; row < rows_so_far; ++row) {
      if (slack_[row] == 0) continue;
      program_.columns.push_back({Rational(0), {{row, Rational(slack_[row])}}});
    }
  }

  /// No rejection: the draft's law.
  [[nodiscard]] FrontPoint accepting() const { return {Rational(0), drafted_, all_accepted_}; }

  /// The point that minimises weight_r E[N_rej] + weight_d TV.
  FrontPoint least(const Rational& weight_rejections, const Rational& weight_distance) {
    check_interrupted();
    // The larger weight is 1, so that the solver's tolerances keep their meaning on a short edge.
    const Rational scale = std::max(weight_rejections, weight_distance);
    for (const std::size_t column : corrections_) {
      program_.columns[column].reward = -weight_rejections / scale;
    }
    for (const std::size_t column : excesses_) {
      program_.columns[column].reward = -weight_distance / scale;
    }
    const Certificate certificate = certify(program_);
    if (certificate.raised != 0 || certificate.attained != certificate.bound) {
      throw std::logic_error("a vertex of the front is not certified");
    }
    FrontPoint point{Rational(0), Rational(0), {}};
    for (const std::size_t column : corrections_) point.rejections += certificate.point[column];
    for (const std::size_t column : excesses_) point.distance += certificate.point[column];
    for (const auto& [context, masses] : contexts_) {
      FrontPoint::Step& step = point.steps[context];
      for (const Mass& mass : masses) {
        step.accepted.push_back(mass.accepted ? certificate.point[*mass.accepted] : Rational(0));
        step.corrected.push_back(certificate.point[mass.corrected]);
      }
    }
    return point;
  }

 private:
  using Entries = std::vector<std::pair<std::size_t, Rational>>;
  using Context = std::pair<State, Prefix>;

  /// @param slack  1 for "at most", 0 for "equal", -1 for "at least"
  std::size_t new_row(Rational total, int slack) {
    program_.totals.push_back(std::move(total));
    slack_.push_back(slack);
    return program_.totals.size() - 1;
  }

  std::size_t new_column(Entries entries) {
    program_.columns.push_back({Rational(0), std::move(entries)});
    return program_.columns.size() - 1;
  }

  /// The columns whose sum is a prefix's mass a(v): accepted and corrected; none for a start, whose
  /// mass is known.
  struct Mass {
    std::optional<std::size_t> accepted;
    std::size_t corrected;
  };

  void enter(const std::optional<Mass>& mass, std::size_t row, const Rational& coefficient) {
    if (!mass) {
      program_.totals[row] -= coefficient * start_;
      return;
    }
    if (mass->accepted) {
      program_.columns[*mass->accepted].entries.emplace_back(row, coefficient);
    }
    program_.columns[mass->corrected].entries.emplace_back(row, coefficient);
  }

  void grow(State state, const Context& context, const std::optional<Mass>& mass,
            const Rational& draft, const Rational& target) {
    const std::size_t depth = context.second.size();
    if (depth == 0) start_ = target;
    if (depth == static_cast<std::size_t>(tokens_)) {
      // e >= a - T
      const std::size_t row = new_row(target, 1);
      enter(mass, row, Rational(1));
      excesses_.push_back(new_column({{row, Rational(-1)}}));
      drafted_ += positive_part<Rational>(draft - target);
      if (excesses_.size() > kMostOutputs) {
        throw LimitError(
            fmt::format("the front has more than {} outputs; ask for fewer tokens", kMostOutputs));
      }
      return;
    }
    const std::size_t sum = new_row(Rational(0), 0);  // sum_x a(vx) = a(v)
    enter(mass, sum, Rational(-1));
    for (Token x = 0; x < rows_.vocabulary(); ++x) {
      const Rational d = rows_.draft(state)[static_cast<std::size_t>(x)];
      const Rational t = rows_.target(state)[static_cast<std::size_t>(x)];
      Mass child{std::nullopt, new_column({{sum, Rational(1)}})};
      corrections_.push_back(child.corrected);
      if (d > 0) {
        const std::size_t drafted = new_row(Rational(0), 1);  // m <= d a(v)
        child.accepted = new_column({{sum, Rational(1)}, {drafted, Rational(1)}});
        enter(mass, drafted, -d);
      }
      contexts_[context].push_back(child);
      all_accepted_[context].accepted.push_back(draft * d);
      all_accepted_[context].corrected.emplace_back(0);
      Context after = context;
      after.second.push_back(x);
      grow(rows_.next(state, x), after, child, draft * d, target * t);
    }
  }

  const Rows<Rational>& rows_;
  int tokens_;
  LinearProgram program_;
  std::vector<int> slack_;  ///< by row
  std::vector<std::size_t> corrections_;
  std::vector<std::size_t> excesses_;
  Rational start_{1};  ///< mass of the start being extended
  Rational drafted_{0};
  std::map<Context, std::vector<Mass>> contexts_;  ///< the columns of their continuations
  std::map<Context, FrontPoint::Step> all_accepted_;
};

/// Adds the vertices strictly between two points of the front.
void between(FrontProgram& program, const FrontPoint& left, const FrontPoint& right,
             std::vector<FrontPoint>& front) {
  const Rational rise = left.distance - right.distance;
  const Rational run = right.rejections - left.rejections;
  if (!(rise > 0) || !(run > 0)) return;
  const FrontPoint middle = program.least(rise, run);
  const Rational line = rise * left.rejections + run * left.distance;
  if (!(rise * middle.rejections + run * middle.distance < line)) return;
  between(program, left, middle, front);
  front.push_back(middle);
  between(program, middle, right, front);
}

}  // namespace

std::vector<FrontPoint> bias_front(const Rows<Rational>& rows, int tokens) {
  FrontProgram program(rows, tokens);
  const FrontPoint left = program.accepting();
  std::vector<FrontPoint> front{left};
  if (left.distance == 0) return front;
  // Doubles the price of bias until the vertex is the front's unbiased end.
  constexpr int kMostDoublings = 64;
  Rational price(1);
  FrontPoint right = program.least(Rational(1), price);
  for (int i = 0; right.distance != 0; ++i) {
    if (i == kMostDoublings) throw std::logic_error("the front reaches no unbiased end");
    price *= 2;
    right = program.least(Rational(1), price);
  }
  between(program, left, right, front);
  front.push_back(right);
  return front;
}

}  // namespace speclab
