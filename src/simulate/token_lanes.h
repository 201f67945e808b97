#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/rows.h"
#include "simulate/lane_words.h"
#include "simulate/plan.h"
#include "simulate/tally.h"

namespace speclab {

/// All that token verification needs of a pair of few states: for each state one row of V cells of
/// its two alias tables, each cell with what follows from either of its tokens, the cell's own [0]
/// and the other one [1]. Rows are named by the index of their first cell.
struct TokenCells {
  struct Draft {
    double keep;                        ///< as in AliasTable
    std::array<double, 2> ratio;        ///< target / draft of the token
    std::array<std::uint32_t, 2> next;  ///< the row after the token
  };
  struct Residual {
    double keep;
    std::array<std::uint32_t, 2> next;
  };

  explicit TokenCells(const Rows<double>& rows);

  std::uint32_t vocabulary;
  std::vector<Draft> draft;        ///< [row + cell], of the draft
  std::vector<Residual> residual;  ///< [row + cell], of [target - draft]+
};

/// A place u V in an alias table, as AliasTable::pick takes it apart.
struct CellPlace {
  std::uint64_t cell;  ///< its whole part
  double inside;       ///< the rest
};

/// Up to 32 consecutive trials on their way through one decode, in groups of eight lanes.
struct TokenBatch {
  static constexpr std::size_t kLanes = 8;
  static constexpr std::size_t kGroups = 4;
  static_assert(kGroups * kLanes == kBatchTrials);
  template <class T>
  using Each = std::array<T, kGroups * kLanes>;

  std::uint64_t key;
  std::uint64_t first_trial;  ///< a multiple of kLanes
  std::uint32_t horizon;

  alignas(64) Each<std::uint64_t> row;         ///< the start's row
  alignas(64) Each<std::uint64_t> rejections;  ///< result
  alignas(64) Each<std::uint64_t> redrafted;   ///< draft steps of iterations after rejections
  alignas(64) Each<std::uint64_t> first;       ///< tokens accepted before the first rejection
  alignas(64) Each<std::uint64_t> last;        ///< 1 where the last position was a rejection

  /// Where corrections are drawn: [group][number of the correction * kLanes + lane].
  std::array<std::vector<CellPlace>, kGroups> corrections;
};

/// Makes the corrections of a batch as they are needed.
class Corrections {
 public:
  /// Turns the words of a group into places.
  using ToPlaces = void (*)(const LaneWords& words, double vocabulary, CellPlace* places);

  /// @param words  of each group
  Corrections(std::uint32_t vocabulary, std::span<LaneWords> words, ToPlaces to_places,
              TokenBatch& batch)
      : vocabulary_(vocabulary), words_(words), to_places_(to_places), batch_(batch) {}

  /// Makes what the next positions may need. A kernel calls it before every position.
  /// @param most  returns the greatest number of corrections used by a lane
  template <class Most>
  void before_position(const Most& most) {
    if (unchecked_ == 0) {
      const auto used = static_cast<std::uint32_t>(most());
      if (used == made_) make();
      unchecked_ = made_ - used;
    }
    --unchecked_;
  }

 private:
  void make();

  double vocabulary_;
  std::span<LaneWords> words_;
  ToPlaces to_places_;
  TokenBatch& batch_;
  std::uint32_t made_ = 0;       ///< for each lane
  std::uint32_t unchecked_ = 0;  ///< positions until some lane may run out of corrections
};

/// One implementation of the decode of a batch; for tests.
struct TokenKernel {
  const char* name;
  std::size_t groups;  ///< groups it takes at a time
  void (*run)(const TokenCells& cells, TokenBatch& batch);
  bool supported;
};

/// Every implementation, fastest first; the last one is always supported.
std::span<const TokenKernel> token_kernels();

/// Token verification of many trials side by side: an implementation of the generic program for
/// decodes whose draft length reaches the horizon, on pairs of few states. It reads the same words
/// of the same streams and makes the same decisions, so its tallies are the generic ones, bit for
/// bit.
///
/// All trials are at the same position at the same time, and every position takes one draft number
/// and one coin; only corrections are taken at each trial's own pace. Accepted and corrected tokens
/// are both looked up and one is selected, so nothing branches on a coin. An object belongs to one
/// thread.
class TokenLanes {
 public:
  static constexpr std::uint64_t kLanes = TokenBatch::kLanes;

  /// Null where the plan or the pair is outside what the kernels serve.
  static std::shared_ptr<TokenLanes> make(const Rows<double>& rows, const TrialPlan& plan);

  TokenLanes(const Rows<double>& rows, const TrialPlan& plan, const TokenKernel& kernel);

  /// Adds the trials first .. last - 1. @pre both are multiples of kLanes
  void run(std::uint64_t first, std::uint64_t last, Tally& tally);

 private:
  void decode(std::uint64_t first, const TokenKernel& kernel, Tally& tally);

  const TrialPlan& plan_;
  const TokenKernel& kernel_;
  TokenCells cells_;
  TokenBatch batch_;
};

}  // namespace speclab
