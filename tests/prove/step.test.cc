// Losslessness for every draft length by induction: what is proved, planted faults, what is
// refused.
#include <algorithm>

#include "answer/proofs.h"
#include "base/error.h"
#include "catch.h"
#include "model/registry.h"
#include "proofs.h"
#include "prove/certificate.h"
#include "verifiers/chain/block_path.h"

namespace speclab::step_test {
namespace {

void proved(const char* verifier, Token vocabulary) {
  CAPTURE(verifier, vocabulary);
  Prover prover(theorem_of(verifier, Contexts::step, vocabulary, AllPairs::kStepGamma), {});
  finish(prover);
  CHECK(prover.verdict() == TheoremVerdict::proved);
  CHECK(prover.error_bound() < 1e-30);
  const CertificateCheck check =
      check_certificate(read_certificate(certificate_text(prover), "here"));
  CHECK(check.fault == "");
  CHECK(check.covers);
}

TEST_CASE("token and block are proved for every draft length and the certificates cover all") {
  for (const char* verifier : {"token", "block"}) {
    proved(verifier, 2);
    proved(verifier, 3);
  }
}

TEST_CASE("token and block are proved for every draft length and four tokens (long)") {
  proved("token", 4);
  proved("block", 4);
}

/// What is wrong with FaultyBlock.
enum class Planted {
  coin,       ///< a sub-block of one token or more is accepted wherever it has a residual
  whole,      ///< the whole block is accepted with the ratio of its last token
  residual,   ///< after a sub-block of one token or more the residual's weight is 1
  first,      ///< after no token the residual is the target
  square,     ///< it pauses with the square of the weight
  unclamped,  ///< the weight may be more than 1
  half,       ///< a sub-block of weight 1 is refused half of the time, the whole block is not
  silent,     ///< it never pauses
  ahead,      ///< the bonus token is drawn a context too late
};

/// Block verification with a fault.
template <Planted kFault>
struct FaultyBlock {
  static constexpr VerifierInfo kInfo = made_info("faulty-block", VerifierKind::lossless);
  static constexpr bool kCarries = false;
  static constexpr bool kMerges = true;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    Real w(1), last(1);
    auto node = root;
    for (int i = 1; i <= window.drafts; ++i) {
      const auto laws = view.at(node);
      const Token x = choices.draft(laws.draft());
      last = likelihood_ratio(laws, x);
      w = kFault == Planted::unclamped ? Real(w * last) : min_one<Real>(w * last);
      node = view.next(node, x);
      out.path.push_back({x, node, w});
      if (kFault == Planted::silent) continue;
      if (paused_after(choices, i, x, node, kFault == Planted::square ? Real(w * w) : w)) return;
    }
    if (choices.accept(kFault == Planted::whole ? min_one<Real>(last) : min_one<Real>(w))) {
      out.accept_path(window.drafts);
      if (kFault != Planted::ahead) return out.finish(view, choices, window);
      return out.correct(view, choices, view.at(view.next(node, 0)).target());
    }
    for (int i = window.drafts - 1; i >= 0; --i) {
      if (paused_before(choices, i)) return;
      const auto* step = i > 0 ? &out.path[static_cast<std::size_t>(i) - 1] : nullptr;
      const Real weight = step != nullptr ? step->weight : Real(1);
      const auto laws = view.at(step != nullptr ? step->node : root);
      if (i > 0) {
        const Real excess = laws.residual(weight).mass();
        Real coin = block_coin<Real>(excess, weight);
        if (kFault == Planted::coin) coin = Real(excess > 0 ? 1 : 0);
        if (kFault == Planted::half && weight == Real(1)) coin = Real(1) / Real(2);
        if (!(coin > 0) || !choices.accept(coin)) continue;
      }
      out.accept_path(i);
      if (i == 0 && kFault == Planted::first) return out.correct(view, choices, laws.target());
      const bool empty = kFault == Planted::half && !(laws.residual(weight).mass() > 0);
      if (empty) return out.correct(view, choices, laws.target());
      const bool one = i > 0 && kFault == Planted::residual;
      return out.correct(view, choices, laws.residual(one ? Real(1) : weight));
    }
  }
};

/// The iteration that refutes it. The pair is the same as JSON and as spec text.
template <Planted kFault>
ProofRun refuting_run() {
  Prover prover(theorem_of_program<FaultyBlock<kFault>>(Contexts::step, 3, AllPairs::kStepGamma),
                {});
  finish(prover);
  REQUIRE(prover.verdict() == TheoremVerdict::refuted);
  const Counterexample& found = *prover.state().counterexample;
  const AllPairs& family = prover.theorem().family;
  const ProofRun run = found.failure.run;
  const PairPointer pair = pair_at(family, found.point, run.start);
  const PairPointer read = make_pair(family.pair_text(found.point, run.start));
  for (const PairPointer& each : {pair, read}) CHECK(each->start().front().state == run.start);
  const Rows<Rational> rows(pair), same(read);
  for (State state = 0; state < family.states(); ++state) {
    CHECK(std::ranges::equal(rows.draft(state), same.draft(state)));
    CHECK(std::ranges::equal(rows.target(state), same.target(state)));
  }
  return run;
}

TEST_CASE("a fault in the step or at the first token is seen by the run that has it") {
  // Of gamma = 1 these are block verification: their fault is in later tokens alone.
  CHECK(refuting_run<Planted::coin>().start == AllPairs::kForced);
  CHECK(refuting_run<Planted::whole>().start == AllPairs::kForced);
  CHECK(refuting_run<Planted::residual>().start == AllPairs::kForced);
  CHECK(refuting_run<Planted::first>().start == AllPairs::kNode);
}

template <Planted kFault, class Refusal>
void refused() {
  const auto prove = [] {
    Prover prover(theorem_of_program<FaultyBlock<kFault>>(Contexts::step, 2, AllPairs::kStepGamma),
                  {});
    finish(prover);
  };
  CHECK_THROWS_AS(prove(), Refusal);
}

TEST_CASE("weights and programs that the induction does not cover are refused") {
  refused<Planted::square, InputError>();
  refused<Planted::unclamped, InputError>();
  refused<Planted::half, InputError>();
  refused<Planted::silent, ContractError>();
  refused<Planted::ahead, std::logic_error>();
}

TEST_CASE("a prefix that is refused more often the more drafts are left is no theorem") {
  // Lossless in both runs of the induction: what shows it false is a gamma of 3.
  Prover prover(theorem_of_program<FaultyBlock<Planted::half>>(Contexts::iid, 2, 3), {});
  finish(prover);
  CHECK(prover.verdict() == TheoremVerdict::refuted);
}

TEST_CASE("what the induction is not of is refused") {
  for (const char* verifier :
       {"greedy-block", "sample-match", "naive-tree(K=2)", "rrs(K=1)", "wrong-no-bonus"}) {
    CAPTURE(verifier);
    const auto prove = [&] {
      Prover prover(theorem_of(verifier, Contexts::step, 2, AllPairs::kStepGamma), {});
      finish(prover);
    };
    CHECK_THROWS_AS(prove(), InputError);
  }
  CHECK_THROWS_AS(
      Prover(theorem_of("block", Contexts::step, 2, AllPairs::kStepGamma, "at-least:token"), {}),
      InputError);
}

TEST_CASE("of a forced token two probabilities are free and the pair is printed as it is") {
  const AllPairs family(Contexts::step, 3, AllPairs::kStepGamma);
  std::vector<Rational> point(family.parameters(), Rational(1, 4));
  const PairPointer pair = pair_at(family, point);
  const Rows<Rational> rows(pair);
  using Row = std::vector<Rational>;
  const auto row = [](std::span<const Rational> law) { return Row(law.begin(), law.end()); };
  CHECK(row(rows.draft(AllPairs::kForced)) == Row{0, 0, 1});
  CHECK(row(rows.target(AllPairs::kForced)) == Row{Rational(1, 4), 0, Rational(3, 4)});
  CHECK(row(rows.draft(AllPairs::kNode)) == Row{Rational(1, 4), Rational(1, 4), Rational(1, 2)});
  CHECK(pair->next(AllPairs::kForced, 2) == AllPairs::kNode);
  CHECK(pair->next(AllPairs::kForced, 0) == AllPairs::kOther);
  CHECK(row(rows.target(AllPairs::kOther)) == Row{0, 0, 1});
  CHECK(pair->next(AllPairs::kNode, 2) == AllPairs::kLater);
  CHECK(pair->next(AllPairs::kLater, 0) == AllPairs::kLater);
  CHECK(family.next(AllPairs::kLater, 0) == family.states());
}

}  // namespace
}  // namespace speclab::step_test
