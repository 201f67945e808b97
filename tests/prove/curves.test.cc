// Cells on curves: irrational pairs, and equalities that fall apart into factors.
#include <nlohmann/json.hpp>

#include "catch.h"
#include "proofs.h"
#include "prove/certificate.h"
#include "verifiers/chain/token.h"
#include "verifiers/info.h"

namespace speclab::curves_test {
namespace {

TEST_CASE("cells of irrational pairs are decided and checked without a sample") {
  Prover prover(theorem_of("slot-block(K=2)", Contexts::iid, 2, 2), {});
  finish(prover);
  CHECK(prover.verdict() == TheoremVerdict::proved);
  std::size_t irrational = 0;
  for (const Cell& cell : prover.state().cells) irrational += cell.sample.empty() ? 1 : 0;
  CHECK(irrational > 0);
  const nlohmann::json good = nlohmann::json::parse(certificate_text(prover));
  const CertificateCheck checked = check_certificate(read_certificate(good.dump(), "here"));
  CHECK(checked.fault == "");
  CHECK(checked.without_sample == irrational);
  CHECK(checked.cells == prover.state().cells.size());
  // Such a cell must decide every comparison by its conditions alone.
  for (std::size_t i = 0; i < good["cells"].size(); ++i) {
    if (!good["cells"][i]["sample"].is_null()) continue;
    nlohmann::json weaker = good;
    weaker["cells"][i]["branch"].erase(0);
    CHECK(check_certificate(read_certificate(weaker.dump(), "here")).fault != "");
  }
}

/// Token verification but where a polynomial of d and t (of token 0) is 0 and d > 0: there it emits
/// token 0 with probability d / 2, which is right where d = 2 t and nowhere else.
template <class Curve>
struct WrongOn {
  static constexpr VerifierInfo kInfo = made_info("wrong-on-curve", VerifierKind::wrong);
  static constexpr bool kCarries = false;
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    const auto laws = view.at(root);
    const Real d = laws.draft(0);
    if (d > 0 && Curve::template value<Real>(d, laws.target(0)) == 0) {
      const Token x = choices.accept(Real(d / 2)) ? 0 : 1;
      return out.accept(x, view.next(root, x));
    }
    TokenVerification{}(view, root, window, choices, out);
  }
};

/// 2 d = 3 t^3.
struct Cubic {
  template <class Real>
  static Real value(const Real& d, const Real& t) {
    return 2 * d - 3 * t * t * t;
  }
};
/// (d - 2 t)(d + t^2 - 1/3), multiplied out; no part of the sum has one of these factors.
struct TwoCurves {
  template <class Real>
  static Real value(const Real& d, const Real& t) {
    return d * d + 2 * t / 3 - 2 * t * d + d * t * t - 2 * t * t * t - d / 3;
  }
};
/// (d - 2 t)(3 t - 1), likewise: linear in d.
struct TwoLines {
  template <class Real>
  static Real value(const Real& d, const Real& t) {
    return 3 * d * t + 2 * t - d - 6 * t * t;
  }
};
/// d - 2 t.
struct RightLine {
  template <class Real>
  static Real value(const Real& d, const Real& t) {
    return d - 2 * t;
  }
};

template <class Curve>
TheoremVerdict verdict_on(std::vector<Rational>* point = nullptr) {
  Prover prover(theorem_of_program<WrongOn<Curve>>(Contexts::iid, 2, 1), {});
  finish(prover);
  if (point != nullptr && prover.state().counterexample) {
    *point = prover.state().counterexample->point;
  }
  return prover.verdict();
}

TEST_CASE("a fault on a curve alone is found") {
  std::vector<Rational> point;
  CHECK(verdict_on<Cubic>(&point) == TheoremVerdict::refuted);
  REQUIRE(point.size() == 2);
  CHECK(2 * point[0] == 3 * point[1] * point[1] * point[1]);
}

/// Whether all goals are said to hold on the cell of the sample d = 1/2, t = 1/4.
template <class Curve>
bool held_at_right_line() {
  const Theorem theorem = theorem_of_program<WrongOn<Curve>>(Contexts::iid, 2, 1);
  Functions functions(2);
  const auto always = theorem.family.domain(functions.factors());
  CellRun run(functions, Sample{{Rational(1, 2), Rational(1, 4)}}, always);
  const CurrentRun current(run);
  const std::vector<Goal> goals = goals_of(theorem);
  std::vector<Condition> cell;
  for (const Record& record : run.records()) cell.push_back(record.taken);
  Judge judge(theorem, run, always, cell);
  bool all = true;
  for (const Goal& goal : goals) {
    Basis basis = Basis::field;
    const Truth truth = judge.check(goal, basis);
    CHECK(truth != Truth::no);  // it is true at the sample
    all = all && truth == Truth::yes;
  }
  return all;
}

TEST_CASE("an identity on one factor of an equality is none on the other") {
  CHECK(held_at_right_line<RightLine>());
  CHECK_FALSE(held_at_right_line<TwoLines>());
  CHECK_FALSE(held_at_right_line<TwoCurves>());
  CHECK(verdict_on<RightLine>() == TheoremVerdict::proved);
  CHECK(verdict_on<TwoLines>() == TheoremVerdict::refuted);
  CHECK(verdict_on<TwoCurves>() == TheoremVerdict::refuted);
}

}  // namespace
}  // namespace speclab::curves_test
