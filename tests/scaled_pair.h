#pragma once

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <optional>
#include <vector>

#include "model/pair.h"

namespace speclab {

/// A random scaled target on a draft: `count` tokens, neighbours and the last one among them, have
/// more than their share. @param count  at most half of the tokens
inline ScaledTarget random_scaled_target(std::span<const double> draft, std::size_t count,
                                         double share, boost::random::mt19937& engine) {
  boost::random::uniform_01<double> uniform;
  ScaledTarget law{share, {}};
  const std::size_t last = draft.size() - 1;
  double added = 0;
  for (std::size_t i = 0; i < count; ++i) {
    // The last token, then two neighbours of every four.
    const std::size_t x = i + 1 == count ? last : i / 2 * 4 + i % 2;
    const double more = std::pow(uniform(engine), 6) + 1e-3;
    added += more;
    law.others.push_back({static_cast<Token>(x), more});
  }
  for (auto& other : law.others) {
    other.target =
        other.target / added * (1 - share) + share * draft[static_cast<std::size_t>(other.token)];
  }
  return law;
}

/// A draft law in which every token has probability, of very unequal size.
inline std::vector<double> random_draft(std::size_t size, boost::random::mt19937& engine) {
  boost::random::uniform_01<double> uniform;
  std::vector<double> law(size);
  double mass = 0;
  for (double& entry : law) mass += entry = std::pow(uniform(engine), 6) + 1e-4;
  for (double& entry : law) entry /= mass;
  return law;
}

/// A chain of three states that share one draft. Their targets are scaled ones.
class ScaledPair final : public DoublePair {
 public:
  /// @param scaled  whether scaled_target() has them, or the rows alone
  ScaledPair(std::size_t size, std::size_t others, bool scaled) : scaled_(scaled) {
    boost::random::mt19937 engine(7);
    draft_ = random_draft(size, engine);
    for (const double share : {0.25, 0.625, 1.0}) {
      const std::size_t count = share == 1 ? 0 : others;
      targets_.push_back(random_scaled_target(draft_, count, share, engine));
    }
  }

  using DoublePair::rows;
  [[nodiscard]] Token vocabulary() const override { return static_cast<Token>(draft_.size()); }
  [[nodiscard]] State states() const override { return static_cast<State>(targets_.size()); }
  [[nodiscard]] State next(State state, Token token) const override {
    return static_cast<State>((state + static_cast<State>(token)) % targets_.size());
  }
  [[nodiscard]] State draft_state(State /*state*/) const override { return 0; }
  void rows(State state, std::span<double> draft, std::span<double> target) const override {
    std::copy(draft_.begin(), draft_.end(), draft.begin());
    write_row(targets_[state], draft, target);
  }
  [[nodiscard]] std::optional<ScaledTarget> scaled_target(
      State state, std::span<const double> /*draft*/) const override {
    if (!scaled_) return std::nullopt;
    return targets_[state];
  }

 private:
  bool scaled_;
  std::vector<double> draft_;
  std::vector<ScaledTarget> targets_;
};

}  // namespace speclab
