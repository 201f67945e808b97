#include <algorithm>
#include <array>

#include "simulate/intrinsics.h"
#include "simulate/lane_words.h"
#include "simulate/token_lanes.h"
#include "system/processor.h"

namespace speclab {
namespace {

constexpr std::size_t kLanes = TokenBatch::kLanes;
constexpr std::size_t kGroups = TokenBatch::kGroups;

/// u V for each lane: the whole part is a cell, the rest a place inside it, as AliasTable::pick
/// takes them apart.
void to_places(const LaneWords& words, double vocabulary, double* places) {
  for (std::uint32_t i = 0; i < LaneWords::kWords; ++i) {
    const std::uint64_t* word = words.word(i);
    for (std::size_t l = 0; l < kLanes; ++l) {
      places[i * kLanes + l] = Stream::to_uniform(word[l]) * vocabulary;
    }
  }
}

/// Makes the corrections that the next positions may need; a kernel asks before every position.
template <std::size_t N>
class Corrections {
 public:
  Corrections(double vocabulary, std::array<LaneWords, N>& words, TokenBatch& batch)
      : vocabulary_(vocabulary), words_(words), batch_(batch) {}

  /// @param most  the greatest number of corrections used by a lane, asked for only when needed
  template <class Most>
  void before_position(const Most& most) {
    if (unchecked_ == 0) {
      const auto used = static_cast<std::uint32_t>(most());
      if (used == made_) {
        for (std::size_t g = 0; g < N; ++g) {
          words_[g].fill(Purpose::correct, made_ / LaneWords::kWords);
          to_places(words_[g], vocabulary_, batch_.corrections[g].data() + made_ * kLanes);
        }
        made_ += LaneWords::kWords;
      }
      unchecked_ = made_ - used;
    }
    --unchecked_;
  }

 private:
  double vocabulary_;
  std::array<LaneWords, N>& words_;
  TokenBatch& batch_;
  std::uint32_t made_ = 0;       ///< a lane
  std::uint32_t unchecked_ = 0;  ///< positions until some lane may run out of them
};

void run_plain(const TokenCells& cells, TokenBatch& batch) {
  const double vocabulary = cells.vocabulary;
  std::array<LaneWords, 1> words{LaneWords(batch.key, batch.first_trial, kOnlyRun)};
  Corrections<1> corrections(vocabulary, words, batch);
  std::array<double, LaneWords::kWords * kLanes> places;
  std::array<double, LaneWords::kWords * kLanes> coins;
  std::array<std::uint64_t, kLanes> row;
  std::copy_n(batch.row.begin(), kLanes, row.begin());
  std::array<std::uint64_t, kLanes> rejections{};
  std::array<std::uint64_t, kLanes> redrafted{};
  std::array<std::uint64_t, kLanes> first{};
  std::array<std::uint64_t, kLanes> last{};
  const double* const other_places = batch.corrections[0].data();
  for (std::uint32_t n = 0; n < batch.horizon; ++n) {
    const std::uint32_t word = n % LaneWords::kWords;
    if (word == 0) {
      words[0].fill(Purpose::draft, n / LaneWords::kWords);
      to_places(words[0], vocabulary, places.data());
      words[0].fill(Purpose::accept, n / LaneWords::kWords);
      to_places(words[0], 1.0, coins.data());
    }
    corrections.before_position(
        [&] { return *std::max_element(rejections.begin(), rejections.end()); });
    const std::uint64_t left = batch.horizon - n - 1;
    for (std::size_t l = 0; l < kLanes; ++l) {
      // Look-ups by a condition's value, as a branch would often be mispredicted.
      const double place = places[word * kLanes + l];
      const auto cell = static_cast<std::uint32_t>(place);
      const TokenCells::Draft& draft = cells.draft[row[l] + cell];
      const std::size_t side = place - cell < draft.keep ? 0 : 1;

      const double other_place = other_places[rejections[l] * kLanes + l];
      const auto other_cell = static_cast<std::uint32_t>(other_place);
      const TokenCells::Residual& residual = cells.residual[row[l] + other_cell];
      const std::size_t other_side = other_place - other_cell < residual.keep ? 0 : 1;

      const std::uint64_t rejected = coins[word * kLanes + l] < draft.ratio[side] ? 0 : 1;
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

#if defined(__x86_64__)
#define SPECLAB_AVX512 __attribute__((target("avx512f,avx512dq")))

/// Stream::to_uniform of eight words.
SPECLAB_AVX512 inline __m512d to_uniform(const std::uint64_t* words) {
  const __m512i bits = _mm512_srli_epi64(_mm512_load_si512(words), 11);
  return _mm512_mul_pd(_mm512_cvtepu64_pd(bits), _mm512_set1_pd(0x1p-53));
}

/// The low half of each word, or the high half where `high`.
SPECLAB_AVX512 inline __m512i half_of(__m512i words, __mmask8 high) {
  const __m512i low = _mm512_set1_epi64(0xffffffff);
  return _mm512_and_si512(_mm512_mask_srli_epi64(words, high, words, 32), low);
}

/// Eight lanes.
struct VectorLanes {
  __m512i row;
  __m512i rejections;  ///< times kLanes, plus the lane: an index into the corrections
  __m512i redrafted;
  __m512i first;
  __mmask8 unbroken;
  __mmask8 accepted;
};

/// The lanes l .. l + 7 of a batch, before position 1.
SPECLAB_AVX512 inline void load(const TokenBatch& batch, std::size_t l, VectorLanes& lanes) {
  lanes.row = _mm512_load_si512(batch.row.data() + l);
  lanes.rejections = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
  lanes.redrafted = _mm512_setzero_si512();
  lanes.first = _mm512_setzero_si512();
  lanes.unbroken = 0xff;
  lanes.accepted = 0xff;
}

SPECLAB_AVX512 inline void store(const VectorLanes& lanes, TokenBatch& batch, std::size_t l) {
  _mm512_store_si512(batch.rejections.data() + l, _mm512_srli_epi64(lanes.rejections, 3));
  static_assert(kLanes == 1 << 3);
  _mm512_store_si512(batch.redrafted.data() + l, lanes.redrafted);
  _mm512_store_si512(batch.first.data() + l, lanes.first);
  _mm512_store_si512(
      batch.last.data() + l,
      _mm512_mask_mov_epi64(_mm512_set1_epi64(1), lanes.accepted, _mm512_setzero_si512()));
}

/// What the cells of eight lanes say, column by column.
struct DraftColumns {
  __m512d keep;
  __m512d ratio[2];
  __m512i nexts;
};
struct ResidualColumns {
  __m512d keep;
  __m512i nexts;
};

// Look-ups of whole cells that are turned into columns by shuffles. A gather takes a load for every
// number, and on processors mended against reading stale gathers it takes ten times as long.

/// Four numbers at each of two places.
SPECLAB_AVX512 inline __m512d two_cells(const double* low, const double* high) {
  return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(low)), _mm256_loadu_pd(high), 1);
}

/// @param at  the eight cells
SPECLAB_AVX512 inline DraftColumns look_up(const TokenCells::Draft* cells, __m512i at) {
  static_assert(sizeof(TokenCells::Draft) == 4 * sizeof(double));
  alignas(64) std::uint64_t place[kLanes];
  _mm512_store_si512(place, at);
  const auto cell = [&](std::size_t l) {
    return reinterpret_cast<const double*>(cells + place[l]);
  };
  const __m512d first = two_cells(cell(0), cell(4));
  const __m512d second = two_cells(cell(1), cell(5));
  const __m512d third = two_cells(cell(2), cell(6));
  const __m512d fourth = two_cells(cell(3), cell(7));
  // Numbers 0 and 2 of lanes (0, 1), (4, 5); numbers 1 and 3 of them; the same of the other lanes.
  const __m512d even = _mm512_unpacklo_pd(first, second);
  const __m512d odd = _mm512_unpackhi_pd(first, second);
  const __m512d even_too = _mm512_unpacklo_pd(third, fourth);
  const __m512d odd_too = _mm512_unpackhi_pd(third, fourth);
  const __m512i lower = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0);
  const __m512i upper = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
  return {
      _mm512_permutex2var_pd(even, lower, even_too),
      {_mm512_permutex2var_pd(odd, lower, odd_too), _mm512_permutex2var_pd(even, upper, even_too)},
      _mm512_castpd_si512(_mm512_permutex2var_pd(odd, upper, odd_too))};
}

/// Two numbers at each of four places.
SPECLAB_AVX512 inline __m512d four_cells(const double* a, const double* b, const double* c,
                                         const double* d) {
  __m512d cells = _mm512_castpd128_pd512(_mm_loadu_pd(a));
  cells = _mm512_insertf64x2(cells, _mm_loadu_pd(b), 1);
  cells = _mm512_insertf64x2(cells, _mm_loadu_pd(c), 2);
  return _mm512_insertf64x2(cells, _mm_loadu_pd(d), 3);
}

SPECLAB_AVX512 inline ResidualColumns look_up(const TokenCells::Residual* cells, __m512i at) {
  static_assert(sizeof(TokenCells::Residual) == 2 * sizeof(double));
  alignas(64) std::uint64_t place[kLanes];
  _mm512_store_si512(place, at);
  const auto cell = [&](std::size_t l) {
    return reinterpret_cast<const double*>(cells + place[l]);
  };
  const __m512d even = four_cells(cell(0), cell(2), cell(4), cell(6));
  const __m512d odd = four_cells(cell(1), cell(3), cell(5), cell(7));
  return {_mm512_unpacklo_pd(even, odd), _mm512_castpd_si512(_mm512_unpackhi_pd(even, odd))};
}

/// One number at each of eight places.
SPECLAB_AVX512 inline __m512d look_up(const double* numbers, __m512i at) {
  alignas(64) std::uint64_t place[kLanes];
  _mm512_store_si512(place, at);
  const auto two = [&](std::size_t l) SPECLAB_AVX512 {
    return _mm_loadh_pd(_mm_load_sd(numbers + place[l]), numbers + place[l + 1]);
  };
  __m512d result = _mm512_castpd128_pd512(two(0));
  result = _mm512_insertf64x2(result, two(2), 1);
  result = _mm512_insertf64x2(result, two(4), 2);
  return _mm512_insertf64x2(result, two(6), 3);
}

/// What follows the whole part of non-negative numbers.
SPECLAB_AVX512 inline __m512d part_of(__m512d places) {
  return _mm512_reduce_pd(places, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

/// One position of eight lanes.
/// @param draft_words, coin_words, corrections  of these lanes
/// @param left  positions after this one
SPECLAB_AVX512 inline void step(const TokenCells& cells, const std::uint64_t* draft_words,
                                const std::uint64_t* coin_words, const double* corrections,
                                __m512i left, VectorLanes& lanes) {
  const __m512i one = _mm512_set1_epi64(1);

  const __m512d place = _mm512_mul_pd(to_uniform(draft_words), _mm512_set1_pd(cells.vocabulary));
  const DraftColumns draft =
      look_up(cells.draft.data(), _mm512_add_epi64(lanes.row, _mm512_cvttpd_epi64(place)));
  const __mmask8 other = _mm512_cmp_pd_mask(part_of(place), draft.keep, _CMP_NLT_UQ);
  const __m512d ratio = _mm512_mask_blend_pd(other, draft.ratio[0], draft.ratio[1]);

  const __m512d other_place = look_up(corrections, lanes.rejections);
  const ResidualColumns residual =
      look_up(cells.residual.data(), _mm512_add_epi64(lanes.row, _mm512_cvttpd_epi64(other_place)));
  const __mmask8 moved = _mm512_cmp_pd_mask(part_of(other_place), residual.keep, _CMP_NLT_UQ);

  lanes.accepted = _mm512_cmp_pd_mask(to_uniform(coin_words), ratio, _CMP_LT_OQ);
  const auto rejected = static_cast<__mmask8>(~lanes.accepted);
  lanes.unbroken = static_cast<__mmask8>(lanes.unbroken & lanes.accepted);
  lanes.row = _mm512_mask_mov_epi64(half_of(residual.nexts, moved), lanes.accepted,
                                    half_of(draft.nexts, other));
  lanes.rejections = _mm512_mask_add_epi64(lanes.rejections, rejected, lanes.rejections,
                                           _mm512_set1_epi64(kLanes));
  lanes.redrafted = _mm512_mask_add_epi64(lanes.redrafted, rejected, lanes.redrafted, left);
  lanes.first = _mm512_mask_add_epi64(lanes.first, lanes.unbroken, lanes.first, one);
}

/// Four groups of eight: a group's look-ups wait for its position before, so that the groups fill
/// each other's waits.
SPECLAB_AVX512 void run_avx512(const TokenCells& cells, TokenBatch& batch) {
  std::array<LaneWords, kGroups> drafts{
      LaneWords(batch.key, batch.first_trial, kOnlyRun),
      LaneWords(batch.key, batch.first_trial + kLanes, kOnlyRun),
      LaneWords(batch.key, batch.first_trial + 2 * kLanes, kOnlyRun),
      LaneWords(batch.key, batch.first_trial + 3 * kLanes, kOnlyRun)};
  std::array<LaneWords, kGroups> coins = drafts;
  std::array<LaneWords, kGroups> others = drafts;
  Corrections<kGroups> corrections(cells.vocabulary, others, batch);
  VectorLanes lanes[kGroups];
  for (std::size_t g = 0; g < kGroups; ++g) load(batch, g * kLanes, lanes[g]);
  for (std::uint32_t n = 0; n < batch.horizon; ++n) {
    const std::uint32_t word = n % LaneWords::kWords;
    if (word == 0) {
      for (std::size_t g = 0; g < kGroups; ++g) {
        drafts[g].fill(Purpose::draft, n / LaneWords::kWords);
        coins[g].fill(Purpose::accept, n / LaneWords::kWords);
      }
    }
    corrections.before_position([&]() SPECLAB_AVX512 {
      const __m512i most =
          _mm512_max_epu64(_mm512_max_epu64(lanes[0].rejections, lanes[1].rejections),
                           _mm512_max_epu64(lanes[2].rejections, lanes[3].rejections));
      return _mm512_reduce_max_epu64(most) / kLanes;
    });
    const __m512i left = _mm512_set1_epi64(batch.horizon - n - 1);
    for (std::size_t g = 0; g < kGroups; ++g) {
      step(cells, drafts[g].word(word), coins[g].word(word), batch.corrections[g].data(), left,
           lanes[g]);
    }
  }
  for (std::size_t g = 0; g < kGroups; ++g) store(lanes[g], batch, g * kLanes);
}

#endif

}  // namespace

std::span<const TokenKernel> token_kernels() {
#if defined(__x86_64__)
  static const std::array<TokenKernel, 2> kernels{
      {{"avx512", kGroups, &run_avx512, allowed_instructions() >= Instructions::avx512},
       {"plain", 1, &run_plain, true}}};
#else
  static const std::array<TokenKernel, 1> kernels{{{"plain", 1, &run_plain, true}}};
#endif
  return kernels;
}

}  // namespace speclab
