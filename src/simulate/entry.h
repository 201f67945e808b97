#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>
#include <vector>

#include "simulate/engine.h"
#include "simulate/token_lanes.h"
#include "simulate/trial.h"
#include "verifiers/program.h"

namespace speclab {

struct TokenVerification;

/// The uniform numbers that every draft, every coin and every correction is made from.
struct ForcedUniforms {
  double draft, coin, correction;  ///< in [0, 1)
};

/// The simulation of one verifier's programs, each handed over as a pointer to its type.
struct TrialEntry {
  /// Trials of a program; all arguments outlive the range.
  TrialRange (*make)(const void* program, const Rows<double>& rows, const TrialPlan& plan);
  /// The tokens of one iteration from a state, all its decisions forced.
  std::vector<Token> (*forced)(const void* program, const Rows<double>& rows, State start,
                               Window window, const ForcedUniforms& uniforms);
};

/// Trials one by one; those of token verification side by side where a kernel serves the plan.
template <class Program>
TrialRange trials_of(const void* program, const Rows<double>& rows, const TrialPlan& plan) {
  auto trials =
      std::make_shared<Trials<Program>>(*static_cast<const Program*>(program), rows, plan);
  if constexpr (std::is_same_v<Program, TokenVerification>) {
    if (const auto lanes = TokenLanes::make(rows, plan)) {
      return [trials, lanes](std::uint64_t first, std::uint64_t last, Tally& tally) {
        constexpr std::uint64_t kLanes = TokenLanes::kLanes;
        const std::uint64_t from = std::min(last, (first + kLanes - 1) / kLanes * kLanes);
        const std::uint64_t to = std::max(from, last / kLanes * kLanes);
        trials->run(first, from, tally);
        lanes->run(from, to, tally);
        trials->run(to, last, tally);
      };
    }
  }
  return [trials](std::uint64_t first, std::uint64_t last, Tally& tally) {
    trials->run(first, last, tally);
  };
}

template <class Program>
std::vector<Token> forced_of(const void* program, const Rows<double>& rows, State start,
                             Window window, const ForcedUniforms& uniforms) {
  using View = ViewOf<Program, double>;
  const View view(rows);
  const auto root = view.root(start);
  CheckedSampler<BufferedStream> choices(BufferedStream::constant(uniforms.draft),
                                         BufferedStream::constant(uniforms.coin),
                                         BufferedStream::constant(uniforms.correction));
  choices.begin();
  Iteration<View> out;
  out.begin(root);
  (*static_cast<const Program*>(program))(view, root, window, choices, out);
  return std::move(out.tokens);
}

template <class Program>
inline constexpr TrialEntry kTrialEntry{&trials_of<Program>, &forced_of<Program>};

}  // namespace speclab
