#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "exact/enumerator.h"
#include "model/path_view.h"
#include "verifiers/contract.h"

namespace speclab {

/// The law of one iteration given all that it drafts.
struct GivenLaw {
  std::vector<double> accepted;  ///< P(tau = i | drafts), i = 0 .. gamma
  double tokens = 0;             ///< E[emitted tokens | drafts]
  double undefined = 0;          ///< P(undefined | drafts)
};

/// Takes every sequence of decisions along a recorded path. A token that the verifier draws from a
/// law on the path goes on along it or leaves it, and a context off the path has no rows: all
/// tokens that leave it are one outcome. Of the last draw nothing is asked but whether it can be
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
    return Enumerator<double>::correct(Sides{{possible ? 1.0 : 0.0, 0.0}});
  }

  template <class Law>
  Token choose(const Law& law) {
    if constexpr (requires { law.on_path(); }) {
      const Token ahead = law.on_path();
      const double along = ahead == kUndefined ? 0 : law.weight(ahead);
      Token aside = 0;
      while (aside < law.size() && (aside == ahead || !(law.weight(aside) > 0))) ++aside;
      const double away = aside < law.size() ? std::max(0.0, law.mass() - along) : 0.0;
      const Token side = Enumerator<double>::choose(Sides{{along, away}});
      return side == kUndefined ? side : side == 0 ? ahead : aside;
    } else {
      return Enumerator<double>::choose(law);
    }
  }

 private:
  /// A law of two outcomes.
  struct Sides {
    double weights[2];
    [[nodiscard]] Token size() const { return 2; }
    [[nodiscard]] double weight(Token x) const { return weights[x]; }
    [[nodiscard]] double mass() const { return weights[0] + weights[1]; }
    [[nodiscard]] Token pick(double u) const { return pick_in_order(*this, u); }
  };
};

/// The law of a program's iteration whose drafts are the first tokens of `rows`.
/// @throws InputError where it needs what is not recorded; ContractError where it does not take one
/// chain of drafts in its order
template <class Program>
GivenLaw given_law_of(const void* program, const PathRows& rows, Window window) {
  constexpr std::uint64_t kStride = 256;
  constexpr std::uint64_t kMostSequences = 10'000'000;
  const PathView view(rows);
  const auto drafted = rows.tokens().first(static_cast<std::size_t>(window.drafts));
  GivenDrafts given({std::vector<Token>(drafted.begin(), drafted.end())});
  PathChoices choices;
  choices.follow({.given = &given});
  Iteration<PathView> out;
  GivenLaw law;
  law.accepted.assign(drafted.size() + 1, 0.0);
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
    const auto accepted = static_cast<std::size_t>(out.accepted);
    if (accepted > out.tokens.size() ||
        !std::equal(drafted.begin(), drafted.begin() + out.accepted, out.tokens.begin())) {
      throw ContractError("the verifier does not take one chain of drafts in its order");
    }
    const double weight = choices.weight();
    law.accepted[accepted] += weight;
    law.tokens += weight * static_cast<double>(out.tokens.size());
    if (out.ending == Ending::undefined) law.undefined += weight;
  } while (choices.advance());
  return law;
}

}  // namespace speclab
