// Every verifier in doubles, by the tables, against itself in fractions, token by token.
#include <cmath>
#include <functional>

#include "catch.h"
#include "exact/exact.h"
#include "model/registry.h"
#include "verifiers/registry.h"

namespace speclab::doubles_test {
namespace {

/// A probability, or a sum of a few, may be this far off: thousands of sequences, each rounded at
/// every step.
constexpr double kAllowed = 1e-11;

/// Pairs of at most six tokens: ties, zeros, and rows of different sizes.
const char* const kPairs[] = {
    "iid(draft=[5/6,1/6],target=[1/2,1/2])",
    "iid(draft=[1/2,1/4,1/4,0],target=[1/4,1/4,0,1/2])",
    "iid(draft=[1/3,1/3,1/3],target=[1/3,1/3,1/3])",
    "iid(draft=[1/2,1/4,1/8,1/16,1/32,1/32],target=[1/8,1/4,1/4,1/8,1/8,1/8])",
    "markov(vocabulary=3,horizon=4,seed=3)",
    "tree(vocabulary=3,depth=3,seed=5)",
};
/// One on which printed and wrong formulas lose their digits; the lossless ones must not.
const char* const kNearlySure =
    "iid(draft=[0.999999999,0.000000001,0],target=[0.999999998,0.000000001,0.000000001])";

template <class Real>
ExactResult<Real> answer(const Verifier& verifier, const PairPointer& pair) {
  return run_exact<Real>(verifier, Rows<Real>(pair), {.lengths = {.gamma = 2, .horizon = 2}});
}

void compare(const ExactResult<double>& found, const ExactResult<Rational>& wanted) {
  REQUIRE(found.all().size() == wanted.all().size());
  for (std::size_t i = 0; i < found.all().size(); ++i) {
    const auto& near = found.all()[i];
    const auto& exact = wanted.all()[i];
    REQUIRE(near.id == exact.id);
    REQUIRE(near.values.size() == exact.values.size());
    for (std::size_t k = 0; k < near.values.size(); ++k) {
      CAPTURE(quantity(near.id).name, index_text(near.values[k].index), near.values[k].value,
              to_double(exact.values[k].value));
      REQUIRE(std::abs(near.values[k].value - to_double(exact.values[k].value)) <= kAllowed);
    }
  }
}

void compare_all(const char* text, const std::function<bool(const VerifierInfo&)>& wanted) {
  const PairPointer pair = make_pair(text);
  for (const VerifierInfo& row : verifier_rows()) {
    if (!wanted(row)) continue;
    CAPTURE(text, row.example);
    const Verifier verifier = make_verifier(row.example);
    compare(answer<double>(verifier, pair), answer<Rational>(verifier, pair));
  }
}

TEST_CASE("doubles: every verifier agrees with its fractions") {
  for (const char* text : kPairs) compare_all(text, [](const VerifierInfo&) { return true; });
}

TEST_CASE("doubles: lossless verifiers agree with their fractions where little is left") {
  compare_all(kNearlySure,
              [](const VerifierInfo& row) { return row.kind == VerifierKind::lossless; });
}

TEST_CASE("doubles: path-block has the order of rounded rows, which may break a tie of fractions") {
  // t/d is 5/7 for the tokens 0 and 1; rounded, it is greater for token 1.
  const PairPointer pair = make_pair("iid(draft=[1/5,3/5,1/5],target=[1/7,3/7,3/7])");
  const PairPointer other_order = make_pair("iid(draft=[3/5,1/5,1/5],target=[3/7,1/7,3/7])");
  const Verifier verifier = make_verifier("path-block(K=2)");
  const auto accepted = [&]<class Real>(const Rows<Real>& rows) {
    return run_exact<Real>(verifier, rows, {.lengths = {.gamma = 1}})
        .at(QuantityId::expected_accepted);
  };
  CHECK(accepted(Rows<Rational>(pair)) == Rational(151, 175));
  CHECK(accepted(Rows<Rational>(other_order)) == Rational(29, 35));
  CHECK(std::abs(accepted(Rows<double>(pair)) - 29.0 / 35) <= kAllowed);
}

}  // namespace
}  // namespace speclab::doubles_test
