// The rest of a law, by a state's table: against the same steps in fractions, token by token.
#include "model/rest_law.h"

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "catch.h"
#include "drawn_rows.h"
#include "model/overlap.h"
#include "model/view.h"

namespace speclab::rest_law_test {
namespace {

/// The same steps by the table and in fractions.
struct Both {
  explicit Both(const DrawnRows& rows)
      : rows_(rows),
        table(rows.draft, rows.target),
        laws(rows.draft, rows.target, &table),
        exact_laws(rows.exact_draft, rows.exact_target),
        found(RestLaw<double>::target(laws)),
        wanted(RestLaw<Rational>::target(exact_laws)) {}

  void start_with_draft() {
    found = RestLaw<double>::draft(laws);
    wanted = RestLaw<Rational>::draft(exact_laws);
  }
  void strike(Token x) {
    found.strike(x);
    wanted.strike(x);
  }
  void keep(Token x) {
    found.keep(x);
    wanted.keep(x);
  }
  void subtract(double c) {
    found.subtract(laws, Wide(c));
    wanted.subtract(exact_laws, Rational(c));
  }
  void scale(double s) {
    found.scale(Wide(s));
    wanted.scale(Rational(s));
  }
  /// To a mass of about 1, by the same double, so that the next step leaves something.
  void normalise() { scale(1 / found.mass()); }
  void compare() const {
    REQUIRE(error(found.mass(), wanted.mass()) <= kAllowed);
    for (Token x = 0; x < found.size(); ++x) {
      REQUIRE((found.weight(x) > 0) == (wanted.weight(x) > 0));
      REQUIRE(error(found.weight(x), wanted.weight(x)) <= kAllowed);
    }
  }
  /// Every pick has weight, also at the ends of [0, 1).
  void pick_at(double u) const {
    if (!(wanted.mass() > 0)) {
      CHECK(pick(found, u) == kUndefined);
      return;
    }
    const Token x = pick(found, u);
    REQUIRE(x != kUndefined);
    REQUIRE(wanted.weight(x) > 0);
  }

  const DrawnRows& rows_;
  StateTable table;
  Laws<double> laws;
  Laws<Rational> exact_laws;
  RestLaw<double> found;
  RestLaw<Rational> wanted;
};

}  // namespace

TEST_CASE("rest law: recursive rejection keeps its masses in every kind of rows") {
  for_rows<Both>(71, [](const DrawnRows&, Both& both) {
    for (int step = 0; step < 4; ++step) {
      both.subtract(1);
      both.compare();
      if (!(both.wanted.mass() > 0)) break;
      both.normalise();
      both.pick_at(0);
      both.pick_at(1 - 0x1p-53);
    }
  });
}

TEST_CASE("rest law: removed and kept tokens, in every kind of rows") {
  boost::random::mt19937 engine(72);
  boost::random::uniform_01<double> uniform;
  for_rows<Both>(73, [&](const DrawnRows& rows, Both& both) {
    const std::size_t size = rows.draft.size();
    boost::random::uniform_int_distribution<Token> token(0, static_cast<Token>(size) - 1);
    for (int step = 0; step < 5; ++step) {
      step % 2 == 0 ? both.strike(token(engine)) : both.keep(token(engine));
      both.compare();
      both.subtract(0.375);
      both.compare();
      for (int i = 0; i < 20; ++i) both.pick_at(uniform(engine));
      both.scale(0.75);
    }
    both.start_with_draft();
    for (int step = 0; step < 5; ++step) {
      both.strike(both.table.token(static_cast<std::size_t>(step) % size));
      both.compare();
      both.pick_at(uniform(engine));
      both.pick_at(1 - 0x1p-53);
    }
  });
}

TEST_CASE("rest law: the last token left has exactly the mass, and nothing left has none") {
  const DrawnRows rows(RowKind::uneven, 200, 74);
  Both both(rows);
  both.start_with_draft();
  Token last = kUndefined;
  for (Token x = 0; x < 200; ++x) {
    if (!(rows.draft[static_cast<std::size_t>(x)] > 0)) continue;
    if (last != kUndefined) both.found.strike(last);
    last = x;
  }
  CHECK(both.found.probability(last) == 1);
  both.found.strike(last);
  CHECK(both.found.mass() == 0);
  CHECK(pick(both.found, 0.5) == kUndefined);
}

TEST_CASE("rest law: a walk of u from 0 to 1 draws each token as often as its weight") {
  const DrawnRows rows(RowKind::uneven, 100, 75);
  Both both(rows);
  both.subtract(0.5);
  both.keep(17);
  both.strike(3);
  both.strike(both.table.token(0));
  both.subtract(0.25);
  check_walk(both.found, both.wanted, 1 << 17, 1.5);
}

TEST_CASE("overlap: common mass and what is left, in every kind of rows") {
  boost::random::mt19937 engine(76);
  boost::random::uniform_01<double> uniform;
  for_rows<Both>(77, [&](const DrawnRows&, const Both& both) {
    for (const double rho : {1.0, 1.25, 3.0}) {
      CAPTURE(rho);
      const Overlap found(both.laws, rho);
      const Overlap wanted(both.exact_laws, Rational(rho));
      REQUIRE(error(found.mass(), wanted.mass()) <= kAllowed);
      const decltype(found)::Rest rest(found, 0.75 * rho);
      const decltype(wanted)::Rest exact(wanted, Rational(0.75 * rho));
      REQUIRE(error(rest.mass(), exact.mass()) <= kAllowed);
      for (int i = 0; i < 50; ++i) {
        const Token x = pick(rest, uniform(engine));
        REQUIRE(x != kUndefined);
        REQUIRE(exact.weight(x) > 0);
      }
    }
  });
}

TEST_CASE(
    "overlap: a walk of u from 0 to 1 draws each token of what is left as often as its weight") {
  for (const RowKind kind : kRowKinds) {
    const DrawnRows rows(kind, 100, 78);
    const Both both(rows);
    // With c = rho / 2 both sides leave something, with c = rho the draft's side alone.
    for (const double c : {0.625, 1.25}) {
      CAPTURE(row_kind_name(kind), c);
      const Overlap overlap(both.laws, 1.25);
      const decltype(overlap)::Rest rest(overlap, c);
      const Overlap exact_overlap(both.exact_laws, Rational(1.25));
      const decltype(exact_overlap)::Rest exact(exact_overlap, Rational(c));
      if (exact.mass() == 0) continue;
      check_walk(rest, exact, 1 << 15, 2.5);
    }
  }
}

}  // namespace speclab::rest_law_test
