#include "simulate/token_lanes.h"

namespace speclab {
namespace {

constexpr std::size_t kMaxCells = 65536;
constexpr int kMaxHorizon = 1 << 17;  // 512 bytes of corrections a position

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

/// The rows that the batch's trials start from; as choose_start, for all trials in one go.
void choose_starts(const TrialPlan& plan, std::uint32_t vocabulary, std::size_t groups,
                   TokenBatch& batch) {
  static_assert(TokenBatch::kGroups == kPhiloxGroups && TokenBatch::kLanes == kPhiloxLanes);
  if (plan.starts.size() == 1) return batch.row.fill(std::uint64_t{plan.starts[0]} * vocabulary);
  PhiloxCounters counters{};
  PhiloxWords words;
  for (std::size_t l = 0; l < groups * kPhiloxLanes; ++l) {
    const auto counter = Stream::first_counter(batch.first_trial + l, kOnlyRun, Purpose::prompt);
    for (std::size_t j = 0; j < counter.size(); ++j) counters[j][l] = counter[j];
  }
  philox_fill(plan.key, counters, groups, words);
  for (std::size_t l = 0; l < groups * kPhiloxLanes; ++l) {
    const std::size_t start = start_at(plan, Stream::to_uniform(words[0][l]));
    batch.row[l] = std::uint64_t{plan.starts[start]} * vocabulary;
  }
}

}  // namespace

void Corrections::make() {
  for (std::size_t g = 0; g < words_.size(); ++g) {
    words_[g].fill(Purpose::correct, made_ / LaneWords::kWords);
    to_places_(words_[g], vocabulary_, batch_.corrections[g].data() + made_ * TokenBatch::kLanes);
  }
  made_ += LaneWords::kWords;
}

TokenCells::TokenCells(const Rows<double>& rows)
    : vocabulary(static_cast<std::uint32_t>(rows.vocabulary())) {
  for (State state = 0; state < rows.pair().states(); ++state) {
    const StateTable& table = rows.table(state);
    const auto next = [&](std::uint32_t x) {
      return rows.next(state, static_cast<Token>(x)) * vocabulary;
    };
    const auto ratio = [&](std::uint32_t x) {
      return table.draft()[x] > 0 ? table.target()[x] / table.draft()[x] : 0.0;
    };
    const auto drafts = draft_alias(rows, state).entries();
    const auto residuals = table.residual_alias().entries();
    for (std::uint32_t x = 0; x < vocabulary; ++x) {
      const AliasTable::Entry cell = drafts[x];
      draft.push_back({cell.keep, {ratio(x), ratio(cell.other)}, {next(x), next(cell.other)}});
      const AliasTable::Entry other = residuals.empty() ? AliasTable::Entry{1.0, 0} : residuals[x];
      residual.push_back({other.keep, {next(x), next(other.other)}});
    }
  }
}

std::shared_ptr<TokenLanes> TokenLanes::make(const Rows<double>& rows, const TrialPlan& plan) {
  const Pair& pair = rows.pair();
  const bool served = plan.batched && plan.lengths.horizon &&
                      plan.lengths.gamma >= *plan.lengths.horizon && plan.lengths.iterations == 0 &&
                      !plan.single && !plan.end_token && !plan.tally_outputs;
  const auto vocabulary = static_cast<std::size_t>(rows.vocabulary());
  if (!served || vocabulary > StateTable::kSmall || pair.states() * vocabulary > kMaxCells ||
      *plan.lengths.horizon > kMaxHorizon) {
    return nullptr;
  }
  const Rows<double>::Reading reading(rows);
  for (State state = 0; state < pair.states(); ++state) {
    if (!corrections_defined(rows, state)) return nullptr;
  }
  return std::make_shared<TokenLanes>(rows, plan, fastest_of(token_kernels()));
}

TokenLanes::TokenLanes(const Rows<double>& rows, const TrialPlan& plan, const TokenKernel& kernel)
    : plan_(plan), kernel_(kernel), cells_(rows) {
  batch_.key = plan.key;
  batch_.horizon = static_cast<std::uint32_t>(*plan.lengths.horizon);
  const std::size_t groups = batch_.horizon / LaneWords::kWords + 1;
  for (std::size_t g = 0; g < kernel.groups; ++g) {
    batch_.corrections[g].resize(groups * LaneWords::kWords * kLanes);
  }
}

void TokenLanes::run(std::uint64_t first, std::uint64_t last, Tally& tally) {
  if (tally.accepted.size() <= batch_.horizon) tally.accepted.resize(batch_.horizon + 1);
  const std::uint64_t step = kernel_.groups * kLanes;
  for (; first + step <= last; first += step) decode(first, kernel_, tally);
  for (; first < last; first += kLanes) decode(first, token_kernels().back(), tally);
  while (!tally.accepted.empty() && tally.accepted.back() == 0) tally.accepted.pop_back();
}

void TokenLanes::decode(std::uint64_t first, const TokenKernel& kernel, Tally& tally) {
  batch_.first_trial = first;
  choose_starts(plan_, cells_.vocabulary, kernel.groups, batch_);
  kernel.run(cells_, batch_);
  const std::uint64_t horizon = batch_.horizon;
  for (std::size_t l = 0; l < kernel.groups * kLanes; ++l) {
    const std::uint64_t rejections = batch_.rejections[l];
    const std::uint64_t calls = 1 + rejections - batch_.last[l];
    ++tally.accepted[batch_.first[l]];
    tally.add_decode(horizon, calls, calls, rejections, horizon + batch_.redrafted[l]);
    ++tally.trials;
  }
}

}  // namespace speclab
