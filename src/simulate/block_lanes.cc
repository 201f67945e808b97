#include "simulate/block_lanes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/view.h"
#include "simulate/counted_decode.h"
#include "simulate/ranges.h"
#include "simulate/sampler.h"
#include "system/interrupt.h"
#include "verifiers/chain/block_coin.h"
#include "verifiers/choices.h"
#include "verifiers/iteration.h"

namespace speclab {
namespace {

/// The trials of one thread. S = sum [w t - d]+ is the largest w T_k - D_k, where T_k and D_k are
/// the sums of t and d over the k tokens of largest t/d. A decision that rounding could change is
/// left to the state's own laws.
class BlockLanes {
 public:
  BlockLanes(const Rows<double>& rows, const TrialPlan& plan)
      : rows_(rows),
        plan_(plan),
        size_(static_cast<std::size_t>(rows.vocabulary())),
        width_(static_cast<double>(rows.vocabulary())),
        longest_(std::min(plan.lengths.gamma, *plan.lengths.horizon)) {
    Rows<double>::Reading reading(rows);
    corrections_.resize(rows.pair().states() * size_);
    for (State state = 0; state < rows.pair().states(); ++state) {
      add_state(state);
      reading.pause();
    }
    for (Lane& lane : lanes_) lane.path.resize(static_cast<std::size_t>(longest_) + 1);
  }

  /// Adds the trials first .. last - 1.
  void run(std::uint64_t first, std::uint64_t last, Tally& tally) {
    Rows<double>::Reading reading(rows_);
    std::size_t used = 0;
    while (used < kLanes && first < last) begin(lanes_[used++], first++);
    while (used > 0) {
      check_interrupted();
      reading.pause();
      draft(used);
      for (std::size_t l = used; l-- > 0;) {
        if (iterate(lanes_[l], tally)) continue;
        if (first < last) {
          begin(lanes_[l], first++);
        } else {
          std::swap(lanes_[l], lanes_[--used]);
        }
      }
    }
  }

 private:
  static constexpr std::size_t kLanes = 8;

  /// Far above the rounding of sums of probabilities.
  static constexpr double kDoubt = 1e-12;

  /// A cell of an alias table (model/alias.h), of its own token [0] and the other one [1].
  struct Cell {
    double keep;
    std::array<State, 2> next;
  };
  struct DraftCell : Cell {
    std::array<double, 2> ratio;  ///< t/d
  };
  struct Sums {
    double target;  ///< T_k
    double draft;   ///< D_k
  };
  /// A context on the way through a draft.
  struct Place {
    double weight;
    State node;
  };
  struct Lane {
    Sampler numbers{0, 0, kOnlyRun};
    State node = 0;
    Window window;
    CountedDecode counts;
    std::vector<Place> path;  ///< [i]: after i drafts
  };
  struct Outcome {
    int accepted;
    Ending ending;
  };

  void add_state(State state) {
    const StateTable& table = rows_.table(state);
    const auto drafts = draft_alias(rows_, state).entries();
    const auto corrections = table.residual_alias().entries();
    whole_.push_back(corrections.empty() ? 0 : table.residual().mass);
    const auto next = [&](std::size_t x) { return rows_.next(state, static_cast<Token>(x)); };
    const Laws<double> laws = laws_at(rows_, state);
    const auto ratio = [&](std::size_t x) {
      const auto token = static_cast<Token>(x);
      return laws.draft(token) > 0 ? likelihood_ratio(laws, token) : 0;
    };
    Sums sums{0, 0};
    for (std::size_t x = 0; x < size_; ++x) {
      const auto cell = [&](const AliasTable::Entry& entry) {
        return Cell{entry.keep, {next(x), next(entry.other)}};
      };
      drafts_.push_back({cell(drafts[x]), {ratio(x), ratio(drafts[x].other)}});
      if (!corrections.empty()) corrections_[state * size_ + x] = cell(corrections[x]);
      sums = {sums.target + table.target_at(x), sums.draft + table.draft_at(x)};
      sums_.push_back(sums);
      after_.push_back(next(static_cast<std::size_t>(table.token(x))));
    }
  }

  void begin(Lane& lane, std::uint64_t trial) const {
    lane.numbers = Sampler(plan_.key, trial, kOnlyRun);
    lane.node = plan_.starts[choose_start(plan_, trial)];
    lane.counts.begin(plan_.lengths);
    set_window(lane);
  }

  void set_window(Lane& lane) const {
    const auto left = static_cast<std::uint64_t>(*plan_.lengths.horizon) - lane.counts.tokens;
    lane.window = window_within(plan_.lengths.gamma, static_cast<int>(left));
    lane.path[0] = {1, lane.node};
  }

  /// The cell of a state's alias table, and which of its tokens is drawn there.
  template <class C>
  std::pair<const C&, std::size_t> drawn(const std::vector<C>& cells, State node,
                                         double number) const {
    const double place = number * width_;
    const auto at = static_cast<std::uint32_t>(place);
    const C& cell = cells[node * size_ + at];
    // Which of them it is is unpredictable, so there is no branch.
    return {cell, 1 - (std::bit_cast<std::uint64_t>(place - at - cell.keep) >> 63)};
  }

  /// Drafts of the first `used` lanes, in step.
  void draft(std::size_t used) {
    for (int i = 0; i < longest_; ++i) {
      for (std::size_t l = 0; l < used; ++l) {
        Lane& lane = lanes_[l];
        if (i >= lane.window.drafts) continue;
        Place* const here = &lane.path[static_cast<std::size_t>(i)];
        const auto [cell, x] = drawn(drafts_, here->node, lane.numbers.draft_number());
        here[1] = {std::min(1.0, here->weight * cell.ratio[x]), cell.next[x]};
      }
    }
  }

  /// What follows the drafts of an iteration. False where that was the decode's last one, which is
  /// then added.
  bool iterate(Lane& lane, Tally& tally) const {
    const Outcome outcome = settle(lane);
    CountedDecode& counts = lane.counts;
    const auto accepted = static_cast<std::uint64_t>(outcome.accepted);
    const bool undefined = outcome.ending == Ending::undefined;
    if (counts.iterations == 0) {
      add_one(tally.accepted, accepted);
      if (undefined) ++tally.undefined_iterations;
    }
    ++counts.iterations;
    ++counts.calls;
    counts.steps += static_cast<std::uint64_t>(lane.window.drafts);
    counts.tokens += accepted;
    if (outcome.ending == Ending::correction) ++counts.rejections;
    if (outcome.ending == Ending::correction || outcome.ending == Ending::bonus) ++counts.tokens;
    if (!counts.reached.empty()) ++counts.reached[accepted];
    set_window(lane);
    if (!undefined && counts.tokens < static_cast<std::uint64_t>(*plan_.lengths.horizon)) {
      return true;
    }
    counts.add_to(tally);
    ++tally.trials;
    if (undefined) ++tally.undefined_trials;
    return false;
  }

  /// As settle_block (verifiers/chain/block_path.h); leaves the lane at the last token's state.
  Outcome settle(Lane& lane) const {
    int i = lane.window.drafts;
    const Place* at = &lane.path[static_cast<std::size_t>(i)];
    lane.node = at->node;
    if (lane.numbers.coin_number() < at->weight) {
      if (!lane.window.bonus) return {i, Ending::horizon};
      return {i, draw(lane, 1, 0, 1) ? Ending::bonus : Ending::undefined};
    }
    double mass = 0;
    do {
      --i;
      --at;
      mass = excess(*at);
    } while (i > 0 && !accepts(lane, *at, mass));
    lane.node = at->node;
    return {i, draw(lane, at->weight, 1, mass) ? Ending::correction : Ending::undefined};
  }

  /// S, or below 0 where no token has w t > d. Exact at w = 1.
  [[nodiscard]] double excess(const Place& place) const {
    if (place.weight == 1) return whole_[place.node];
    const Sums* const sums = &sums_[place.node * size_];
    double largest = -1;
    for (std::size_t k = 0; k < size_; ++k) {
      largest = std::max(largest, place.weight * sums[k].target - sums[k].draft);
    }
    return largest;
  }

  /// Whether the coin of a sub-block, of probability mass / (mass + 1 - w), accepts. A coin of 0 is
  /// not tossed.
  bool accepts(Lane& lane, const Place& place, double mass) const {
    const double missing = 1 - place.weight;
    if (std::abs(mass) > (missing > 0 ? kDoubt : 0)) {
      if (mass < 0) return false;
      const double number = lane.numbers.coin_number();
      if (missing == 0) return true;
      const double over = number * (mass + missing) - mass;
      return std::abs(over) > kDoubt ? over < 0 : number < coin(place);
    }
    const double probability = coin(place);
    return probability > 0 && lane.numbers.accept(probability);
  }

  [[nodiscard]] double coin(const Place& place) const {
    return block_coin(laws_at(rows_, place.node).residual(place.weight).mass(), place.weight);
  }

  /// Moves the lane to the state after a token drawn from [a t - b d]+, of about this mass. False
  /// where that is undefined.
  bool draw(Lane& lane, double a, double b, double mass) const {
    const double number = lane.numbers.correction_number();
    if (a == b && mass > 0) {
      const auto [cell, x] = drawn(corrections_, lane.node, number);
      lane.node = cell.next[x];
      return true;
    }
    if (const auto rank = rank_of(lane.node, a, b, number * mass)) {
      lane.node = after_[lane.node * size_ + *rank];
      return true;
    }
    const Token token = pick(laws_at(rows_, lane.node).gap(a, b), number);
    if (token == kUndefined) return false;
    lane.node = rows_.next(lane.node, token);
    return true;
  }

  /// The first rank k with a T_k - b D_k > left; empty where it is in doubt.
  [[nodiscard]] std::optional<std::size_t> rank_of(State node, double a, double b,
                                                   double left) const {
    const Sums* const sums = &sums_[node * size_];
    double before = -1;
    for (std::size_t k = 0; k < size_; ++k) {
      const double here = a * sums[k].target - b * sums[k].draft;
      if (here > left) {
        if (std::min(here - left, left - before) < kDoubt) return std::nullopt;
        return k;
      }
      before = here;
    }
    return std::nullopt;
  }

  const Rows<double>& rows_;
  const TrialPlan& plan_;
  std::size_t size_;                ///< V
  double width_;                    ///< V as well, of which a number is a part
  int longest_;                     ///< draft
  std::vector<DraftCell> drafts_;   ///< [state * V + cell]
  std::vector<Sums> sums_;          ///< [state * V + k - 1]
  std::vector<State> after_;        ///< likewise: after the token that T_k has and T_{k-1} has not
  std::vector<double> whole_;       ///< [state]: S at w = 1
  std::vector<Cell> corrections_;   ///< [state * V + cell], where that is positive: of [t - d]+
  std::array<Lane, kLanes> lanes_;  ///< the first ones are in use
};

/// Whether the lanes count all that the plan asks for, and serve the pair: their tables are small
/// (72 bytes a cell, for each thread) and short, as a mass takes a pass over them.
bool served(const Rows<double>& rows, const TrialPlan& plan) {
  constexpr std::size_t kMostTokens = 32;
  constexpr std::size_t kMostCells = 8192;
  constexpr int kMostDrafts = 4096;
  // Those have alias tables of their corrections, which the lanes must draw from too.
  static_assert(kMostTokens <= StateTable::kSmall);
  const auto vocabulary = static_cast<std::size_t>(rows.vocabulary());
  return draws_side_by_side(plan) && !rows.resets() &&
         std::min(plan.lengths.gamma, *plan.lengths.horizon) <= kMostDrafts &&
         vocabulary <= kMostTokens && rows.pair().states() <= kMostCells / vocabulary;
}

}  // namespace

TrialRange block_lanes(const Rows<double>& rows, const TrialPlan& plan) {
  if (!served(rows, plan)) return {};
  return range_of(std::make_shared<BlockLanes>(rows, plan));
}

}  // namespace speclab
