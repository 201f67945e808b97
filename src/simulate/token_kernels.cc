#include <algorithm>
#include <array>

#include "simulate/token_lanes.h"
#include "system/processor.h"

// Highway compiles this file once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simulate/token_kernels.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace speclab::HWY_NAMESPACE {
#if HWY_MAX_BYTES >= 32
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kLanes = TokenBatch::kLanes;
constexpr std::size_t kGroups = TokenBatch::kGroups;
constexpr hn::CappedTag<double, kLanes> kReals;
constexpr hn::RebindToUnsigned<decltype(kReals)> kWords;
using Reals = hn::Vec<decltype(kReals)>;
using Words = hn::Vec<decltype(kWords)>;
using Mask = hn::Mask<decltype(kWords)>;

constexpr std::size_t kWidth = hn::MaxLanes(kReals);
constexpr std::size_t kParts = kLanes / kWidth;  ///< vectors a group

/// Stream::to_uniform of some words.
HWY_INLINE Reals to_uniform(const std::uint64_t* words) {
  const auto bits = hn::BitCast(hn::RebindToSigned<decltype(kReals)>(),
                                hn::ShiftRight<11>(hn::Load(kWords, words)));
  return hn::Mul(hn::ConvertTo(kReals, bits), hn::Set(kReals, 0x1p-53));
}

/// CellPlace of some words.
struct Places {
  HWY_INLINE Places(const std::uint64_t* words, double vocabulary) {
    const Reals place = hn::Mul(to_uniform(words), hn::Set(kReals, vocabulary));
    const Reals whole = hn::Trunc(place);
    // The low bits of 2^52 + n are n.
    const Reals shift = hn::Set(kReals, 0x1p52);
    cell = hn::Xor(hn::BitCast(kWords, hn::Add(whole, shift)), hn::BitCast(kWords, shift));
    inside = hn::Sub(place, whole);
  }
  Words cell;
  Reals inside;
};

void to_places(const LaneWords& words, double vocabulary, CellPlace* places) {
  for (std::uint32_t i = 0; i < LaneWords::kWords; ++i) {
    for (std::size_t l = 0; l < kLanes; l += kWidth, places += kWidth) {
      const Places made(words.word(i) + l, vocabulary);
      hn::StoreInterleaved2(made.cell, hn::BitCast(kWords, made.inside), kWords,
                            reinterpret_cast<std::uint64_t*>(places));
    }
  }
}

/// Vectors from `cells`, every kStride-th one, with kPart numbers from each.
template <std::size_t kPart, std::size_t kStride, class D>
HWY_INLINE hn::Vec<D> join(D d, const double* const* cells) {
  if constexpr (hn::MaxLanes(d) > kPart) {
    constexpr hn::Half<D> half;
    const double* const* upper = cells + kStride * hn::MaxLanes(half) / kPart;
    return hn::Combine(d, join<kPart, kStride>(half, upper), join<kPart, kStride>(half, cells));
  } else {
    return hn::LoadU(d, *cells);
  }
}

/// Where some cells begin. Whole cells are loaded and turned into columns by shuffles: a gather
/// takes a load for every number, and it takes ten times as long on processors that are protected
/// against stale gathers.
template <class Cell>
struct Addresses {
  HWY_INLINE Addresses(const Cell* cells, Words index) {
    alignas(64) std::uint64_t at[kWidth];
    hn::Store(index, kWords, at);
    for (std::size_t l = 0; l < kWidth; ++l) of[l] = reinterpret_cast<const double*>(cells + at[l]);
  }
  const double* of[kWidth];
};

/// The columns of cells of two numbers.
struct TwoColumns {
  template <class Cell>
  HWY_INLINE TwoColumns(const Cell* cells, Words index) {
    static_assert(sizeof(Cell) == 2 * sizeof(double));
    const Addresses<Cell> at(cells, index);
    const Reals even = join<2, 2>(kReals, at.of);
    const Reals odd = join<2, 2>(kReals, at.of + 1);
    first = hn::InterleaveLower(kReals, even, odd);
    second = hn::InterleaveUpper(kReals, even, odd);
  }
  Reals first;
  Reals second;
};

/// The columns of cells of the draft.
struct DraftColumns {
  HWY_INLINE DraftColumns(const TokenCells::Draft* cells, Words index) {
    static_assert(sizeof(TokenCells::Draft) == 4 * sizeof(double));
    const Addresses<TokenCells::Draft> at(cells, index);
    const auto part = [&](std::size_t q)
                          HWY_ATTR { return join<4, 1>(kReals, at.of + q * kWidth / 4); };
    const Reals a = part(0), b = part(1), c = part(2), d = part(3);
    const Reals low = hn::ConcatEven(kReals, b, a), high = hn::ConcatEven(kReals, d, c);
    const Reals low_odd = hn::ConcatOdd(kReals, b, a), high_odd = hn::ConcatOdd(kReals, d, c);
    keep = hn::ConcatEven(kReals, high, low);
    ratio[0] = hn::ConcatEven(kReals, high_odd, low_odd);
    ratio[1] = hn::ConcatOdd(kReals, high, low);
    next = hn::ConcatOdd(kReals, high_odd, low_odd);
  }
  Reals keep;
  Reals ratio[2];
  Reals next;
};

/// The low half of each word where `low`, or else the high half.
HWY_INLINE Words half_of(Reals words, Mask low) {
  const Words both = hn::BitCast(kWords, words);
  return hn::And(hn::IfThenElse(low, both, hn::ShiftRight<32>(both)), hn::Set(kWords, 0xffffffff));
}

HWY_INLINE Mask less(Reals a, Reals b) { return hn::RebindMask(kWords, hn::Lt(a, b)); }

/// Trials side by side.
struct TrialVectors {
  Words row;
  Words rejections;  ///< times kLanes, plus the lane: an index into the corrections
  Words redrafted;
  Words first;
  Mask unbroken;
  Mask accepted;
};

/// One position of some trials.
/// @param draft_words, coin_words, corrections  of these trials
/// @param left  positions after this one
HWY_INLINE void step(const TokenCells& cells, const std::uint64_t* draft_words,
                     const std::uint64_t* coin_words, const CellPlace* corrections, Words left,
                     TrialVectors& trials) {
  const Places place(draft_words, cells.vocabulary);
  const DraftColumns draft(cells.draft.data(), hn::Add(trials.row, place.cell));
  const Mask own = less(place.inside, draft.keep);
  const Reals ratio = hn::IfThenElse(hn::RebindMask(kReals, own), draft.ratio[0], draft.ratio[1]);

  const TwoColumns cell_inside(corrections, trials.rejections);
  const TwoColumns residual(cells.residual.data(),
                            hn::Add(trials.row, hn::BitCast(kWords, cell_inside.first)));

  trials.accepted = less(to_uniform(coin_words), ratio);
  trials.unbroken = hn::And(trials.unbroken, trials.accepted);
  trials.row = hn::IfThenElse(trials.accepted, half_of(draft.next, own),
                              half_of(residual.second, less(cell_inside.second, residual.first)));
  trials.rejections = hn::IfThenElse(trials.accepted, trials.rejections,
                                     hn::Add(trials.rejections, hn::Set(kWords, kLanes)));
  trials.redrafted =
      hn::IfThenElse(trials.accepted, trials.redrafted, hn::Add(trials.redrafted, left));
  trials.first =
      hn::IfThenElse(trials.unbroken, hn::Add(trials.first, hn::Set(kWords, 1)), trials.first);
}

/// Four groups: a group's look-ups wait for its position before, so that the groups fill each
/// other's waits.
void run(const TokenCells& cells, TokenBatch& batch) {
  std::array<LaneWords, kGroups> drafts{
      LaneWords(batch.key, batch.first_trial, kOnlyRun),
      LaneWords(batch.key, batch.first_trial + kLanes, kOnlyRun),
      LaneWords(batch.key, batch.first_trial + 2 * kLanes, kOnlyRun),
      LaneWords(batch.key, batch.first_trial + 3 * kLanes, kOnlyRun)};
  std::array<LaneWords, kGroups> coins = drafts;
  std::array<LaneWords, kGroups> others = drafts;
  Corrections corrections(cells.vocabulary, others, &to_places, batch);
  std::array<TrialVectors, kGroups * kParts> trials;
  const Mask all = hn::FirstN(kWords, kWidth);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    trials[i] = {hn::Load(kWords, batch.row.data() + i * kWidth),
                 hn::Iota(kWords, i % kParts * kWidth),
                 hn::Zero(kWords),
                 hn::Zero(kWords),
                 all,
                 all};
  }
  for (std::uint32_t n = 0; n < batch.horizon; ++n) {
    const std::uint32_t word = n % LaneWords::kWords;
    if (word == 0) {
      for (std::size_t g = 0; g < kGroups; ++g) {
        drafts[g].fill(Purpose::draft, n / LaneWords::kWords);
        coins[g].fill(Purpose::accept, n / LaneWords::kWords);
      }
    }
    corrections.before_position([&]() HWY_ATTR {
      Words most = hn::Zero(kWords);
      for (const TrialVectors& each : trials) most = hn::Max(most, each.rejections);
      return hn::GetLane(hn::MaxOfLanes(kWords, most)) / kLanes;
    });
    const Words left = hn::Set(kWords, batch.horizon - n - 1);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      const std::size_t g = i / kParts;
      const std::size_t lane = i % kParts * kWidth;
      step(cells, drafts[g].word(word) + lane, coins[g].word(word) + lane,
           batch.corrections[g].data(), left, trials[i]);
    }
  }
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const TrialVectors& each = trials[i];
    const std::size_t at = i * kWidth;
    static_assert(kLanes == 1 << 3);
    hn::Store(hn::ShiftRight<3>(each.rejections), kWords, batch.rejections.data() + at);
    hn::Store(each.redrafted, kWords, batch.redrafted.data() + at);
    hn::Store(each.first, kWords, batch.first.data() + at);
    hn::Store(hn::IfThenZeroElse(each.accepted, hn::Set(kWords, 1)), kWords,
              batch.last.data() + at);
  }
}

}  // namespace

/// run, for other parts of this file.
void run_vectors(const TokenCells& cells, TokenBatch& batch) { run(cells, batch); }
#endif
}  // namespace speclab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace speclab {
namespace {

void to_places(const LaneWords& words, double vocabulary, CellPlace* places) {
  for (std::uint32_t i = 0; i < LaneWords::kWords; ++i) {
    for (std::size_t l = 0; l < TokenBatch::kLanes; ++l) {
      const double place = Stream::to_uniform(words.word(i)[l]) * vocabulary;
      const auto cell = static_cast<std::uint32_t>(place);
      *places++ = {cell, place - cell};
    }
  }
}

/// One group, without vectors.
void run_scalar(const TokenCells& cells, TokenBatch& batch) {
  constexpr std::size_t kLanes = TokenBatch::kLanes;
  LaneWords drafts(batch.key, batch.first_trial, kOnlyRun);
  LaneWords coins = drafts;
  LaneWords others = drafts;
  Corrections corrections(cells.vocabulary, {&others, 1}, &to_places, batch);
  std::array<std::uint64_t, kLanes> row;
  std::copy_n(batch.row.begin(), kLanes, row.begin());
  std::array<std::uint64_t, kLanes> rejections{};
  std::array<std::uint64_t, kLanes> redrafted{};
  std::array<std::uint64_t, kLanes> first{};
  std::array<std::uint64_t, kLanes> last{};
  const CellPlace* const places = batch.corrections[0].data();
  for (std::uint32_t n = 0; n < batch.horizon; ++n) {
    const std::uint32_t word = n % LaneWords::kWords;
    if (word == 0) {
      drafts.fill(Purpose::draft, n / LaneWords::kWords);
      coins.fill(Purpose::accept, n / LaneWords::kWords);
    }
    corrections.before_position(
        [&] { return *std::max_element(rejections.begin(), rejections.end()); });
    const std::uint64_t left = batch.horizon - n - 1;
    for (std::size_t l = 0; l < kLanes; ++l) {
      // Look-ups by a condition's value, as a branch would often be mispredicted.
      const double place = Stream::to_uniform(drafts.word(word)[l]) * cells.vocabulary;
      const auto cell = static_cast<std::uint32_t>(place);
      const TokenCells::Draft& draft = cells.draft[row[l] + cell];
      const std::size_t side = place - cell < draft.keep ? 0 : 1;

      const CellPlace other = places[rejections[l] * kLanes + l];
      const TokenCells::Residual& residual = cells.residual[row[l] + other.cell];
      const std::size_t other_side = other.inside < residual.keep ? 0 : 1;

      const std::uint64_t rejected =
          Stream::to_uniform(coins.word(word)[l]) < draft.ratio[side] ? 0 : 1;
      const std::uint64_t next[2] = {draft.next[side], residual.next[other_side]};
      row[l] = next[rejected];
      rejections[l] += rejected;
      redrafted[l] += rejected * left;
      first[l] += rejections[l] == 0 ? 1 : 0;
      last[l] = rejected;
    }
  }
  std::copy(rejections.begin(), rejections.end(), batch.rejections.begin());
  std::copy(redrafted.begin(), redrafted.end(), batch.redrafted.begin());
  std::copy(first.begin(), first.end(), batch.first.begin());
  std::copy(last.begin(), last.end(), batch.last.begin());
}

}  // namespace

std::span<const TokenKernel> token_kernels() {
  static const auto kernels = std::to_array<TokenKernel>({
#if HWY_TARGETS & HWY_AVX3
    {"avx512", TokenBatch::kGroups, &N_AVX3::run_vectors,
     allowed_instructions() >= Instructions::avx512},
#endif
#if HWY_TARGETS & HWY_AVX2
        {"avx2", TokenBatch::kGroups, &N_AVX2::run_vectors,
         allowed_instructions() >= Instructions::avx2},
#endif
    {
      "scalar", 1, &run_scalar, true
    }
  });
  return kernels;
}

}  // namespace speclab
#endif
