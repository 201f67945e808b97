#include "simulate/token_lanes.h"

#include <algorithm>
#include <array>

#include "base/philox.h"

namespace speclab {
namespace {

constexpr std::size_t kWidth = TokenLanes::kLanes;
constexpr std::size_t kMaxCells = 65536;
constexpr std::uint32_t kGroupWords = 8;
constexpr std::uint32_t kGroupBlocks = 4;

static_assert(kWidth == kPhiloxLanes);

std::uint32_t tag(Purpose purpose) { return Stream::first_counter(0, kDecodeRun, purpose)[1]; }

/// Whether a rejection at the state always has a correction to draw.
bool corrections_defined(const Rows<double>& rows, State state) {
  if (!rows.table(state).residual_alias().empty()) return true;
  const auto draft = rows.draft(state);
  const auto target = rows.target(state);
  for (std::size_t x = 0; x < draft.size(); ++x) {
    if (draft[x] > 0 && target[x] / draft[x] < 1) return false;
  }
  return true;
}

/// As AliasTable::pick.
inline std::uint32_t pick(const AliasTable::Entry* cells, double vocabulary, std::uint64_t word) {
  const double place = Stream::to_uniform(word) * vocabulary;
  const auto cell = static_cast<std::uint32_t>(place);
  const AliasTable::Entry& entry = cells[cell];
  return place - cell < entry.keep ? cell : entry.other;
}

}  // namespace

/// What the eight trials are at; reused from group to group.
struct TokenLanes::Lanes {
  std::array<std::uint32_t, kWidth> row;         ///< state * V
  std::array<std::uint32_t, kWidth> rejections;  ///< also the correction numbers used
  std::array<std::uint32_t, kWidth> first;       ///< position of the first rejection, or T
  std::array<std::uint64_t, kWidth> redrafted;   ///< draft steps of the iterations after the first
  std::array<std::uint32_t, kWidth> rejected;    ///< whether the last position was a rejection
  PhiloxGroup drafts;
  PhiloxGroup coins;
  std::vector<std::array<std::uint64_t, kWidth>> corrections;  ///< [word][lane]
};

std::shared_ptr<const TokenLanes> TokenLanes::make(const Rows<double>& rows,
                                                   const TrialPlan& plan) {
  const Pair& pair = rows.pair();
  const bool served = plan.batched && plan.horizon && plan.gamma >= *plan.horizon &&
                      plan.iterations == 0 && !plan.single && !plan.end_token &&
                      !plan.tally_outputs;
  const auto vocabulary = static_cast<std::size_t>(rows.vocabulary());
  if (!served || vocabulary > StateTable::kSmall || pair.states() * vocabulary > kMaxCells) {
    return nullptr;
  }
  for (State state = 0; state < pair.states(); ++state) {
    if (!corrections_defined(rows, state)) return nullptr;
  }
  return std::make_shared<const TokenLanes>(rows, plan);
}

TokenLanes::TokenLanes(const Rows<double>& rows, const TrialPlan& plan)
    : plan_(plan), vocabulary_(static_cast<std::size_t>(rows.vocabulary())) {
  for (State state = 0; state < rows.pair().states(); ++state) {
    const StateTable& table = rows.table(state);
    const auto drafts = table.draft_alias().entries();
    const auto residuals = table.residual_alias().entries();
    for (std::size_t x = 0; x < vocabulary_; ++x) {
      const double draft = rows.draft(state)[x];
      draft_.push_back(drafts[x]);
      residual_.push_back(residuals.empty() ? AliasTable::Entry{1.0, 0} : residuals[x]);
      ratio_.push_back(draft > 0 ? rows.target(state)[x] / draft : 0.0);
      next_.push_back(rows.next(state, static_cast<Token>(x)) *
                      static_cast<std::uint32_t>(vocabulary_));
    }
  }
}

void TokenLanes::run(std::uint64_t first, std::uint64_t last, Tally& tally) const {
  Lanes lanes;
  const auto horizon = static_cast<std::size_t>(*plan_.horizon);
  lanes.corrections.resize(horizon + kGroupWords);
  if (tally.accepted.size() <= horizon) tally.accepted.resize(horizon + 1);
  for (std::uint64_t trial = first; trial < last; trial += kLanes) eight(trial, lanes, tally);
  while (!tally.accepted.empty() && tally.accepted.back() == 0) tally.accepted.pop_back();
}

void TokenLanes::eight(std::uint64_t first, Lanes& lanes, Tally& tally) const {
  const auto horizon = static_cast<std::uint32_t>(*plan_.horizon);
  const auto vocabulary = static_cast<double>(vocabulary_);
  for (std::size_t l = 0; l < kWidth; ++l) {
    lanes.row[l] =
        plan_.starts[choose_start(plan_, first + l)] * static_cast<std::uint32_t>(vocabulary_);
    lanes.rejections[l] = 0;
    lanes.first[l] = horizon;
    lanes.redrafted[l] = 0;
  }
  std::uint32_t made = 0;       // correction words made so far, per lane
  std::uint32_t unchecked = 0;  // positions until some lane may run out of them
  for (std::uint32_t n = 0; n < horizon; ++n) {
    const std::uint32_t word = n % kGroupWords;
    if (word == 0) {
      const std::uint32_t block = n / 2;
      philox_fill_trials(plan_.key, block, tag(Purpose::draft), first, lanes.drafts);
      philox_fill_trials(plan_.key, block, tag(Purpose::accept), first, lanes.coins);
    }
    if (unchecked == 0) {
      const std::uint32_t used =
          *std::max_element(lanes.rejections.begin(), lanes.rejections.end());
      if (used == made) {
        PhiloxGroup group;
        philox_fill_trials(plan_.key, made / kGroupWords * kGroupBlocks, tag(Purpose::correct),
                           first, group);
        std::copy(group.begin(), group.end(), lanes.corrections.begin() + made);
        made += kGroupWords;
      }
      unchecked = made - used;
    }
    --unchecked;
    const std::uint32_t left = horizon - n - 1;
    for (std::size_t l = 0; l < kWidth; ++l) {
      const std::uint32_t row = lanes.row[l];
      const std::uint32_t x = pick(draft_.data() + row, vocabulary, lanes.drafts[word][l]);
      const std::uint32_t y =
          pick(residual_.data() + row, vocabulary, lanes.corrections[lanes.rejections[l]][l]);
      const bool accepted = Stream::to_uniform(lanes.coins[word][l]) < ratio_[row + x];
      const std::uint32_t rejected = accepted ? 0 : 1;
      lanes.row[l] = next_[row + (accepted ? x : y)];
      lanes.rejections[l] += rejected;
      lanes.first[l] = std::min(lanes.first[l], accepted ? horizon : n);
      lanes.redrafted[l] += accepted ? 0 : left;
      lanes.rejected[l] = rejected;
    }
  }
  for (std::size_t l = 0; l < kWidth; ++l) {
    const std::uint64_t calls = 1 + lanes.rejections[l] - lanes.rejected[l];
    const std::uint64_t steps = horizon + lanes.redrafted[l];
    ++tally.accepted[lanes.first[l]];
    tally.tokens.add(horizon);
    tally.target_calls.add(calls);
    tally.rejections.add(lanes.rejections[l]);
    tally.draft_steps.add(steps);
    tally.tokens_times_calls += static_cast<WideCount>(horizon) * calls;
    tally.tokens_times_steps += static_cast<WideCount>(horizon) * steps;
    tally.calls_times_steps += static_cast<WideCount>(calls) * steps;
    ++tally.trials;
  }
}

}  // namespace speclab
