#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "audit/aspect.h"
#include "audit/law.h"

namespace speclab {

/// What a maintainer's test counts in a sample of iterations.
struct CountedPart {
  enum class Kind {
    position,  ///< the token at a position, of the iterations that emit as many
    last,      ///< the last token: the correction or the bonus
    accepted,  ///< the accepted length
    tokens,    ///< the accepted length with the whole list of emitted tokens
  };
  Kind kind = Kind::position;
  int position = 1;  ///< from 1
};

/// A cell of the histogram: one token, one length, or a length and a list of tokens
/// (whole_outcome).
using CountedCell = OutcomeKey;
using CellLaw = KeyLaw;

/// The law of what is counted; iterations that have none of it are left out.
CellLaw counted_law(const AuditLaw& law, const CountedPart& part);

/// A test of a histogram: it fails an implementation whose statistic is too large.
struct HistogramTest {
  enum class Kind {
    chi_square,     ///< sum of (k - e)^2 / e; cells below least_expected are one cell, and none
                    ///< where that is below it too
    tv,             ///< half the sum of |k / n - p|
    max_deviation,  ///< the largest |k / n - p|, or in standard deviations
    kl,             ///< sum of p log(p n / k): infinite where k = 0 < p
    kl_difference,  ///< |that less that of as many samples of the law itself|
    binomial,       ///< an exact test of each cell and, of outcomes, of each accepted length
    order,          ///< of each pair of tokens the first must be counted more often
  };
  Kind kind = Kind::chi_square;
  /// One of: a bound on the statistic; a bound in standard deviations (chi-square: df + x
  /// sqrt(2 df)); a false-alarm probability (chi-square, binomial).
  std::optional<double> threshold, sigmas, level;
  double least_expected = 5;
  std::vector<std::pair<int, int>> order;
};

/// A probability that a test fails an implementation, with its 95% interval where it is estimated.
struct TestPower {
  double value = 0;
  double low = 0, high = 0;
  bool exact = false;
};

/// A histogram test of a rule with a number of samples.
class CellTest {
 public:
  /// Simulated samples of a power: its interval is at most 0.023 wide each way.
  static constexpr int kReplicates = 2000;

  /// @param rule  the law of what is counted under the right rule; sums to 1 at most
  CellTest(CellLaw rule, HistogramTest test, std::uint64_t samples);

  /// The probability that the test fails an implementation with this law: exact where two cells
  /// share every sample, else estimated from kReplicates samples.
  [[nodiscard]] TestPower power(const CellLaw& law, std::uint64_t seed) const;

 private:
  struct Cells;
  [[nodiscard]] Cells cells_of(const CellLaw& law) const;
  [[nodiscard]] bool rejects(const Cells& cells, std::span<const std::uint64_t> counts,
                             std::span<const std::uint64_t> others) const;
  [[nodiscard]] double chi_square_excess(const Cells& cells,
                                         std::span<const std::uint64_t> counts) const;
  [[nodiscard]] TestPower exact_power(const Cells& cells) const;
  [[nodiscard]] double best_cell_power(const Cells& cells) const;

  CellLaw rule_;
  HistogramTest test_;
  std::uint64_t samples_;
};

}  // namespace speclab
