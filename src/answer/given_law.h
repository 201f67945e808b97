#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/error.h"
#include "exact/enumerator.h"
#include "model/path_view.h"
#include "system/interrupt.h"
#include "verifiers/contract.h"

namespace speclab {

/// The law of one iteration given all that it drafts.
struct GivenLaw {
  std::vector<double> accepted;  ///< P(tau = i | drafts), i = 0 .. gamma
  double tokens = 0;             ///< E[emitted tokens | drafts]
  double undefined = 0;          ///< P(undefined | drafts)
};

/// Takes every sequence of decisions along recorded paths. A token that the verifier draws from a
/// law on a path goes on along one or leaves them, and a context off the paths has no rows: all
/// tokens that leave them are one outcome. Of the last draw nothing is asked but whether it can be
/// made.
class PathChoices : public Enumerator<double> {
 public:
  PathChoices() : Enumerator<double>(/*corrections=*/false) {}

  template <class Law>
  Token correct(const Law& law) {
    bool possible = false;
    if constexpr (requires { law.has_weight(); }) {
      possible = law.has_weight();
    } else {
      possible = law.mass() > 0;
    }
    return Enumerator<double>::correct(DenseLaw<double>({possible ? 1.0 : 0.0}));
  }

  template <class Law>
  Token choose(const Law& law) {
    if constexpr (requires { law.ahead(); }) {
      const auto ahead = law.ahead();
      std::vector<double> sides;
      double along = 0;
      for (const auto& step : ahead) along += sides.emplace_back(law.weight(step.token));
      const auto is_aside = [&](Token x) {
        return law.weight(x) > 0 && std::none_of(ahead.begin(), ahead.end(),
                                                 [x](const auto& step) { return step.token == x; });
      };
      Token aside = 0;
      while (aside < law.size() && !is_aside(aside)) ++aside;
      sides.push_back(aside < law.size() ? std::max(0.0, law.mass() - along) : 0.0);
      const Token side = Enumerator<double>::choose(DenseLaw<double>(std::move(sides)));
      if (side == kUndefined) return side;
      const auto chosen = static_cast<std::size_t>(side);
      return chosen < ahead.size() ? ahead[chosen].token : aside;
    } else {
      return Enumerator<double>::choose(law);
    }
  }
};

/// The law of a program's iteration whose drafts are the first tokens of the first paths of `rows`.
/// @param drafts  K, the paths that it takes
/// @throws InputError where it needs what is not recorded; ContractError where it does not keep to
/// the drafts that it is given
template <class Program>
GivenLaw given_law_of(const void* program, const PathRows& rows, int drafts, Window window) {
  constexpr std::uint64_t kStride = 256;
  constexpr std::uint64_t kMostSequences = 10'000'000;
  const PathView view(rows, /*ranked=*/drafts > 1);
  std::vector<std::vector<Token>> chains;
  for (int k = 0; k < drafts; ++k) {
    const auto drafted = rows.tokens(k).first(static_cast<std::size_t>(window.drafts));
    chains.emplace_back(drafted.begin(), drafted.end());
  }
  const auto keeps_to_drafts = [&chains](const Iteration<PathView>& out) {
    const auto accepted = static_cast<std::size_t>(out.accepted);
    return accepted <= out.tokens.size() &&
           std::any_of(chains.begin(), chains.end(), [&](const std::vector<Token>& chain) {
             return std::equal(chain.begin(), chain.begin() + out.accepted, out.tokens.begin());
           });
  };
  GivenDrafts given(chains);
  PathChoices choices;
  choices.follow({.given = &given});
  Iteration<PathView> out;
  GivenLaw law;
  law.accepted.assign(static_cast<std::size_t>(window.drafts) + 1, 0.0);
  std::uint64_t sequences = 0;
  do {
    if (sequences++ % kStride == 0) check_interrupted();
    if (sequences > kMostSequences) {
      throw LimitError(fmt::format("one iteration has more than {} sequences of coins; lower gamma",
                                   kMostSequences));
    }
    choices.restart();
    out.begin(view.root(0));
    (*static_cast<const Program*>(program))(view, view.root(0), window, choices, out);
    check_fits(out, window);
    if (!keeps_to_drafts(out)) {
      throw ContractError("the verifier does not keep to the drafts that it is given");
    }
    const double weight = choices.weight();
    law.accepted[static_cast<std::size_t>(out.accepted)] += weight;
    law.tokens += weight * static_cast<double>(out.tokens.size());
    if (out.ending == Ending::undefined) law.undefined += weight;
  } while (choices.advance());
  return law;
}

}  // namespace speclab
