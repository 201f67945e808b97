// Sampling filters: by hand, against their definition token by token, and on every family.
#include "model/filter.h"

#include <set>

#include "model/rows.h"
#include "pairs.h"

namespace speclab::filter_test {
namespace {

using Law = std::vector<Rational>;

SamplingFilter filter(const char* temperature, const char* min_p, std::size_t top_k,
                      const char* top_p) {
  return {parse_rational(temperature), parse_rational(min_p), top_k, parse_rational(top_p)};
}

Law filtered(const SamplingFilter& filter, Law law) {
  apply_filter(filter, std::span<Rational>(law));
  return law;
}

std::vector<double> filtered(const SamplingFilter& filter, std::vector<double> law) {
  apply_filter(filter, std::span<double>(law));
  return law;
}

std::vector<double> nearest(const Law& law) {
  std::vector<double> doubles;
  for (const Rational& entry : law) doubles.push_back(to_double(entry));
  return doubles;
}

template <class Real>
std::vector<std::size_t> support(const std::vector<Real>& law) {
  std::vector<std::size_t> tokens;
  for (std::size_t x = 0; x < law.size(); ++x) {
    if (law[x] > 0) tokens.push_back(x);
  }
  return tokens;
}

const Law kLaw = fractions({"1/10", "4/10", "2/10", "3/10"});

TEST_CASE("each filter by hand") {
  CHECK(filtered(filter("0", "0", 9, "1"), kLaw) == fractions({"0", "1", "0", "0"}));
  CHECK(filtered(filter("1", "1/2", 9, "1"), kLaw) == fractions({"0", "4/9", "2/9", "3/9"}));
  CHECK(filtered(filter("1", "51/100", 9, "1"), kLaw) == fractions({"0", "4/7", "0", "3/7"}));
  CHECK(filtered(filter("1", "0", 2, "1"), kLaw) == fractions({"0", "4/7", "0", "3/7"}));
  CHECK(filtered(filter("1", "0", 3, "1"), kLaw) == fractions({"0", "4/9", "2/9", "3/9"}));
  // A vocabulary comes first: what is left is divided by its sum, then filtered further.
  SamplingFilter part = filter("1", "51/100", 9, "1");
  part.vocabulary = {0, 2};
  CHECK(filtered(part, kLaw) == fractions({"0", "0", "1", "0"}));
  part.min_p = 0;
  CHECK(filtered(part, kLaw) == fractions({"1/3", "0", "2/3", "0"}));
  CHECK(filtered(part, fractions({"0", "1/2", "0", "1/2"})) == fractions({"1/2", "0", "1/2", "0"}));
  CHECK_FALSE(part.idle());
  // The token that crosses p stays; one that would follow a sum of exactly p does not.
  CHECK(filtered(filter("1", "0", 9, "7/10"), kLaw) == fractions({"0", "4/7", "0", "3/7"}));
  CHECK(filtered(filter("1", "0", 9, "71/100"), kLaw) == fractions({"0", "4/9", "2/9", "3/9"}));
  CHECK(filtered(filter("1", "0", 9, "2/5"), kLaw) == fractions({"0", "1", "0", "0"}));
  // (1/2)^2, (1/4)^2, (1/4)^2 over their sum.
  const auto sharp = filtered(filter("1/2", "0", 9, "1"), std::vector<double>{0.5, 0.25, 0.25});
  CHECK(sharp[0] == Approx(4.0 / 6));
  CHECK(sharp[1] == Approx(1.0 / 6));
  const auto flat = filtered(filter("2", "0", 9, "1"), std::vector<double>{0.64, 0.36, 0});
  CHECK(flat[0] == Approx(0.8 / 1.4));
  CHECK(flat[2] == 0);
}

TEST_CASE("rational laws stay rational only at temperatures 0 and 1") {
  CHECK(filter("0", "1/2", 2, "7/10").exact());
  CHECK(filter("1", "1/2", 2, "7/10").exact());
  CHECK_FALSE(filter("1/2", "0", 9, "1").exact());
  CHECK_FALSE(filter("2", "0", 9, "1").exact());
}

TEST_CASE("filters come in the order temperature then min-p then top-k then top-p") {
  // After the temperature the second token has 1/4 of the first, before it 1/2.
  const std::vector<double> half{0.5, 0.25, 0.25};
  CHECK(filtered(filter("1/2", "1/2", 9, "1"), half) == std::vector<double>{1, 0, 0});
  CHECK(filtered(filter("1/2", "0", 9, "3/5"), half) == std::vector<double>{1, 0, 0});
  CHECK(support(filtered(filter("1", "0", 9, "3/5"), half)).size() == 2);
  // 5/8 of what min-p leaves reaches 3/5, 1/2 of the whole does not.
  const Law law = fractions({"1/2", "3/10", "1/10", "1/10"});
  CHECK(filtered(filter("1", "1/2", 9, "3/5"), law) == fractions({"1", "0", "0", "0"}));
  CHECK(filtered(filter("1", "1/2", 9, "1"), filtered(filter("1", "0", 9, "3/5"), law)) ==
        fractions({"5/8", "3/8", "0", "0"}));
  // 4/7 of what top-k leaves reaches 1/2, 4/10 of the whole does not.
  CHECK(filtered(filter("1", "0", 2, "1/2"), kLaw) == fractions({"0", "1", "0", "0"}));
  CHECK(filtered(filter("1", "0", 2, "1"), filtered(filter("1", "0", 9, "1/2"), kLaw)) ==
        fractions({"0", "4/7", "0", "3/7"}));
}

TEST_CASE("ties are settled by rule in both arithmetics") {
  const Law law = fractions({"1/8", "1/4", "1/8", "1/4", "1/8", "1/8"});
  const std::vector<std::pair<SamplingFilter, std::vector<std::size_t>>> cases{
      {filter("0", "0", 9, "1"), {1}},
      {filter("1", "1", 9, "1"), {1, 3}},
      {filter("1", "0", 1, "1"), {1, 3}},
      {filter("1", "0", 3, "1"), {0, 1, 2, 3, 4, 5}},
      {filter("1", "0", 9, "1/4"), {1}},
      {filter("1", "0", 9, "5/8"), {0, 1, 3}},
      {filter("1", "0", 9, "3/4"), {0, 1, 2, 3}},
      {filter("1", "0", 9, "0"), {1}},
      {filter("1", "0", 2, "1/2"), {1}},
  };
  for (const auto& [rule, kept] : cases) {
    CHECK(support(filtered(rule, law)) == kept);
    CHECK(support(filtered(rule, nearest(law))) == kept);
  }
}

TEST_CASE("what keeps every token changes no bit") {
  const std::vector<double> law{0.1, 0.2, 0.3, 0.4, 0};
  // It does not sum to 1: dividing by the sum would show.
  const std::vector<double> off{0.2, 0.4, 0.6, 0.8, 0};
  for (const auto& rule : {filter("1", "0", 4, "1"), filter("1", "0", 5, "1"),
                           filter("1", "1/4", 9, "1"), filter("1", "0", 1000, "1")}) {
    CHECK(filtered(rule, law) == law);
    CHECK(filtered(rule, off) == off);
  }
  CHECK(filter("1", "0", SamplingFilter{}.top_k, "1").idle());
  for (const auto& rule :
       {filter("0", "0", SamplingFilter{}.top_k, "1"),
        filter("1", "1/9", SamplingFilter{}.top_k, "1"), filter("1", "0", 3, "1"),
        filter("1", "0", SamplingFilter{}.top_k, "0")}) {
    CHECK_FALSE(rule.idle());
  }
  CHECK(filtered(filter("0", "1", 1, "0"), Law{Rational(1)}) == Law{Rational(1)});
}

/// Whether x is kept, by the definition of each filter, with no sorting and one token at a time.
Law by_definition(const SamplingFilter& filter, Law law) {
  const auto drop = [&](const auto& stays) {
    Law left(law.size());
    for (std::size_t x = 0; x < law.size(); ++x) left[x] = stays(x) ? law[x] : Rational(0);
    law = left;
  };
  const auto before = [&](std::size_t y, std::size_t x) {
    return law[y] > law[x] || (law[y] == law[x] && y < x);
  };
  if (filter.temperature == 0) {
    drop([&](std::size_t x) {
      for (std::size_t y = 0; y < law.size(); ++y) {
        if (before(y, x)) return false;
      }
      return true;
    });
  }
  drop([&](std::size_t x) {
    for (const Rational& entry : law) {
      if (law[x] < filter.min_p * entry) return false;
    }
    return true;
  });
  drop([&](std::size_t x) {
    std::size_t likelier = 0;
    for (const Rational& entry : law) likelier += entry > law[x];
    return likelier < filter.top_k;
  });
  const Rational whole = total(law);
  drop([&](std::size_t x) {
    Rational sum(0);
    bool first = true;
    for (std::size_t y = 0; y < law.size(); ++y) {
      if (!before(y, x)) continue;
      sum += law[y];
      first = false;
    }
    return first || sum < filter.top_p * whole;
  });
  const Rational left = total(law);
  for (Rational& entry : law) entry /= left;
  return law;
}

TEST_CASE("random laws with ties and zeros: filters agree with their definitions") {
  const PairPointer pair = make_pair("tree(vocabulary=6,depth=3,seed=4,denominator=12)");
  std::set<std::size_t> sizes;
  for (State state = 0; state < pair->states(); state += 3) {
    const Law law = laws_at<Rational>(*pair, state).target;
    for (const char* min_p : {"0", "1/5", "1/2", "1"}) {
      for (const std::size_t top_k : {1U, 2U, 4U, 9U}) {
        for (const char* top_p : {"0", "1/4", "1/2", "5/6", "11/12", "1"}) {
          for (const char* temperature : {"0", "1"}) {
            const SamplingFilter rule = filter(temperature, min_p, top_k, top_p);
            const Law expected = by_definition(rule, law);
            if (filtered(rule, law) != expected) FAIL_CHECK("state " << state << " " << top_p);
            sizes.insert(support(expected).size());
          }
        }
      }
    }
  }
  CHECK(sizes.size() >= 5);
}

TEST_CASE("sums that reach p exactly do so in doubles") {
  std::string entries;
  for (int i = 0; i < 10; ++i) entries += i == 0 ? "1/10" : ",1/10";
  const std::string laws = "iid(draft=[" + entries + "],target=[" + entries + "]";
  for (std::size_t k = 1; k <= 10; ++k) {
    const std::string share = std::to_string(k) + "/10";
    const PairPointer pair = make_pair(laws + ",top-p=" + share + ")");
    CHECK(support(laws_at<Rational>(*pair, 0).draft).size() == k);
    CHECK(support(laws_at<double>(*pair, 0).draft).size() == k);
    const PairPointer tempered = make_pair(laws + ",temperature=1/2,top-p=" + share + ")");
    CHECK(support(laws_at<Rational>(*tempered, 0).draft).size() == k);
    CHECK(support(laws_at<double>(*tempered, 0).draft).size() == k);
  }
  // n equal weights 1/n, most of which no double holds: k of them are k/n of the whole.
  for (std::size_t n = 1; n <= 60; ++n) {
    const std::vector<double> equal(n, 1 / static_cast<double>(n));
    for (std::size_t k = 1; k <= n; ++k) {
      SamplingFilter share;
      share.top_p = Rational(k) / Rational(n);
      if (support(filtered(share, equal)).size() != k) FAIL_CHECK(k << " of " << n);
    }
  }
  // Doubles count with their exact values: those nearest 1/2 and 3/10 do not reach 4/5 of 1.
  const std::vector<double> short_of{0.5, 0.3, 0.2};
  REQUIRE(exact(0.5) + exact(0.3) < parse_rational("4/5"));
  REQUIRE(exact(0.5) + exact(0.3) + exact(0.2) == 1);
  CHECK(support(filtered(filter("1", "0", 9, "4/5"), short_of)).size() == 3);
  // 3/10 of the double nearest 1 is more than the double nearest 3/10.
  REQUIRE(exact(0.3) < parse_rational("3/10"));
  CHECK(support(filtered(filter("1", "3/10", 9, "1"), std::vector<double>{1, 0.3})).size() == 1);
  CHECK(support(filtered(filter("1", "1/4", 9, "1"), std::vector<double>{1, 0.25})).size() == 2);
}

}  // namespace
}  // namespace speclab::filter_test
