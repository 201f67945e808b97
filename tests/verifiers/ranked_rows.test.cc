// Sums over a row by a state's table: against the same sums in fractions, token by token.
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <span>
#include <vector>

#include "catch.h"
#include "drawn_rows.h"
#include "model/carries/power_law.h"
#include "model/view.h"
#include "verifiers/chain/gumbel.h"
#include "verifiers/several/list_clocks.h"
#include "verifiers/several/mark_pieces.h"
#include "verifiers/several/selected_law.h"

namespace speclab::ranked_rows_test {
namespace {

struct Both {
  explicit Both(const DrawnRows& rows)
      : table(rows.draft, rows.target),
        laws(rows.draft, rows.target, &table),
        exact(rows.exact_draft, rows.exact_target) {}
  StateTable table;
  Laws<double> laws;
  Laws<Rational> exact;
};

/// Of a walk of u.
constexpr int kSteps = 1 << 16;

/// Every draw has weight, also at the ends of [0, 1).
template <class Law, class Exact>
void check_draws(const Law& law, const Exact& exact) {
  boost::random::mt19937 engine(81);
  boost::random::uniform_01<double> uniform;
  for (int i = 0; i < 40; ++i) {
    const double u = i == 0 ? 0.0 : i == 1 ? 1 - 0x1p-53 : uniform(engine);
    const Token x = pick(law, u);
    REQUIRE((x != kUndefined) == (exact.mass() > 0));
    if (x != kUndefined) REQUIRE(exact.weight(x) > 0);
  }
}

TEST_CASE("power laws: masses and draws in every kind of rows") {
  for_rows<Both>(82, [](const DrawnRows&, const Both& both) {
    for (const int power : {1, 2, 4, 16, 20}) {
      for (const double s : {1.0, 0.75, 0.01, 1.5}) {
        CAPTURE(power, s);
        const PowerLaw<double> found(both.laws, s, power);
        const PowerLaw<Rational> wanted(both.exact, Rational(s), power);
        // The smallest doubles lose their digits before their sign.
        if (to_double(wanted.mass()) < 1e-290) continue;
        REQUIRE(error(found.mass(), wanted.mass()) <= kAllowed);
        check_draws(found, wanted);
      }
    }
  });
}

TEST_CASE("power laws: draws follow the weights") {
  const DrawnRows rows(RowKind::uneven, 60, 83);
  const Both both(rows);
  for (const double s : {1.0, 0.5}) {
    check_walk(PowerLaw<double>(both.laws, s, 3), PowerLaw<Rational>(both.exact, Rational(s), 3),
               kSteps, 2);
  }
}

TEST_CASE("covered rows: all four sums in every kind of rows") {
  for_rows<Both>(84, [](const DrawnRows&, const Both& both) {
    for (const int drafts : {1, 2, 4}) {
      for (const double ratio : {1.0, 0.625, 3.0}) {
        for (const double reach : {1.0, 0.5}) {
          CAPTURE(drafts, ratio, reach);
          const CoveredRow<double> found(both.laws, ratio, reach, drafts);
          const CoveredRow<Rational> wanted(both.exact, Rational(ratio), Rational(reach), drafts);
          CHECK(error(found.spare, wanted.spare) <= kAllowed);
          CHECK(error(found.room, wanted.room) <= kAllowed);
          CHECK(error(found.missing, wanted.missing) <= kAllowed);
          CHECK(error(found.borrowed, wanted.borrowed) <= kAllowed);
        }
      }
    }
  });
}

TEST_CASE("mark pieces: masses and draws in every kind of rows") {
  for_rows<Both>(85, [](const DrawnRows& rows, const Both& both) {
    const auto size = static_cast<Token>(rows.draft.size());
    MarkPieces<double> found(size);
    MarkPieces<Rational> wanted(size);
    found.add_leaf(0.25);
    wanted.add_leaf(Rational(1, 4));
    found.add_row(both.laws, 1.25, 0.5, 0.75);
    wanted.add_row(both.exact, Rational(5, 4), Rational(1, 2), Rational(3, 4));
    found.add_row(both.laws, 1.0, 1.0, 0.125);
    wanted.add_row(both.exact, Rational(1), Rational(1), Rational(1, 8));
    REQUIRE(error(found.mass(), wanted.mass()) <= kAllowed);
    check_draws(found, wanted);
    if (size != 6) return;
    check_walk(found, wanted, kSteps, 2);
    // Without a table, token by token.
    MarkPieces<double> listed(size);
    listed.add_leaf(0.25);
    listed.add_row(Laws<double>(rows.draft, rows.target), 1.25, 0.5, 0.75);
    listed.add_row(Laws<double>(rows.draft, rows.target), 1.0, 1.0, 0.125);
    check_walk(listed, wanted, kSteps, 2);
  });
}

/// The laws of a node below one carry, whose target is carried, and the same with a row.
class Carried {
 public:
  using Real = double;
  Carried(const DrawnRows& rows, const StateTable& table, double share, int power)
      : target_(table), draft_(rows.draft) {
    const CarriedTarget::Form form{.b = share, .power = power};
    target_.carry(share, power, target_.mass(form, 0, target_.count_above(1, share)));
    const PowerLaw<double> weights(Laws<double>(rows.draft, rows.target), share, power);
    for (Token x = 0; x < weights.size(); ++x) row_.push_back(weights.weight(x) / weights.mass());
  }
  [[nodiscard]] Token vocabulary() const { return static_cast<Token>(row_.size()); }
  [[nodiscard]] double draft(Token x) const { return target_.draft(x); }
  [[nodiscard]] double target(Token x) const { return target_.target(x); }
  [[nodiscard]] const CarriedTarget* carried() const { return &target_; }
  [[nodiscard]] Laws<double> with_row() const { return {draft_, row_}; }

 private:
  CarriedTarget target_;
  std::span<const double> draft_;
  std::vector<double> row_;
};

/// Equal masses and weights, and draws that have weight. @param size  the tokens compared
template <class Law>
void check_same(const Law& found, const Law& wanted, Token size) {
  CHECK(std::abs(found.mass() - wanted.mass()) <= kAllowed);
  for (Token x = 0; x < size; ++x) {
    REQUIRE(std::abs(found.weight(x) - wanted.weight(x)) <= kAllowed);
  }
  if (wanted.mass() > kAllowed) check_draws(found, wanted);
}

TEST_CASE("below a carry: power laws, covered rows and mark pieces in every kind of rows") {
  for_rows<Both>(88, [](const DrawnRows& rows, const Both& both) {
    if (rows.draft.size() < CarriedTarget::kLeast) return;
    const Carried laws(rows, both.table, 0.5, 2);
    const auto listed = laws.with_row();
    for (const double s : {0.75, 0.01, 1.5}) {
      check_same(PowerLaw<double>(laws, s, 3), PowerLaw<double>(listed, s, 3), laws.vocabulary());
    }
    for (const double ratio : {1.0, 0.625, 3.0}) {
      for (const double reach : {1.0, 0.5}) {
        CAPTURE(ratio, reach);
        const CoveredRow<double> found(laws, ratio, reach, 3);
        const CoveredRow<double> wanted(listed, ratio, reach, 3);
        CHECK(std::abs(found.spare - wanted.spare) <= kAllowed);
        CHECK(std::abs(found.room - wanted.room) <= kAllowed);
        CHECK(std::abs(found.missing - wanted.missing) <= kAllowed);
        CHECK(std::abs(found.borrowed - wanted.borrowed) <= kAllowed);
      }
    }
    MarkPieces<double> found(laws.vocabulary()), wanted(laws.vocabulary());
    found.add_row(laws, 1.25, 0.5, 0.75);
    wanted.add_row(listed, 1.25, 0.5, 0.75);
    check_same(found, wanted, laws.vocabulary());
  });
}

TEST_CASE("gumbel: matches and mismatches in every kind of rows") {
  for_rows<Both>(86, [](const DrawnRows& rows, const Both& both) {
    const GumbelCoupling found(both.laws);
    const GumbelCoupling wanted(both.exact);
    for (Token x = 0; x < 6; ++x) {
      if (!(rows.draft[static_cast<std::size_t>(x)] > 0)) continue;
      CAPTURE(x);
      const Rational match = wanted.match(x);
      REQUIRE(error(found.match(x), match) <= kAllowed);
      if (rows.draft.size() > 6) continue;
      const decltype(found)::Mismatch rest(found, x, both.table);
      const auto exact = wanted.mismatch(x);
      // Rows of doubles sum to 1 within rounding.
      CHECK(std::abs(to_double(Rational(exact.mass() - (1 - match)))) <= 1e-14);
      CHECK(error(rest.mass(), exact.mass()) <= 1e-3);
      REQUIRE((rest.mass() > 0) == (exact.mass() > 0));
      check_draws(rest, exact);
    }
  });
  const DrawnRows rows(RowKind::uneven, 60, 87);
  const Both both(rows);
  const GumbelCoupling found(both.laws);
  const GumbelCoupling wanted(both.exact);
  for (const std::size_t rank : {std::size_t{20}, std::size_t{45}}) {
    const Token x = both.table.token(rank);
    check_walk(decltype(found)::Mismatch(found, x, both.table), wanted.mismatch(x), kSteps,
               1.0 + static_cast<double>(rank));  // so many intervals of u are a token's
  }
}

TEST_CASE("list clocks: the integral in doubles is the fraction, in every kind of rows") {
  for_rows<Both>(89, [](const DrawnRows& rows, const Both& both) {
    if (rows.draft.size() > 6) return;
    for (Token x = 0; x < 6; ++x) {
      for (Token y = 0; y <= x; ++y) {
        if (!(both.laws.draft(x) > 0) || !(both.laws.draft(y) > 0)) continue;
        CAPTURE(x, y);
        for (const int idle : {0, 2}) {
          const std::vector<double> found = ListClocks(both.laws, {x, y}, idle).law();
          const std::vector<Rational> wanted = ListClocks(both.exact, {x, y}, idle).law();
          for (std::size_t v = 0; v < 6; ++v) {
            REQUIRE(found[v] >= 0);
            REQUIRE(std::abs(found[v] - to_double(wanted[v])) <= kAllowed);
          }
        }
      }
    }
  });
}

TEST_CASE("selected law: probabilities, masses and draws in every kind of rows") {
  for_rows<Both>(88, [](const DrawnRows& rows, const Both& both) {
    if (rows.draft.size() > 6) return;
    for (const int drafts : {1, 3, 70}) {
      const RankedSelection found(both.table, 0.75, drafts);
      const ListedSelection<Rational> wanted(both.exact, Rational(3, 4), drafts);
      for (Token x = 0; x < 6; ++x) {
        CAPTURE(drafts, x);
        // 1 - kappa G has an absolute accuracy, of a power of 70 the seventieth part of it.
        CHECK(error(found.probability(x), wanted.probability(x)) <= 1e-11);
        if (both.laws.draft(x) > 0) CHECK(found.rank(x) >= wanted.rank(x));
      }
      for (const double weight : {1.0, 0.5}) {
        CAPTURE(drafts, weight);
        const auto law = found.residual(weight);
        const auto exact = wanted.residual(Rational(weight));
        // [w t - s]+ is summed in doubles.
        CHECK(std::abs(law.mass() - to_double(exact.mass())) <= 1e-14);
        if (to_double(exact.mass()) > 1e-6) check_draws(law, exact);
      }
    }
  });
}

TEST_CASE("selected law: a rounding remainder at the end goes to a token of positive mass") {
  for_rows<Both>(90, [](const DrawnRows& rows, const Both& both) {
    if (rows.draft.size() > 6) return;
    const RankedSelection found(both.table, 0.75, 3);
    const ListedSelection<Rational> wanted(both.exact, Rational(3, 4), 3);
    const auto exact = wanted.residual(Rational(1));
    const auto law = found.residual(1.0);
    if (law.mass() > 1e-6) CHECK(exact.weight(law.pick(2.0)) > 0);
  });
}

TEST_CASE("selected law: a long row, range by range, is the row token by token") {
  // 517 is no multiple of the shortest range.
  for (const RowKind kind : kRowKinds) {
    const DrawnRows rows(kind, 517, 89);
    const Both both(rows);
    for (const int drafts : {1, 4, 64, 65}) {
      for (const double kappa : {1.0, 0.75, 1e-9}) {
        const RankedSelection found(both.table, kappa, drafts);
        const ListedSelection<Rational> wanted(both.exact, Rational(kappa), drafts);
        for (const double weight : {1.0, 0.875, 0.5, 1e-6}) {
          CAPTURE(row_kind_name(kind), drafts, kappa, weight);
          const auto law = found.residual(weight);
          const auto exact = wanted.residual(Rational(weight));
          CHECK(std::abs(law.mass() - to_double(exact.mass())) <= 1e-14);
          if (law.mass() > 1e-6) check_draws(law, exact);
        }
      }
    }
  }
}

TEST_CASE("selected law: draws from a long row follow the weights") {
  const DrawnRows rows(RowKind::uneven, 300, 92);
  const Both both(rows);
  const RankedSelection found(both.table, 0.75, 4);
  const ListedSelection<Rational> wanted(both.exact, Rational(3, 4), 4);
  for (const double weight : {1.0, 0.5}) {
    check_walk(found.residual(weight), wanted.residual(Rational(weight)), kSteps, 2);
  }
}

TEST_CASE("selected law: where kappa underflows, the path is treated as the only draft") {
  const DrawnRows rows(RowKind::uneven, 1021, 91);
  const Both both(rows);
  for (const int drafts : {3, 70}) {
    const RankedSelection found(both.table, 0.0, drafts);
    const ListedSelection<double> wanted(both.laws, 0.0, drafts);
    CAPTURE(drafts);
    CHECK(found.probability(5) == both.laws.draft(5));
    const double mass = wanted.residual(1.0).mass();
    CHECK(mass > 0);
    CHECK(std::abs(found.residual(1.0).mass() - mass) <= 1e-13);
    // The most preferred token is among what is left.
    const Token first = both.table.token(0);
    CHECK(wanted.residual(1.0).weight(first) > 1e-9);
  }
}

TEST_CASE("selected law: the same without a state's table") {
  const DrawnRows rows(RowKind::uneven, 60, 92);
  const Both both(rows);
  const Laws<double> bare(rows.draft, rows.target);
  REQUIRE(bare.table() == nullptr);
  const SelectedLaw<double> found(bare, 0.75, 3);
  const SelectedLaw<double> ranked(both.laws, 0.75, 3);
  for (Token x = 0; x < 60; ++x) {
    CHECK(std::abs(found.probability(x) - ranked.probability(x)) <= 1e-13);
  }
}

}  // namespace
}  // namespace speclab::ranked_rows_test
