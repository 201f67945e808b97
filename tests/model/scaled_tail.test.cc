// Tables of scaled targets, whose entries are those of a few tokens, against their rows.
#include "model/scaled_tail.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/rational.h"
#include "catch.h"
#include "model/rows.h"
#include "model/view.h"
#include "pairs.h"
#include "scaled_pair.h"

namespace speclab::scaled_tail_test {
namespace {

/// A draft, a scaled target on it, its table and the same law as a row.
struct Example {
  Example(std::size_t size, std::size_t others, double share, unsigned seed) {
    boost::random::mt19937 engine(seed);
    draft = random_draft(size, engine);
    law = random_scaled_target(draft, others, share, engine);
    target.resize(size);
    write_row(law, draft, target);
    table = std::make_unique<StateTable>(draft, law, nullptr);
  }
  /// a t(x) - b d(x) of the token at a rank, or 0 where that is less.
  [[nodiscard]] Rational gap(double a, double b, std::size_t rank) const {
    const auto x = static_cast<std::size_t>(table->token(rank));
    const Rational gap = Rational(a) * Rational(target[x]) - Rational(b) * Rational(draft[x]);
    return gap > 0 ? gap : Rational(0);
  }

  std::vector<double> draft;
  ScaledTarget law;
  std::vector<double> target;
  std::unique_ptr<const StateTable> table;
};

template <class Visit>
void for_examples(const Visit& visit) {
  unsigned seed = 1;
  for (const std::size_t size : {1U, 2U, 9U, 70U}) {
    for (const std::size_t others : {0U, 1U, 2U, 17U}) {
      if (others * 2 > size) continue;
      for (const double share : {0.0, 0.375, 0.999}) {
        if (others == 0 && share != 0.375) continue;
        CAPTURE(size, others, share);
        visit(Example(size, others, others == 0 ? 1 : share, ++seed));
      }
    }
  }
}

TEST_CASE("scaled target: ranks name every token once, in falling order of the ratio") {
  for_examples([](const Example& e) {
    std::vector<bool> seen(e.draft.size());
    for (std::size_t k = 0; k < e.draft.size(); ++k) {
      const Token x = e.table->token(k);
      const auto at = static_cast<std::size_t>(x);
      REQUIRE_FALSE(seen[at]);
      seen[at] = true;
      REQUIRE(e.table->rank(x) == k);
      REQUIRE(e.table->target_at(k) == e.target[at]);
      REQUIRE(e.table->target_of(x) == e.target[at]);
      REQUIRE(e.table->draft_at(k) == e.draft[at]);
      if (k + 1 < e.law.others.size()) {
        const auto next = static_cast<std::size_t>(e.table->token(k + 1));
        REQUIRE(Rational(e.target[at]) * Rational(e.draft[next]) >=
                Rational(e.target[next]) * Rational(e.draft[at]));
      }
      if (k >= e.law.others.size()) REQUIRE(e.target[at] == e.law.share * e.draft[at]);
    }
  });
}

TEST_CASE("scaled target: counts, masses and sums of the draft are those of the row") {
  for_examples([](const Example& e) {
    const std::size_t size = e.draft.size();
    Rational before(0);
    for (std::size_t k = 0; k <= size; ++k) {
      REQUIRE(e.table->draft_before(k) == Approx(to_double(before)).epsilon(1e-14).margin(1e-300));
      if (k < size) before += Rational(e.table->draft_at(k));
    }
    // None of the ratios b / a is a share, at which rounding alone decides.
    for (const auto& [a, b] : {std::pair(1.0, 0.0), std::pair(1.0, 1.0), std::pair(2.5, 1.0),
                               std::pair(0.5, 0.25), std::pair(40.0, 1.0), std::pair(0.0, -1.0)}) {
      std::size_t above = 0;
      while (above < size && e.gap(a, b, above) > 0) ++above;
      CAPTURE(a, b);
      for (const std::size_t limit : {std::size_t{0}, size / 3, size}) {
        REQUIRE(e.table->count_above(a, b, limit) == std::min(limit, above));
      }
      const std::size_t others = e.law.others.size();
      for (const std::size_t from : {std::size_t{0}, others / 2, others, above}) {
        for (const std::size_t to : {others, (others + above) / 2, above}) {
          if (from > to || to > above) continue;
          Rational sum(0);
          for (std::size_t k = from; k < to; ++k) sum += e.gap(a, b, k);
          CAPTURE(from, to);
          REQUIRE(e.table->mass(a, b, from, to).value() ==
                  Approx(to_double(sum)).epsilon(1e-12).margin(1e-300));
        }
      }
    }
  });
}

TEST_CASE("scaled target: draws take each token over its part of the mass") {
  for_examples([](const Example& e) {
    const std::size_t size = e.draft.size();
    for (const auto& [a, b] : {std::pair(1.0, 0.0), std::pair(2.5, 1.0), std::pair(0.0, -1.0)}) {
      const std::size_t above = e.table->count_above(a, b);
      for (const std::size_t from :
           {std::size_t{0}, e.law.others.size(), std::min(above, e.law.others.size() + 3)}) {
        for (const std::size_t to : {above, std::min(above, e.law.others.size() + 5)}) {
          Rational before(0);
          for (std::size_t k = from; k < to; ++k) {
            const Rational here = e.gap(a, b, k);
            for (const double share : {1e-6, 0.5, 1 - 1e-6}) {
              CAPTURE(a, b, from, to, k, share);
              const double left = to_double(Rational(before + here * Rational(share)));
              REQUIRE(e.table->pick(a, b, from, to, left) == e.table->token(k));
            }
            before += here;
          }
          // Rounding past the end gives the last token.
          if (from < to && to > e.law.others.size()) {
            REQUIRE(e.table->pick(a, b, from, to, to_double(before) * (1 + 1e-12)) ==
                    e.table->token(to - 1));
          }
        }
      }
    }
    REQUIRE(size == e.table->size());
  });
}

/// 6,000 words, most of them among twenty.
std::string some_text() {
  std::string text;
  std::uint32_t x = 1;
  for (int i = 0; i < 6000; ++i, x = x * 75 % 65537) {
    text += "w" + std::to_string(x % 7 == 0 ? x % 400 : x % 20) + " ";
  }
  return text;
}

TEST_CASE("scaled target: a temperature raises every law of an n-gram pair to a power") {
  const TemporaryFile file(some_text());
  const std::string orders = "ngram(text=" + file.path() + ",draft=1,target=3";
  const PairPointer plain = make_pair(orders + ")");
  for (const auto& [name, temperature] :
       {std::pair("2/3", 2.0 / 3), std::pair("3", 3.0), std::pair("1/16", 1.0 / 16)}) {
    const PairPointer tempered = make_pair(orders + ",temperature=" + name + ")");
    for (State state = 0; state < plain->states(); state += 7) {
      const auto laws = laws_at<double>(*plain, state);
      const auto found = laws_at<double>(*tempered, state);
      REQUIRE(tempered->scaled_target(state, found.draft).has_value());
      for (const auto& [from, to] :
           {std::pair(&laws.draft, &found.draft), std::pair(&laws.target, &found.target)}) {
        const double largest = std::ranges::max(*from);
        double sum = 0;
        for (const double p : *from) sum += std::pow(p / largest, 1 / temperature);
        for (std::size_t x = 0; x < from->size(); ++x) {
          CAPTURE(name, state, x);
          REQUIRE((*to)[x] ==
                  Approx(std::pow((*from)[x] / largest, 1 / temperature) / sum).epsilon(1e-11));
        }
      }
    }
  }
}

TEST_CASE("scaled target: an n-gram pair's tables have its rows, and the bytes of a few tokens") {
  const TemporaryFile file(some_text());
  for (const char* orders : {"draft=1,target=3", "draft=2,target=3", "draft=3,target=3",
                             "draft=1,target=3,temperature=2/3"}) {
    const PairPointer pair = make_pair("ngram(text=" + file.path() + "," + orders + ")");
    check_pair(*pair);
    const auto size = static_cast<std::size_t>(pair->vocabulary());
    const Rows<double> rows(pair);
    std::size_t scaled = 0;
    for (State state = 0; state < pair->states(); ++state) {
      const StateTable& table = rows.table(state);
      scaled += table.target_row().empty() ? 1 : 0;
      const Laws<double> laws = laws_at(rows, state);
      const auto target = rows.target(state);
      for (std::size_t token = 0; token < size; ++token) {
        REQUIRE(laws.target(static_cast<Token>(token)) == target[token]);
      }
      REQUIRE(laws.target().mass() == Approx(1).epsilon(1e-13));
      if (table.target_row().empty() && pair->draft_state(state) != state) {
        REQUIRE(table.bytes() < 30 * size);  // 64 bytes a token of a dense one
      }
    }
    CAPTURE(orders, scaled, pair->states());
    CHECK(scaled * 10 > pair->states() * 9);
  }
}

TEST_CASE("scaled target: rows with little memory make the same tables again") {
  const auto pair = std::make_shared<ScaledPair>(200, 12, true);
  const Rows<double> all(pair);
  const Rows<double> few(pair, /*most_kept=*/1);
  for (int round = 0; round < 3; ++round) {
    for (State state = 0; state < pair->states(); ++state) {
      Rows<double>::Reading reading(few);
      const StateTable& again = few.table(state);
      CHECK(again.target_row().empty());
      for (std::size_t k = 0; k < again.size(); ++k) {
        REQUIRE(again.token(k) == all.table(state).token(k));
      }
      REQUIRE(again.residual().mass == all.table(state).residual().mass);
      const std::size_t before = few.bytes();
      reading.pause();
      CHECK((state == 0 || few.bytes() < before));
    }
  }
}

TEST_CASE("scaled target: a table counts its bytes, and those of sums that others ask of it") {
  std::atomic<std::size_t> meter{0};
  {
    const Example e(70, 17, 0.375, 5);
    const StateTable owner(e.draft, e.target, true, &meter);
    const std::size_t alone = meter;
    CHECK(alone == owner.bytes());
    const StateTable first(e.draft, e.law, &owner, false, &meter);
    const StateTable second(e.draft, e.law, &owner, false, &meter);
    const StateTable whole(e.draft, e.law, nullptr, false, &meter);
    CHECK(owner.bytes() == alone + 71 * sizeof(Wide));
    CHECK(whole.bytes() == first.bytes() + 71 * sizeof(Wide));
    CHECK(meter == owner.bytes() + first.bytes() + second.bytes() + whole.bytes());
  }
  CHECK(meter == 0);
}

}  // namespace
}  // namespace speclab::scaled_tail_test
