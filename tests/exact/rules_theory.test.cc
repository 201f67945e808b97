// The closed forms of the rules that engines run, against the enumerator and, for the Gumbel
// coupling, against clocks.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>

#include "catch.h"
#include "list_laws.h"
#include "theory/daliri2024.h"
#include "theory/leviathan2023.h"
#include "theory/miao2023.h"
#include "theory/narasimhan2025.h"
#include "theory/small_pairs.h"
#include "toy.h"
#include "vectors.h"
#include "verifiers/biased/accepted_set.h"
#include "verifiers/biased/entropy_verify.h"
#include "verifiers/biased/relaxed.h"
#include "verifiers/chain/gumbel.h"
#include "verifiers/chain/sample_match.h"
#include "verifiers/chain/stopping.h"

namespace speclab::rules_theory_test {
namespace {

using Law = std::span<const Rational>;
using Step = StepLaw<Rational>;

Law view(const std::vector<Rational>& law) { return {law.data(), law.size()}; }

// cai2024: a drafted token is accepted where it is in a set A that depends on t.

/// Accepts A; corrects from `correction`, a law: the token follows d on A plus d(not A) times it.
Step accepted_set_step(Law draft, const std::vector<bool>& accepted, Law correction) {
  Step law;
  Rational refused(0);
  for (std::size_t x = 0; x < draft.size(); ++x) {
    law.accepted.push_back(accepted[x] ? draft[x] : Rational(0));
    if (!accepted[x]) refused += draft[x];
  }
  for (const Rational& share : correction) law.corrected.push_back(refused * share);
  return law;
}

/// The point mass on the most probable token, ties to the lowest.
std::vector<Rational> argmax_law(Law law) {
  std::vector<Rational> point(law.size(), Rational(0));
  point[static_cast<std::size_t>(std::max_element(law.begin(), law.end()) - law.begin())] = 1;
  return point;
}

/// Typical acceptance's A = {t > least}, least = min(eps, alpha e^{-H(t)}) in (0, 1].
std::vector<bool> typical_set(Law target, const Rational& least) {
  std::vector<bool> accepted;
  for (const Rational& share : target) accepted.push_back(share > least);
  return accepted;
}

/// The n most probable tokens (ties to the lowest) within delta of the largest.
std::vector<bool> top_within_set(Law target, std::size_t n, const Rational& delta) {
  std::vector<std::size_t> order(target.size());
  for (std::size_t x = 0; x < order.size(); ++x) order[x] = x;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return target[b] < target[a]; });
  std::vector<bool> accepted(target.size(), false);
  for (std::size_t k = 0; k < std::min(n, order.size()); ++k) {
    accepted[order[k]] = !(target[order[k]] < target[order[0]] - delta);
  }
  return accepted;
}

/// Token verification whose draft ends where max d < theta: there a token is emitted from the
/// target and none is accepted.
StepRule<Rational> stopped_by_law(const Rational& theta) {
  return {[theta](Law draft, Law target) {
    if (!(*std::max_element(draft.begin(), draft.end()) < theta)) return token_step(draft, target);
    return Step{std::vector<Rational>(draft.size(), Rational(0)), {target.begin(), target.end()}};
  }};
}

/// daliri2024: P(X = i, Y = j), i != j, of X = argmin E/d and Y = argmin E/t: the integral of
/// ds / g(s)^2 over d(j)/d(i) <= s <= t(j)/t(i), with g(s) = sum over v of max(d(v)/d(i),
/// s t(v)/t(j)): given E_i = e the least E_j is between e d(j)/d(i) and e t(j)/t(i), and every
/// clock v is at least the larger of its two bounds. g is linear between its bends; over a piece
/// [a, b] the integral is (b - a) / (g(a) g(b)). Worked example: toy pair, (0, 1): s from 1/2 to 2,
/// g(s) = max(1, s/2) + max(1/2, s) = 1 + s: (3/2) / (3/2 3) = 1/3.
Rational gumbel_mismatch(Law draft, Law target, std::size_t i, std::size_t j) {
  if (!(draft[i] > 0) || !(target[j] > 0)) return Rational(0);
  const auto g = [&](const Rational& s) {
    Rational sum(0);
    for (std::size_t v = 0; v < draft.size(); ++v) {
      sum += std::max(Rational(draft[v] / draft[i]), Rational(s * target[v] / target[j]));
    }
    return sum;
  };
  const Rational low = draft[j] / draft[i];
  std::optional<Rational> high;  // empty: infinity
  if (target[i] > 0) high = target[j] / target[i];
  if (high && !(low < *high)) return Rational(0);
  std::vector<Rational> bends{low};
  for (std::size_t v = 0; v < draft.size(); ++v) {
    if (!(target[v] > 0)) continue;
    const Rational bend = draft[v] * target[j] / (draft[i] * target[v]);
    if (low < bend && (!high || bend < *high)) bends.push_back(bend);
  }
  if (high) bends.push_back(*high);
  std::sort(bends.begin(), bends.end());
  Rational sum(0);
  for (std::size_t k = 0; k + 1 < bends.size(); ++k) {
    sum += (bends[k + 1] - bends[k]) / (g(bends[k]) * g(bends[k + 1]));
  }
  // Beyond all bends g has the slope sum t / t(j) = 1 / t(j).
  if (!high) sum += target[j] / g(bends.back());
  return sum;
}

/// P(tau >= i) and the law of the first token of every step, on 40 random pairs.
template <class Program>
void check_step(const char* spec, const StepRule<Rational>& rule) {
  const auto program = program_of<Program>(spec);
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Rows<Rational> rows(random_pair(seed, 2 + seed % 3, 1 + seed % 4));
    CAPTURE(spec, seed);
    const ExactNumbers<Rational> result = exact_results(program, rows, {.lengths = {.gamma = 3}});
    Budget budget;
    const auto tail = stepwise_tail(rows, start_law(rows), rule, 3, budget);
    Rational left(1);
    for (std::size_t i = 0; i < tail.size(); ++i) {
      CHECK(tail[i] == left);
      left -= result.accepted_law[i];
    }
    std::vector<Rational> first(static_cast<std::size_t>(rows.vocabulary()), Rational(0));
    for (const Start& start : rows.pair().start()) {
      const Step law = rule(start.state, rows.draft(start.state), rows.target(start.state));
      for (std::size_t x = 0; x < first.size(); ++x) {
        first[x] += start.probability * (law.accepted[x] + law.corrected[x]);
      }
    }
    CHECK(OnceLaw<Program>(program, rows, 1, 2).first() == first);
  }
}

TEST_CASE("sample-match: sum t d, and t at the argmax of d") {
  check_step<SampleMatch>("sample-match", {sample_match_step<Rational>});
  check_step<SampleMatch>("sample-match(draft=argmax)", {argmax_match_step<Rational>});
  const Rows<Rational> rows(toy());
  CHECK(1 - sample_match_step(rows.draft(0), rows.target(0)).rejection() == Rational(4, 9));
  CHECK(1 - argmax_match_step(rows.draft(0), rows.target(0)).rejection() == Rational(1, 3));
}

TEST_CASE("gumbel: the step law, and the joint law pair by pair") {
  check_step<Gumbel>("gumbel", {gumbel_matches<Rational>});
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const Rows<Rational> rows(random_pair(seed, 2 + seed % 4, 1));
    const Laws<Rational> laws = laws_at(rows, 0);
    const GumbelCoupling coupling(laws);
    std::vector<Rational> corrected(rows.draft(0).size(), Rational(0));
    CAPTURE(seed);
    for (std::size_t i = 0; i < rows.draft(0).size(); ++i) {
      const Rational draft = rows.draft(0)[i];
      if (!(draft > 0)) continue;
      const auto x = static_cast<Token>(i);
      const auto mismatch = coupling.mismatch(x);
      CHECK(draft * coupling.match(x) == gumbel_match(rows.draft(0), rows.target(0), i));
      CHECK(coupling.match(x) + mismatch.mass() == 1);
      for (std::size_t j = 0; j < rows.draft(0).size(); ++j) {
        if (j == i) continue;
        const Rational both = gumbel_mismatch(rows.draft(0), rows.target(0), i, j);
        CHECK(draft * mismatch.weight(static_cast<Token>(j)) == both);
        corrected[j] += both;
      }
    }
    CHECK(gumbel_matches(rows.draft(0), rows.target(0)).corrected == corrected);
  }
}

TEST_CASE("gumbel: the joint law is that of two argmins over one set of clocks") {
  // Those of kClockDraft and kClockTarget.
  const std::vector<Rational> d{{1, 2}, {3, 10}, {1, 5}, 0}, t{{1, 10}, 0, {11, 20}, {7, 20}};
  const std::size_t size = d.size();
  std::vector<double> joint;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      joint.push_back(to_double(i == j ? gumbel_match(view(d), view(t), i)
                                       : gumbel_mismatch(view(d), view(t), i, j)));
    }
  }
  std::mt19937_64 engine(11);
  std::exponential_distribution<double> clock;
  std::vector<std::uint64_t> counts(size * size);
  for (int trial = 0; trial < 200000; ++trial) {
    std::vector<double> by_draft, by_target;
    for (std::size_t v = 0; v < size; ++v) {
      const double rung = clock(engine);
      by_draft.push_back(rung / kClockDraft[v]);
      by_target.push_back(rung / kClockTarget[v]);
    }
    const auto least = [](const std::vector<double>& times) {
      return static_cast<std::size_t>(std::min_element(times.begin(), times.end()) - times.begin());
    };
    ++counts[least(by_draft) * size + least(by_target)];
  }
  std::vector<double> wrong = joint;
  std::swap(wrong[2], wrong[3]);  // (0, 2) and (0, 3)
  check_counts(joint, wrong, counts);
}

TEST_CASE("relaxed: 1 - TV(d, pi), and every token follows pi") {
  const Rational weight(1, 3);
  const auto relaxed = [](auto law) {
    return StepRule<Rational>([law](Law draft, Law target) {
      const std::vector<Rational> pi = law(draft, target);
      Step step = token_step<Rational>(draft, view(pi));
      CHECK(step.rejection() == total_variation<Rational>(draft, view(pi)));
      for (std::size_t x = 0; x < pi.size(); ++x) {
        CHECK(step.accepted[x] + step.corrected[x] == pi[x]);
      }
      return step;
    });
  };
  check_step<Relaxed>("relaxed(pi=ensemble,weight=1/3)",
                      relaxed([&](Law d, Law t) { return ensemble_law<Rational>(d, t, weight); }));
  for (const char* alpha : {"0", "1/4", "1/2", "1"}) {
    const Rational a = parse_rational(alpha);
    check_step<Relaxed>(fmt::format("relaxed(pi=cascade-opt,alpha={})", alpha).c_str(),
                        relaxed([&](Law d, Law t) { return cascade_opt_law<Rational>(d, t, a); }));
    check_step<Relaxed>(fmt::format("relaxed(pi=cascade-top,alpha={})", alpha).c_str(),
                        relaxed([&](Law d, Law t) { return cascade_top_law<Rational>(d, t, a); }));
  }
  check_step<Relaxed>("relaxed(pi=fuzzy,divergence=tv,threshold=1/3)", relaxed([](Law d, Law t) {
                        const bool near = !(total_variation<Rational>(d, t) > Rational(1, 3));
                        return near ? std::vector<Rational>(d.begin(), d.end())
                                    : std::vector<Rational>(t.begin(), t.end());
                      }));
}

TEST_CASE("typical, top-within: d on the accepted set, d(refused) times the correction") {
  const auto by_set = [](auto set, bool argmax) {
    return StepRule<Rational>([set, argmax](Law draft, Law target) {
      const std::vector<Rational> correction =
          argmax ? argmax_law(target) : std::vector<Rational>{target.begin(), target.end()};
      return accepted_set_step(draft, set(target), view(correction));
    });
  };
  // e^{-H} is at least 1/4 on four tokens, so eps decides.
  const auto typical = [](Law t) { return typical_set(t, Rational(1, 5)); };
  check_step<Typical>("typical(eps=1/5,alpha=1)", by_set(typical, false));
  check_step<Typical>("typical(eps=1/5,alpha=1,correction=argmax)", by_set(typical, true));
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    for (const char* delta : {"0", "1/7", "1/2"}) {
      const auto set = [n, delta](Law t) { return top_within_set(t, n, parse_rational(delta)); };
      const auto spec = fmt::format("top-within(n={},delta={}", n, delta);
      check_step<TopWithin>((spec + ")").c_str(), by_set(set, false));
      check_step<TopWithin>((spec + ",correction=argmax,bonus=argmax)").c_str(), by_set(set, true));
    }
  }
}

TEST_CASE("entropy-verify where theta decides is lenience theta") {
  check_step<EntropyVerify>("entropy-verify(alpha=1/2,theta=1/3)", {[](Law draft, Law target) {
                              return *lenient_step<Rational>(draft, target, Rational(1, 3));
                            }});
}

TEST_CASE("stopping by the law around token verification") {
  for (const char* theta : {"1/4", "1/2", "4/7", "1"}) {
    check_step<Stopping>(fmt::format("stopping(verify=token,stop=law,theta={})", theta).c_str(),
                         stopped_by_law(parse_rational(theta)));
  }
}

}  // namespace
}  // namespace speclab::rules_theory_test
