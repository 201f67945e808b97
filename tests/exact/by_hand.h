// Iterations written down by hand as laws, outcome by outcome, from the papers' words: no program,
// no choices and no view. A verifier's exact numbers are compared with them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "catch.h"
#include "toy.h"

namespace speclab {

using HandRow = std::vector<Rational>;

/// Draft and target at a state.
struct HandLaws {
  HandRow draft, target;
};
inline HandLaws hand_laws(const Rows<Rational>& rows, State state) {
  const auto draft = rows.draft(state);
  const auto target = rows.target(state);
  return {{draft.begin(), draft.end()}, {target.begin(), target.end()}};
}

inline Rational sum_of(const HandRow& weights) {
  Rational sum(0);
  for (const Rational& weight : weights) sum += weight;
  return sum;
}

/// The law of these weights; as they are where they have no mass.
inline HandRow normalised(HandRow weights) {
  const Rational total = sum_of(weights);
  if (total > 0) {
    for (Rational& weight : weights) weight /= total;
  }
  return weights;
}

/// The tokens with one more.
inline std::vector<Token> followed_by(std::vector<Token> tokens, std::size_t x) {
  tokens.push_back(static_cast<Token>(x));
  return tokens;
}

/// [a target - draft]+
inline HandRow excess(const HandRow& target, const HandRow& draft, const Rational& a = 1) {
  HandRow weights;
  for (std::size_t x = 0; x < target.size(); ++x) {
    const Rational gap = a * target[x] - draft[x];
    weights.push_back(gap > 0 ? gap : Rational(0));
  }
  return weights;
}

/// min(1, target / draft), draft > 0.
inline Rational ratio_to_one(const Rational& target, const Rational& draft) {
  return target < draft ? Rational(target / draft) : Rational(1);
}

/// What one iteration amounts to, with its probability.
struct HandOutcome {
  std::vector<Token> tokens;
  int accepted;
  Ending ending;
  Rational weight;
};
using HandLaw = std::vector<HandOutcome>;

/// The law of one iteration from a state.
using HandRule = std::function<HandLaw(const Rows<Rational>&, State, Window)>;

/// Adds one outcome for each token of the law proportional to `weights`, of `mass` in all; without
/// weight the outcome is undefined.
inline void end_with(HandLaw& law, const std::vector<Token>& tokens, int accepted, Ending ending,
                     const Rational& mass, const HandRow& weights) {
  if (!(mass > 0)) return;
  const Rational total = sum_of(weights);
  if (!(total > 0)) {
    law.push_back({tokens, accepted, Ending::undefined, mass});
    return;
  }
  for (std::size_t y = 0; y < weights.size(); ++y) {
    if (!(weights[y] > 0)) continue;
    law.push_back({followed_by(tokens, y), accepted, ending, Rational(mass * weights[y] / total)});
  }
}

/// Every draft was accepted: a bonus of the law `bonus`, or the horizon.
inline void finish_with(HandLaw& law, const std::vector<Token>& tokens, Window window,
                        const Rational& mass, const HandRow& bonus) {
  const auto accepted = static_cast<int>(tokens.size());
  if (!window.bonus) {
    if (mass > 0) law.push_back({tokens, accepted, Ending::horizon, mass});
    return;
  }
  end_with(law, tokens, accepted, Ending::bonus, mass, bonus);
}

/// The numbers of an iteration and of a decode, from laws by hand.
struct HandNumbers {
  std::vector<Rational> accepted_law;
  Rational undefined{0};
  std::map<std::vector<Token>, Rational> law;  ///< of the horizon's tokens
  Rational output_undefined{0}, rejections{0}, calls{0};
};

/// Runs a rule to the horizon. @pre the pair has no end token
inline HandNumbers decode_by_hand(const Rows<Rational>& rows, const HandRule& rule, int gamma,
                                  int horizon) {
  HandNumbers found;
  Lengths lengths;
  lengths.gamma = gamma;
  lengths.horizon = horizon;
  const Window full = full_window(rows.pair(), lengths);
  found.accepted_law.assign(static_cast<std::size_t>(full.drafts) + 1, Rational(0));
  std::map<std::pair<std::vector<Token>, State>, Rational> now;
  for (const Start& start : rows.pair().start()) {
    now[{{}, start.state}] += start.probability;
    for (const HandOutcome& out : rule(rows, start.state, full)) {
      found.accepted_law.at(static_cast<std::size_t>(out.accepted)) +=
          start.probability * out.weight;
      if (out.ending == Ending::undefined) found.undefined += start.probability * out.weight;
    }
  }
  std::map<std::tuple<State, int, bool>, HandLaw> known;
  while (!now.empty()) {
    const auto [key, mass] = *now.begin();  // the least prefix: what it leads to comes later
    now.erase(now.begin());
    const auto& [tokens, state] = key;
    const int left = horizon - static_cast<int>(tokens.size());
    const Window window = window_within(gamma, left);
    const auto [law, fresh] = known.try_emplace({state, window.drafts, window.bonus});
    if (fresh) law->second = rule(rows, state, window);
    found.calls += mass;
    for (const HandOutcome& out : law->second) {
      const Rational weight = mass * out.weight;
      if (out.ending == Ending::correction) found.rejections += weight;
      if (out.ending == Ending::undefined) {
        found.output_undefined += weight;
        continue;
      }
      std::vector<Token> longer = tokens;
      State after = state;
      for (const Token x : out.tokens) {
        longer.push_back(x);
        after = rows.next(after, x);
      }
      if (static_cast<int>(longer.size()) == horizon) {
        found.law[longer] += weight;
      } else {
        now[{longer, after}] += weight;
      }
    }
  }
  return found;
}

/// Everything that a rule by hand says of the verifier of this spec text, as an equality.
inline void check_by_hand(const std::string& verifier, const std::string& pair,
                          const HandRule& rule, int gamma, int horizon) {
  CAPTURE(verifier, pair, gamma, horizon);
  const Rows<Rational> rows(make_pair(pair));
  const HandNumbers expected = decode_by_hand(rows, rule, gamma, horizon);
  const ExactNumbers<Rational> found =
      run_exact(make_verifier(verifier), rows,
                {.lengths = {.gamma = gamma, .horizon = horizon}, .law = true});
  CHECK(found.accepted_law == expected.accepted_law);
  CHECK(found.undefined_mass == expected.undefined);
  const std::map<std::vector<Token>, Rational> law(found.decode->law.begin(),
                                                   found.decode->law.end());
  CHECK(law == expected.law);
  CHECK(found.decode->undefined_mass == expected.output_undefined);
  CHECK(found.decode->rejections == expected.rejections);
}

/// Pairs on which the laws by hand are compared: three tokens that all matter, zeros in either law,
/// equal laws, contexts, a prompt that is not uniform.
inline const std::vector<std::string>& hand_pairs() {
  static const std::vector<std::string> pairs{
      std::string(kToy),
      "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])",
      "iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])",
      "iid(draft=[1/3,1/3,1/3],target=[1/3,1/3,1/3])",
      "iid(draft=[3/8,1/8,1/4,1/4],target=[1/8,1/4,1/8,1/2])",
      "tree(vocabulary=3,depth=3,seed=5)",
      "tree(vocabulary=3,depth=3,seed=8)",
      "tree(vocabulary=2,depth=3,seed=13,denominator=6)",
  };
  return pairs;
}

/// The same on each of them over three tokens, at each of the draft lengths.
inline void check_rule(const std::string& verifier, const HandRule& rule,
                       const std::vector<int>& gammas = {1, 2, kUnbounded}) {
  for (const std::string& pair : hand_pairs()) {
    for (const int gamma : gammas) check_by_hand(verifier, pair, rule, gamma, 3);
  }
}

}  // namespace speclab
