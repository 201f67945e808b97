// Several drafts position by position: at each position exactly the drafts that agree with the
// accepted prefix stay in play. The laws of rrs and kseq at K up to 4, by hand.
#include <fmt/format.h>

#include <cmath>

#include "by_hand.h"

namespace speclab::position_laws_test {
namespace {

/// How k candidates of one position are tried: the m-th is accepted with min(1, over[m][x] / d(x)),
/// and after the last the correction is proportional to `rest`.
struct Trying {
  std::vector<HandRow> over;
  HandRow rest;
};
using Tries = std::function<Trying(const HandLaws&, std::size_t k)>;

/// rrs: t^1 = t, t^{m+1} = [t^m - d]+ normalised; t^{k+1} is the correction.
Trying recursive(const HandLaws& laws, std::size_t k) {
  Trying trying{{}, laws.target};
  for (std::size_t m = 0; m < k; ++m) {
    trying.over.push_back(trying.rest);
    trying.rest = normalised(excess(trying.rest, laws.draft));
  }
  return trying;
}

/// k-sequential selection at rho: t / rho each time; t - min(d, t / rho) P_acc / beta.
Trying sequential(const HandLaws& laws, std::size_t k, const Rational& rho) {
  HandRow scaled, both;
  for (std::size_t x = 0; x < laws.target.size(); ++x) {
    scaled.push_back(laws.target[x] / rho);
    both.push_back(std::min(laws.draft[x], scaled[x]));
  }
  const Rational beta = sum_of(both);
  Rational miss(1);
  for (std::size_t m = 0; m < k; ++m) miss *= 1 - beta;
  Trying trying{std::vector<HandRow>(k, scaled), laws.target};
  for (std::size_t x = 0; x < both.size() && beta > 0; ++x) {
    trying.rest[x] -= both[x] * (1 - miss) / beta;
    if (trying.rest[x] < 0) trying.rest[x] = 0;
  }
  return trying;
}

/// The least multiple of 2^-44 with 1 - (1 - beta)^k <= rho beta, by bisection on [1, k].
Rational best_rho(const HandLaws& laws, std::size_t k) {
  const Rational unit(1, std::int64_t{1} << 44);
  std::int64_t low = std::int64_t{1} << 44;
  std::int64_t high = low * static_cast<std::int64_t>(k);
  const auto enough = [&](std::int64_t units) {
    const Rational rho = unit * Rational(units);
    Rational beta(0);
    for (std::size_t x = 0; x < laws.target.size(); ++x) {
      beta += std::min(laws.draft[x], Rational(laws.target[x] / rho));
    }
    Rational miss(1);
    for (std::size_t m = 0; m < k; ++m) miss *= 1 - beta;
    return 1 - miss <= rho * beta;
  };
  if (enough(low)) return Rational(1);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return unit * Rational(high);
}

void follow_positions(const Rows<Rational>& rows, State state, Window window, std::size_t k,
                      const Tries& tries, const std::vector<Token>& tokens, const Rational& mass,
                      HandLaw& law);

/// Draws the candidates of one position in order, and when all are there goes on with the tries.
void draw_candidates(const Rows<Rational>& rows, State state, Window window, std::size_t k,
                     const Tries& tries, const Trying& trying, std::vector<Token>& drawn,
                     const std::vector<Token>& tokens, const Rational& mass, HandLaw& law) {
  const HandLaws laws = hand_laws(rows, state);
  if (drawn.size() < k) {
    for (std::size_t x = 0; x < laws.draft.size(); ++x) {
      if (!(laws.draft[x] > 0)) continue;
      drawn.push_back(static_cast<Token>(x));
      draw_candidates(rows, state, window, k, tries, trying, drawn, tokens,
                      Rational(mass * laws.draft[x]), law);
      drawn.pop_back();
    }
    return;
  }
  Rational left = mass;
  for (std::size_t m = 0; m < k; ++m) {
    const auto x = static_cast<std::size_t>(drawn[m]);
    const Rational accepts = ratio_to_one(trying.over[m][x], laws.draft[x]);
    if (accepts > 0) {
      const auto stay = static_cast<std::size_t>(std::count(drawn.begin(), drawn.end(), drawn[m]));
      follow_positions(rows, rows.next(state, drawn[m]), window, stay, tries,
                       followed_by(tokens, x), Rational(left * accepts), law);
    }
    left *= 1 - accepts;
  }
  end_with(law, tokens, static_cast<int>(tokens.size()), Ending::correction, left, trying.rest);
}

void follow_positions(const Rows<Rational>& rows, State state, Window window, std::size_t k,
                      const Tries& tries, const std::vector<Token>& tokens, const Rational& mass,
                      HandLaw& law) {
  if (!(mass > 0)) return;
  const HandLaws laws = hand_laws(rows, state);
  if (static_cast<int>(tokens.size()) == window.drafts) {
    return finish_with(law, tokens, window, mass, laws.target);
  }
  std::vector<Token> drawn;
  draw_candidates(rows, state, window, k, tries, tries(laws, k), drawn, tokens, mass, law);
}

HandRule by_positions(std::size_t drafts, Tries tries) {
  return [drafts, tries](const Rows<Rational>& rows, State state, Window window) {
    HandLaw law;
    follow_positions(rows, state, window, drafts, tries, {}, Rational(1), law);
    return law;
  };
}

/// gamma and horizon that keep the number of candidates' sequences small.
struct Size {
  std::size_t drafts;
  int gamma, horizon;
};

TEST_CASE("by hand: rrs, and the same with its last draft never tried") {
  for (const std::string& pair : hand_pairs()) {
    for (const auto& [drafts, gamma, horizon] : {Size{2, 2, 3}, {3, 2, 2}, {4, 2, 1}}) {
      const HandRule rule = by_positions(drafts, recursive);
      check_by_hand(fmt::format("rrs(K={})", drafts), pair, rule, gamma, horizon);
      check_by_hand(fmt::format("wrong-one-draft-fewer(K={})", drafts + 1), pair, rule, gamma,
                    horizon);
    }
  }
  for (const std::size_t drafts : {3U, 4U, 5U}) {
    check_by_hand(fmt::format("rrs(K={})", drafts), std::string(kToy),
                  by_positions(drafts, recursive), 3, 1);
  }
}

TEST_CASE("by hand: selection at the largest rho, the number of candidates") {
  const Tries largest = [](const HandLaws& laws, std::size_t k) {
    return sequential(laws, k, Rational(static_cast<long>(k)));
  };
  for (const std::string& pair : hand_pairs()) {
    for (const auto& [drafts, gamma, horizon] : {Size{2, 2, 3}, {3, 2, 2}, {4, 2, 1}}) {
      check_by_hand(fmt::format("wrong-largest-rho(K={})", drafts), pair,
                    by_positions(drafts, largest), gamma, horizon);
    }
  }
}

TEST_CASE("by hand: kseq at rho*, as near as the roundings of rho*") {
  const Tries best = [](const HandLaws& laws, std::size_t k) {
    return sequential(laws, k, best_rho(laws, k));
  };
  // The program's rho is a multiple of 2^-40; every number below moves by less than 20 rho's error.
  constexpr double kNear = 20 * 0x1p-39;
  for (const std::string& pair : hand_pairs()) {
    const Rows<Rational> rows(make_pair(pair));
    const Rows<double> near_rows(rows.pair_pointer());
    for (const auto& [drafts, gamma, horizon] : {Size{2, 2, 2}, {3, 2, 1}, {4, 2, 1}}) {
      CAPTURE(pair, drafts, gamma, horizon);
      const HandNumbers expected = decode_by_hand(rows, by_positions(drafts, best), gamma, horizon);
      const ExactRequest request{.lengths = {.gamma = gamma, .horizon = horizon}};
      const Verifier verifier = make_verifier(fmt::format("kseq(K={})", drafts));
      const ExactNumbers<Rational> found = run_exact(verifier, rows, request);
      const ExactNumbers<double> near = run_exact(verifier, near_rows, request);
      REQUIRE(found.accepted_law.size() == expected.accepted_law.size());
      for (std::size_t i = 0; i < expected.accepted_law.size(); ++i) {
        const double wanted = to_double(expected.accepted_law[i]);
        CHECK(std::abs(to_double(found.accepted_law[i]) - wanted) < kNear);
        CHECK(std::abs(near.accepted_law[i] - wanted) < kNear);
      }
      CHECK(std::abs(to_double(found.decode->rejections) - to_double(expected.rejections)) < kNear);
    }
  }
}

}  // namespace
}  // namespace speclab::position_laws_test
