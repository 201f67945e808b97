#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audit/parity/permutation.h"
#include "audit/parity/samples.h"

namespace speclab {

struct ParityOptions {
  enum class Decoding { automatic, greedy, sampled };
  Decoding decoding = Decoding::automatic;  ///< automatic: greedy where every prompt has one output
  double false_alarm = 0.01;  ///< of all looks: the chance that equal servers differ, at most
  double tv = 0.01;           ///< of the fault whose power is stated
  double power = 0.95;        ///< that is asked for
  int look = 1, looks = 1;    ///< this look at samples that are being collected, of so many
  int prefix = 32;            ///< tokens of the longest prefix
  double margin = 0;          ///< greedy: a difference at a margin up to it is a tie
  std::uint64_t seed = 1;
  int threads = 0;
};

/// A condition of the comparison that was looked at.
struct ParityCheck {
  std::string name;  ///< "prompts", "seeds", "batches of ON", ...
  bool suspect = false;
  std::string detail;
};

/// Whether these samples would show a fault of a total variation distance.
struct ParityPower {
  std::string fault;                  ///< "first token"
  double power = 0;                   ///< estimated
  double accuracy = 0;                ///< half of its 95% interval
  bool possible = true;               ///< whether the outputs at hand leave room for such a fault
  std::optional<std::uint64_t> more;  ///< outputs that would show it, on both sides together
};

/// Two greedy outputs of a prompt that differ.
struct GreedyDifference {
  std::string prompt;
  std::int64_t line_on = 0, line_off = 0;
  std::size_t position = 0;                        ///< of the first token that differs, from 0
  std::optional<std::string> token_on, token_off;  ///< nothing where that output has ended
  std::optional<double> margin;                    ///< the smaller of both sides' there
  bool tie = false;                                ///< the margin is small enough
};

struct ParityReport {
  bool greedy = false;
  bool passed = true;
  std::size_t prompts = 0, on = 0, off = 0;  ///< compared
  double level = 0;                          ///< of this look
  std::vector<std::string> statistics;       ///< sampled: their names
  PermutationTest test;
  std::vector<ParityPower> powers;
  std::vector<ParityCheck> checks;
  std::size_t equal = 0;  ///< greedy: outputs that are equal
  std::vector<GreedyDifference> differences;
};

/// Compares outputs of a served model with and without speculation: sampled ones by a two-sample
/// test of unknown laws, exchangeable within each prompt; greedy ones token by token.
/// @param progress  called with what is being done
/// @throws InputError where no prompt has outputs on both sides, or too few for a test
ParityReport compare_served(const ServedSamples& samples, const ParityOptions& options,
                            const std::function<void(const std::string&)>& progress = {});

// The parts of it.

/// Greedy outputs, token by token. @pre report counts what is compared
void compare_greedy(const ServedSamples& samples, const ParityOptions& options,
                    ParityReport& report);

/// The prompts of one side alone, where there are any.
std::optional<ParityCheck> lonely_prompts(const ServedSamples& samples);

/// Whether prompts, seeds and the order of the lines are as the test assumes.
std::vector<ParityCheck> check_served(const ServedSamples& samples, const ParityOptions& options);

/// The power of the test at these samples against faults of a TV, and what it takes, by simulation
/// from the law of the outputs at hand.
std::vector<ParityPower> parity_powers(const OutputStatistics& statistics,
                                       const ParityOptions& options, double level);

}  // namespace speclab
