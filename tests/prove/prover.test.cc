// The exploration of cells: small theorems, planted faults, the cover, certificates.
#include "base/error.h"
#include "catch.h"
#include "proofs.h"
#include "prove/certificate.h"
#include "verifiers/chain/token.h"
#include "verifiers/info.h"

namespace speclab::prover_test {
namespace {

TEST_CASE("token and block verification are lossless for all pairs of two tokens") {
  struct Size {
    const char* verifier;
    int gamma;
    std::size_t cells;
  };
  // Token verification asks of one law of each model, whatever gamma is: d and t of token 0 with
  // t >= d are in one of 0 = d = t, 0 = d < t < 1, d = 0 and t = 1, 0 < d = t < 1, 0 < d < t < 1,
  // 0 < d < t = 1 and d = t = 1.
  for (const Size& size :
       {Size{"token", 1, 7}, {"token", 2, 7}, {"token", 3, 7}, {"block", 1, 7}}) {
    Prover prover(theorem_of(size.verifier, Contexts::iid, 2, size.gamma), {});
    finish(prover);
    CAPTURE(size.verifier, size.gamma);
    CHECK(prover.verdict() == TheoremVerdict::proved);
    CHECK(prover.state().cells.size() == size.cells);
    CHECK(prover.error_bound() < 1e-30);
  }
}

TEST_CASE("the cells cover every pair once and a branch that is left out is seen") {
  struct Size {
    const char* verifier;
    Contexts contexts;
    Token vocabulary;
    int gamma;
    int denominator;
  };
  for (const Size& size : {Size{"token", Contexts::iid, 2, 2, 7},
                           {"block", Contexts::iid, 2, 2, 12},
                           {"block", Contexts::iid, 3, 1, 5},
                           {"token", Contexts::tree, 2, 1, 3},
                           {"rrs(K=2)", Contexts::iid, 2, 1, 12}}) {
    Prover::Limits limits;
    limits.symmetry = false;
    Prover prover(theorem_of(size.verifier, size.contexts, size.vocabulary, size.gamma), limits);
    finish(prover);
    const Factors& factors = prover.factors();
    std::vector<Cell> cells = prover.state().cells;
    CAPTURE(size.verifier, size.vocabulary, size.gamma, cells.size());
    CHECK(prover.verdict() == TheoremVerdict::proved);
    CHECK(misplaced(prover.theorem().family, cells, factors, size.denominator) == 0);
    // A negation that is skipped loses the cells behind it; one taken twice doubles them.
    const Cell lost = cells[cells.size() / 2];
    cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(cells.size() / 2));
    CHECK(homes(cells, factors, lost.sample) == 0);
    cells.push_back(cells.front());
    CHECK(homes(cells, factors, cells.front().sample) == 2);
  }
}

/// Token verification but where t = d > 0 for token 0 exactly: there it emits token 0.
struct WrongOnTie {
  static constexpr VerifierInfo kInfo = made_info("wrong-on-tie", VerifierKind::wrong);
  static constexpr bool kCarries = false;
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    const auto laws = view.at(root);
    if (laws.draft(0) > 0 && laws.draft(0) == laws.target(0) && laws.draft(0) < 1) {
      return out.accept(0, view.next(root, 0));
    }
    TokenVerification{}(view, root, window, choices, out);
  }
};

/// Token verification but in one corner of the pairs of two contexts: t > 2 d for token 0 at first,
/// then t < d after it and t > d after token 1. There a rejection is let through.
struct WrongInCorner {
  static constexpr VerifierInfo kInfo = made_info("wrong-in-corner", VerifierKind::wrong);
  static constexpr bool kCarries = false;
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    const auto laws = view.at(root);
    const auto zero = view.at(view.next(root, 0));
    const auto one = view.at(view.next(root, 1));
    if (laws.target(0) > 2 * laws.draft(0) && zero.target(0) < zero.draft(0) &&
        one.target(0) > one.draft(0) && laws.draft(1) > 0) {
      return out.accept(choices.draft(laws.draft()), root);
    }
    TokenVerification{}(view, root, window, choices, out);
  }
};

TEST_CASE("a fault on one thin cell is found") {
  Prover prover(theorem_of_program<WrongOnTie>(Contexts::iid, 2, 1), {});
  finish(prover);
  REQUIRE(prover.verdict() == TheoremVerdict::refuted);
  const auto& point = prover.state().counterexample->point;
  CHECK(point == std::vector<Rational>{Rational(1, 2), Rational(1, 2)});
  // All but that cell hold: pairs at random would not have shown it.
  std::mt19937_64 engine(1);
  Functions functions(2);
  for (int i = 0; i < 100; ++i) {
    const auto sample = random_sample(prover.theorem().family, engine);
    if (sample[0] == sample[1]) continue;
    CHECK_FALSE(failure_at(prover.theorem(), functions, sample));
  }
}

TEST_CASE("a fault on one cell of many is found") {
  Prover prover(theorem_of_program<WrongInCorner>(Contexts::tree, 2, 1), {});
  finish(prover);
  REQUIRE(prover.verdict() == TheoremVerdict::refuted);
  Functions functions(prover.theorem().family.parameters());
  const auto& point = prover.state().counterexample->point;
  CHECK(failure_at(prover.theorem(), functions, point));
  const AllPairs& family = prover.theorem().family;
  CHECK(point[family.parameter(0, true, 0)] > 2 * point[family.parameter(0, false, 0)]);
  CHECK(point[family.parameter(1, true, 0)] < point[family.parameter(1, false, 0)]);
}

TEST_CASE("expected acceptance against another verifier for all pairs") {
  const auto verdict = [](const char* verifier, const char* property) {
    Prover prover(theorem_of(verifier, Contexts::iid, 2, 2, property), {});
    finish(prover);
    return prover.verdict();
  };
  CHECK(verdict("block", "at-least:token") == TheoremVerdict::proved);
  CHECK(verdict("token", "at-least:block") == TheoremVerdict::refuted);
  CHECK(verdict("greedy-block", "at-least:block") == TheoremVerdict::proved);
  CHECK(verdict("token", "equals:token") == TheoremVerdict::proved);
  CHECK(verdict("block", "equals:token") == TheoremVerdict::refuted);
}

TEST_CASE("constants that a known prime divides or makes 1 are refuted and not proved") {
  // 2^61 is 1 modulo 2^61 - 1: with l = 1, or eps = 0, both are token verification.
  for (const char* verifier :
       {"lenient(l=1/2305843009213693952)", "lenient(l=1/2305843009213693951)",
        "biased(eps=2305843009213693951,residual=standard)", "biased(eps=1/2305843009213693951)",
        "relaxed(pi=ensemble,weight=1/2305843009213693952)",
        "sprinter(fp=2305843009213693951/2305843009213693953,tp=1)"}) {
    CAPTURE(verifier);
    Prover prover(theorem_of(verifier, Contexts::iid, 2, 1), {});
    finish(prover);
    REQUIRE(prover.verdict() == TheoremVerdict::refuted);
    CHECK_THAT(prover.state().counterexample->failure.detail, Containing("is off by"));
  }
}

TEST_CASE("what cannot be proved is refused with the reason") {
  for (const char* verifier : {"kseq(K=2)", "canonical(K=2)", "wrong-coin-product"}) {
    CAPTURE(verifier);
    CHECK_THROWS_AS(Prover(theorem_of(verifier, Contexts::iid, 2, 1), {}), InputError);
  }
  Prover typical(theorem_of("typical(eps=2/5,alpha=4/5)", Contexts::iid, 2, 1), {});
  CHECK_THROWS_AS(finish(typical), InputError);
  CHECK_THROWS_AS(theorem_of("token", Contexts::tree, 3, 5), LimitError);
  CHECK_THROWS_AS(theorem_of("token", Contexts::iid, 1, 1), InputError);
  CHECK_THROWS_AS(theorem_of("token", Contexts::iid, 2, 1, "fast"), InputError);
}

TEST_CASE("a proof that was not finished goes on from its certificate to a whole cover") {
  Prover::Limits limits;
  limits.symmetry = false;
  Prover first(theorem_of("block", Contexts::iid, 2, 2), limits);
  for (int i = 0; i < 4; ++i) CHECK(first.step());
  CHECK(first.verdict() == TheoremVerdict::undecided);
  const std::size_t before = first.state().cells.size();
  const ProofCertificate saved = read_certificate(certificate_text(first), "here");
  Prover second(saved.theorem, limits);
  resume(second, saved);
  finish(second);
  CHECK(second.verdict() == TheoremVerdict::proved);
  CHECK(second.state().cells.size() > before);
  CHECK(misplaced(saved.theorem.family, second.state().cells, second.factors(), 12) == 0);
}

}  // namespace
}  // namespace speclab::prover_test
