#pragma once

#include "base/sum.h"
#include "catch.h"
#include "model/registry.h"
#include "temporary_file.h"

namespace speclab {

/// Both laws of a state.
template <class Real>
struct TwoLaws {
  std::vector<Real> draft;
  std::vector<Real> target;
  bool operator==(const TwoLaws&) const = default;
};

template <class Real = Rational>
TwoLaws<Real> laws_at(const Pair& pair, State state) {
  const auto width = static_cast<std::size_t>(pair.vocabulary());
  TwoLaws<Real> laws{std::vector<Real>(width), std::vector<Real>(width)};
  pair.rows(state, std::span<Real>(laws.draft), std::span<Real>(laws.target));
  return laws;
}

/// The state after `tokens` from a state.
inline State walk(const Pair& pair, const std::vector<Token>& tokens, State state = 0) {
  for (const Token token : tokens) state = pair.next(state, token);
  return state;
}

template <class Real>
Real total(const std::vector<Real>& law) {
  Sum<Real> sum;
  for (const Real& entry : law) sum += entry;
  return sum.value();
}

inline std::vector<Rational> fractions(std::initializer_list<const char*> texts) {
  std::vector<Rational> values;
  for (const char* text : texts) values.push_back(parse_rational(text));
  return values;
}

/// What every pair promises: laws that sum to 1 with no negative entry, doubles near the
/// rationals, states that stay in range, a start law of mass 1, and a name that names it.
/// Looks at `limit` states at most, evenly spread, and at about 64 tokens of each.
inline void check_pair(const Pair& pair, State limit = 200) {
  INFO(pair.name());
  REQUIRE(pair.vocabulary() >= 1);
  REQUIRE(pair.states() >= 1);
  const State step = pair.states() / limit + 1;
  const Token stride = pair.vocabulary() / 64 + 1;
  for (State state = 0; state < pair.states(); state += step) {
    const auto exact_laws = laws_at<Rational>(pair, state);
    const auto near_laws = laws_at<double>(pair, state);
    bool sound = total(exact_laws.draft) == 1 && total(exact_laws.target) == 1;
    for (std::size_t x = 0; x < exact_laws.draft.size(); ++x) {
      sound = sound && exact_laws.draft[x] >= 0 && exact_laws.target[x] >= 0;
      sound = sound && std::abs(near_laws.draft[x] - to_double(exact_laws.draft[x])) < 1e-14;
      sound = sound && std::abs(near_laws.target[x] - to_double(exact_laws.target[x])) < 1e-14;
    }
    INFO("state " << state);
    CHECK(sound);
    CHECK(total(near_laws.draft) == Approx(1).margin(1e-13));
    CHECK(total(near_laws.target) == Approx(1).margin(1e-13));
    bool inside = true;
    for (Token x = 0; x < pair.vocabulary(); x += stride) {
      inside = inside && pair.next(state, x) < pair.states();
    }
    CHECK(inside);
  }
  Rational mass(0);
  for (const Start& start : pair.start()) {
    CHECK(start.state < pair.states());
    CHECK(start.probability > 0);
    mass += start.probability;
  }
  CHECK(mass == 1);

  const PairPointer again = make_pair(pair.name());
  CHECK(again->name() == pair.name());
  REQUIRE(again->states() == pair.states());
  REQUIRE(again->vocabulary() == pair.vocabulary());
  CHECK(again->length() == pair.length());
  CHECK(again->end_token() == pair.end_token());
  for (State state = 0; state < pair.states(); state += step) {
    CHECK((laws_at<double>(*again, state) == laws_at<double>(pair, state)));
    for (Token x = 0; x < pair.vocabulary(); x += stride) {
      if (again->next(state, x) != pair.next(state, x)) FAIL("another automaton");
    }
  }
}

}  // namespace speclab
