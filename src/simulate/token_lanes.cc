#include "simulate/token_lanes.h"

#include <algorithm>
#include <array>

#include "base/philox.h"

namespace speclab {
namespace {

constexpr std::size_t kWidth = TokenLanes::kLanes;
constexpr std::size_t kMaxCells = 65536;
constexpr int kMaxHorizon = 65536;  // redrafted steps stay below kRejection
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

/// Eight words of eight streams as places in an alias table: the cell and the place inside it, as
/// AliasTable::pick takes them apart.
struct Places {
  std::array<std::array<std::uint32_t, kWidth>, kGroupWords> cell;
  std::array<std::array<double, kWidth>, kGroupWords> inside;
};

using Uniforms = std::array<std::array<double, kWidth>, kGroupWords>;

/// Written once and compiled for several processors.
[[gnu::always_inline]] inline void split(const PhiloxGroup& words, double vocabulary,
                                         Places& places) {
  for (std::size_t i = 0; i < kGroupWords; ++i) {
    for (std::size_t l = 0; l < kWidth; ++l) {
      const double place = Stream::to_uniform(words[i][l]) * vocabulary;
      const auto cell = static_cast<std::uint32_t>(place);
      places.cell[i][l] = cell;
      places.inside[i][l] = place - cell;
    }
  }
}

[[gnu::always_inline]] inline void convert(const PhiloxGroup& words, Uniforms& uniforms) {
  for (std::size_t i = 0; i < kGroupWords; ++i) {
    for (std::size_t l = 0; l < kWidth; ++l) uniforms[i][l] = Stream::to_uniform(words[i][l]);
  }
}

/// condition ? yes : no, without a branch.
inline std::uint32_t select(bool condition, std::uint32_t yes, std::uint32_t no) {
  return no ^ ((yes ^ no) & (0U - std::uint32_t{condition}));
}

struct Conversions {
  void (*split)(const PhiloxGroup&, double, Places&);
  void (*convert)(const PhiloxGroup&, Uniforms&);
};

void split_plain(const PhiloxGroup& words, double vocabulary, Places& places) {
  split(words, vocabulary, places);
}
void convert_plain(const PhiloxGroup& words, Uniforms& uniforms) { convert(words, uniforms); }

#if defined(__x86_64__)
#define SPECLAB_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl")))
SPECLAB_AVX512 void split_avx512(const PhiloxGroup& words, double vocabulary, Places& places) {
  split(words, vocabulary, places);
}
SPECLAB_AVX512 void convert_avx512(const PhiloxGroup& words, Uniforms& uniforms) {
  convert(words, uniforms);
}
#endif

Conversions choose() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return {&split_avx512, &convert_avx512};
  }
#endif
  return {&split_plain, &convert_plain};
}

const Conversions kConversions = choose();

/// One rejection, above the draft steps of the iterations that follow rejections, in one word.
constexpr std::uint64_t kRejection = std::uint64_t{1} << 40;

}  // namespace

/// What the eight trials are at; reused from group to group.
struct TokenLanes::Lanes {
  std::array<std::uint32_t, kWidth> row;     ///< state * V
  std::array<std::uint64_t, kWidth> counts;  ///< rejections * kRejection + redrafted steps
  std::array<std::uint32_t, kWidth> first;   ///< positions before the first rejection
  std::array<std::uint32_t, kWidth> last;    ///< whether the last position was a rejection
  PhiloxGroup words;
  Places drafts;
  Uniforms coins;
  std::vector<Places> corrections;  ///< a group of eight words each
};

std::shared_ptr<const TokenLanes> TokenLanes::make(const Rows<double>& rows,
                                                   const TrialPlan& plan) {
  const Pair& pair = rows.pair();
  const bool served = plan.batched && plan.horizon && plan.gamma >= *plan.horizon &&
                      plan.iterations == 0 && !plan.single && !plan.end_token &&
                      !plan.tally_outputs;
  const auto vocabulary = static_cast<std::size_t>(rows.vocabulary());
  if (!served || vocabulary > StateTable::kSmall || pair.states() * vocabulary > kMaxCells ||
      *plan.horizon > kMaxHorizon) {
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
  lanes.corrections.resize(horizon / kGroupWords + 1);
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
    lanes.counts[l] = 0;
    lanes.first[l] = 0;
  }
  std::uint32_t made = 0;       // correction words made so far, per lane
  std::uint32_t unchecked = 0;  // positions until some lane may run out of them
  for (std::uint32_t n = 0; n < horizon; ++n) {
    const std::uint32_t word = n % kGroupWords;
    if (word == 0) {
      const std::uint32_t block = n / kGroupWords * kGroupBlocks;
      philox_fill_trials(plan_.key, block, tag(Purpose::draft), first, lanes.words);
      kConversions.split(lanes.words, vocabulary, lanes.drafts);
      philox_fill_trials(plan_.key, block, tag(Purpose::accept), first, lanes.words);
      kConversions.convert(lanes.words, lanes.coins);
    }
    if (unchecked == 0) {
      const auto used = static_cast<std::uint32_t>(
          *std::max_element(lanes.counts.begin(), lanes.counts.end()) / kRejection);
      if (used == made) {
        const std::uint32_t group = made / kGroupWords;
        philox_fill_trials(plan_.key, group * kGroupBlocks, tag(Purpose::correct), first,
                           lanes.words);
        kConversions.split(lanes.words, vocabulary, lanes.corrections[group]);
        made += kGroupWords;
      }
      unchecked = made - used;
    }
    --unchecked;
    const std::uint64_t rejection = kRejection + (horizon - n - 1);
    for (std::size_t l = 0; l < kWidth; ++l) {
      const std::uint32_t row = lanes.row[l];
      const std::uint32_t cell = lanes.drafts.cell[word][l];
      const AliasTable::Entry& draft = draft_[row + cell];
      const std::uint32_t x = select(lanes.drafts.inside[word][l] < draft.keep, cell, draft.other);
      const std::uint64_t used = lanes.counts[l] / kRejection;
      const Places& corrections = lanes.corrections[used / kGroupWords];
      const std::uint32_t other_cell = corrections.cell[used % kGroupWords][l];
      const AliasTable::Entry& residual = residual_[row + other_cell];
      const std::uint32_t y = select(corrections.inside[used % kGroupWords][l] < residual.keep,
                                     other_cell, residual.other);
      const bool accepted = lanes.coins[word][l] < ratio_[row + x];
      lanes.row[l] = next_[row + select(accepted, x, y)];
      lanes.counts[l] += rejection & (std::uint64_t{accepted} - 1);
      lanes.first[l] += lanes.counts[l] == 0 ? 1 : 0;
      lanes.last[l] = accepted ? 0 : 1;
    }
  }
  for (std::size_t l = 0; l < kWidth; ++l) {
    const std::uint64_t rejections = lanes.counts[l] / kRejection;
    const std::uint64_t calls = 1 + rejections - lanes.last[l];
    const std::uint64_t steps = horizon + lanes.counts[l] % kRejection;
    ++tally.accepted[lanes.first[l]];
    tally.tokens.add(horizon);
    tally.target_calls.add(calls);
    tally.rejections.add(rejections);
    tally.draft_steps.add(steps);
    tally.tokens_times_calls += static_cast<WideCount>(horizon) * calls;
    tally.tokens_times_steps += static_cast<WideCount>(horizon) * steps;
    tally.calls_times_steps += static_cast<WideCount>(calls) * steps;
    ++tally.trials;
  }
}

}  // namespace speclab
