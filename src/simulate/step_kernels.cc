#include <algorithm>
#include <array>

#include "base/random.h"
#include "simulate/philox.h"
#include "simulate/step_lanes.h"
#include "system/processor.h"

// Highway compiles this file once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simulate/step_kernels.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace speclab::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<std::uint64_t, StepBatch::kLanes> kWords;
constexpr hn::RebindToSigned<decltype(kWords)> kSigned;
using Words = hn::Vec<decltype(kWords)>;
using Mask = hn::Mask<decltype(kWords)>;

constexpr std::size_t kWidth = hn::MaxLanes(kWords);
constexpr std::uint64_t kLow = 0xffffffff;

#if HWY_TARGET != HWY_SCALAR
/// Vectors from `cells`, every second one.
template <class D>
HWY_INLINE hn::Vec<D> join(D d, const std::uint64_t* const* cells) {
  if constexpr (hn::MaxLanes(d) > 2) {
    constexpr hn::Half<D> half;
    return hn::Combine(d, join(half, cells + hn::MaxLanes(half)), join(half, cells));
  } else {
    return hn::LoadU(d, *cells);
  }
}
#endif

/// The columns of some cells. Whole cells are loaded and turned into columns by shuffles: a gather
/// takes a load for every number, and it takes ten times as long on processors that are protected
/// against stale gathers.
struct Columns {
  HWY_INLINE Columns(const StepTable::Cell* cells, Words index) {
    static_assert(sizeof(StepTable::Cell) == 2 * sizeof(std::uint64_t));
    alignas(64) std::uint64_t at[kWidth];
    hn::Store(index, kWords, at);
    const std::uint64_t* of[kWidth];
    for (std::size_t l = 0; l < kWidth; ++l) {
      of[l] = reinterpret_cast<const std::uint64_t*>(cells + at[l]);
    }
#if HWY_TARGET == HWY_SCALAR  // of one lane, with no shuffles
    keep = hn::Set(kWords, of[0][0]);
    next = hn::Set(kWords, of[0][1]);
#else
    const Words even = join(kWords, of);
    const Words odd = join(kWords, of + 1);
    keep = hn::InterleaveLower(kWords, even, odd);
    next = hn::InterleaveUpper(kWords, even, odd);
#endif
  }
  Words keep;
  Words next;  ///< the own outcome's low, the other one's high
};

/// What all trials have in common.
struct Shape {
  Shape(const StepTable& table, const StepBatch& batch)
      : cells(table.cells().data()),
        bits(table.bits()),
        gamma(batch.gamma < batch.horizon ? batch.gamma : kLow),
        bonus_row(std::uint64_t{1} << bits),
        inside((std::uint64_t{1} << (64 - bits)) - 1),
        // log2 of counters a word, or of bits a counter
        word_shift(batch.counter_bits == 8 ? 3 : 2),
        bit_shift(batch.counter_bits == 8 ? 3 : 4) {}
  const StepTable::Cell* cells;
  int bits;
  std::uint64_t gamma;  ///< accepted tokens before a bonus
  std::uint64_t bonus_row;
  std::uint64_t inside;
  int word_shift;
  int bit_shift;
};

/// What all trials do at one position.
struct Position {
  Position(const StepBatch& batch, std::uint32_t n) : number(n) {
    const std::uint64_t left = batch.horizon - n - 1;
    begun = left > 0 ? 1 + (std::min<std::uint64_t>(batch.gamma, left) << 32) : 0;
    rejected = begun + (1 << 16);
    first = n <= batch.gamma;
    words = batch.counter_bits == 0
                ? 0
                : std::min<std::size_t>(batch.counter_words, n * batch.counter_bits / 64 + 1);
  }
  std::uint64_t number;
  std::uint64_t begun;     ///< what the next iteration, begun here, spends
  std::uint64_t rejected;  ///< and what a rejection before it
  bool first;              ///< whether first iterations may end here
  std::size_t words;       ///< of counters that may grow here
};

/// Counts an accepted token by the number of those accepted before it in the iteration.
/// @param words  of counters, the first ones
/// @param reached  of these trials, of the first word
HWY_INLINE void count(const Shape& shape, std::size_t words, Words before, Mask accepted,
                      std::uint64_t* reached) {
  const Words word = hn::ShiftRightSame(before, shape.word_shift);
  const Words first = hn::ShiftLeftSame(word, shape.word_shift);
  const Words bit = hn::ShiftLeftSame(hn::Sub(before, first), shape.bit_shift);
  const Words one = hn::IfThenElseZero(accepted, hn::Shl(hn::Set(kWords, 1), bit));
  if (words == 1) {
    hn::StoreU(hn::Add(hn::LoadU(kWords, reached), one), kWords, reached);
    return;
  }
  for (std::size_t w = 0; w < words; ++w, reached += StepBatch::kTrials) {
    const Words here = hn::IfThenElseZero(hn::Eq(word, hn::Set(kWords, w)), one);
    hn::StoreU(hn::Add(hn::LoadU(kWords, reached), here), kWords, reached);
  }
}

/// One position of some trials.
/// @param words  of these trials
/// @returns how many first iterations have ended
HWY_INLINE std::size_t step(const Shape& shape, const Position& position,
                            const std::uint64_t* words, Words& at, Words& spent,
                            std::uint64_t* reached) {
  const Words low = hn::Set(kWords, kLow);
  const Words word = hn::Load(kWords, words);
  const Words accepted = hn::ShiftRight<32>(at);
  const Mask bonus = hn::Eq(accepted, hn::Set(kWords, shape.gamma));
  const Words row =
      hn::Add(hn::And(at, low), hn::IfThenElseZero(bonus, hn::Set(kWords, shape.bonus_row)));
  const Columns cell(shape.cells, hn::Add(row, hn::ShiftRightSame(word, 64 - shape.bits)));
  // Both are at most 2^62, as a row has four cells or more.
  const Mask own = hn::RebindMask(
      kWords, hn::Lt(hn::BitCast(kSigned, hn::And(word, hn::Set(kWords, shape.inside))),
                     hn::BitCast(kSigned, cell.keep)));
  const Words next = hn::IfThenElse(own, hn::And(cell.next, low), hn::ShiftRight<32>(cell.next));
  const Words end = hn::And(next, hn::Set(kWords, StepTable::kEnds));
  const Mask ends = hn::Eq(end, hn::Set(kWords, StepTable::kEnds));
  if (position.words > 0) count(shape, position.words, accepted, hn::Not(ends), reached);
  spent =
      hn::Add(spent, hn::IfThenElseZero(ends, hn::IfThenElse(bonus, hn::Set(kWords, position.begun),
                                                             hn::Set(kWords, position.rejected))));
  std::size_t firsts = 0;
  if (position.first) {
    // Iterations after the first have accepted fewer than all tokens so far.
    const Mask unbroken = hn::Eq(accepted, hn::Set(kWords, position.number));
    firsts = hn::CountTrue(kWords, hn::And(ends, unbroken));
  }
  const Words more = hn::Add(hn::AndNot(low, at), hn::Set(kWords, kLow + 1));
  at = hn::Add(hn::Sub(next, end), hn::IfThenZeroElse(ends, more));
  return firsts;
}

}  // namespace

/// All words of two positions at a time, as a block of the generator has two.
void run_steps(const StepTable& table, StepBatch& batch) {
  constexpr std::size_t kAtOnce = kPhiloxBlocks;
  const Shape shape(table, batch);
  alignas(64) PhiloxCounters counters;
  alignas(64) PhiloxWords words;
  counters[1].fill(Stream::first_counter(0, kOnlyRun, Purpose::draft)[1]);
  for (std::uint32_t n = 0; n < batch.horizon; n += 2) {
    const bool two = n + 1 < batch.horizon;
    const Position here(batch, n);
    const Position after(batch, two ? n + 1 : n);
    counters[0].fill(n / 2);
    for (std::size_t from = 0; from < batch.count; from += kAtOnce) {
      const std::size_t trials = std::min(kAtOnce, batch.count - from);
      for (std::size_t i = 0; i < trials; ++i) {
        const std::uint64_t trial = batch.first_trial + from + i;
        counters[2][i] = static_cast<std::uint32_t>(trial);
        counters[3][i] = static_cast<std::uint32_t>(trial >> 32);
      }
      philox_fill(batch.key, counters, trials / kPhiloxLanes, words);
      for (std::size_t i = 0; i < trials; i += kWidth) {
        const std::size_t lane = from + i;
        Words at = hn::Load(kWords, batch.at.data() + lane);
        Words spent = hn::Load(kWords, batch.spent.data() + lane);
        std::uint64_t* reached = batch.reached.data() + lane;
        batch.first[n] += step(shape, here, words[0].data() + i, at, spent, reached);
        if (two) batch.first[n + 1] += step(shape, after, words[1].data() + i, at, spent, reached);
        hn::Store(at, kWords, batch.at.data() + lane);
        hn::Store(spent, kWords, batch.spent.data() + lane);
      }
    }
  }
}

}  // namespace speclab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace speclab {

std::span<const StepKernel> step_kernels() {
  static const auto kernels = std::to_array<StepKernel>({
#if HWY_TARGETS & HWY_AVX3
    {"avx512", &N_AVX3::run_steps, allowed_instructions() >= Instructions::avx512},
#endif
#if HWY_TARGETS & HWY_AVX2
        {"avx2", &N_AVX2::run_steps, allowed_instructions() >= Instructions::avx2},
#endif
    {
      "scalar", &HWY_STATIC_DISPATCH(run_steps), true
    }
  });
  return kernels;
}

}  // namespace speclab
#endif
