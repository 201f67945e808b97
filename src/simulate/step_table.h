#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/rows.h"
#include "verifiers/registry.h"

namespace speclab {

/// The laws of the steps of a verifier that is made of them (verifiers/program.h), on a pair of few
/// states: for each state one alias table over the *outcomes* (token, accepted or correction) of a
/// step, and one over the bonus tokens. One random word draws an outcome, where the verifier's own
/// decisions take up to three.
///
/// Rounding. The weight of an outcome is the sum of the weights, in doubles, of the sequences of
/// decisions that lead to it: a draft's probability times a coin's times a correction's. It is cut
/// to a multiple of 2^-64, and the likeliest outcome of a row takes what is missing from 1. The
/// alias table draws these multiples exactly.
class StepTable {
 public:
  /// 2^bits() of them are a row. The high bits of a word name the cell, and the low ones are below
  /// `keep` where the cell's own outcome [0] is drawn, or else the other one [1] is.
  struct Cell {
    std::uint64_t keep;
    /// For each outcome the index of the first cell of the step's row after it, a multiple of 4;
    /// plus kEnds where the iteration ends.
    std::array<std::uint32_t, 2> next;
  };
  static constexpr std::uint32_t kEnds = 1;

  struct Outcome {
    Token token;
    bool ends;
  };

  /// Null where the verifier is not made of steps, some step is undefined, an iteration's state is
  /// drawn at random (Pair::roots), or the pair has too many states or tokens. It depends on
  /// nothing else: a verifier is drawn in one way on a pair.
  /// @param verifier  prepared for the pair of `rows`
  static std::shared_ptr<const StepTable> make(const Verifier& verifier, const Rows<double>& rows);

  /// From the weights of outcomes, which sum to 1 up to rounding.
  /// @param weights  2V numbers a row, accepted tokens and then ending ones; of each state the row
  /// of the step, then that of the bonus
  StepTable(const Rows<double>& rows, std::span<const double> weights);

  [[nodiscard]] int bits() const { return bits_; }
  [[nodiscard]] std::span<const Cell> cells() const { return cells_; }

  /// The index of the first cell of the state's step; its bonus follows.
  [[nodiscard]] std::uint32_t row(State state) const { return state * (std::uint32_t{2} << bits_); }

  /// The step, or the bonus, that a word draws at a state.
  [[nodiscard]] Outcome draw(State state, bool bonus, std::uint64_t word) const {
    const std::size_t at =
        row(state) + (std::size_t{bonus} << bits_) + static_cast<std::size_t>(word >> (64 - bits_));
    const std::size_t other = (word & (~std::uint64_t{0} >> bits_)) < cells_[at].keep ? 0 : 1;
    return {tokens_[at][other], (cells_[at].next[other] & kEnds) != 0};
  }

 private:
  void add_row(const Rows<double>& rows, State state, std::span<const double> weights);

  int bits_ = 2;
  std::vector<Cell> cells_;                   ///< [state][step, bonus][cell]
  std::vector<std::array<Token, 2>> tokens_;  ///< of the outcomes of each cell
};

}  // namespace speclab
