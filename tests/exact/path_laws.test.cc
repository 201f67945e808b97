// Laws along paths: of the accepted tokens given the drafted block, and of corrections by the
// tokens that they end.
#include <map>
#include <string>

#include "catch.h"
#include "theory/measure.h"
#include "toy.h"
#include "verifiers/chain/block.h"
#include "verifiers/chain/greedy_block.h"
#include "verifiers/chain/token.h"
#include "verifiers/several/batch.h"
#include "verifiers/several/rrs.h"

namespace speclab::path_laws_test {
namespace {

template <class Program, class Real = Rational>
ExactResult<Real> found_by(const Program& program, std::string_view pair,
                           const ExactRequest& request) {
  return exact_results(program, Rows<Real>(make_pair(pair)), request);
}

ExactRequest with_law(int gamma, std::optional<int> horizon = std::nullopt) {
  return {.lengths = {.gamma = gamma, .horizon = horizon}, .law = true};
}

using Laws = std::map<std::vector<Token>, std::vector<Rational>>;

template <class Program>
Laws laws_given(const Program& program, std::string_view pair, int gamma) {
  Laws laws;
  const auto result = found_by(program, pair, with_law(gamma));
  const auto* found = result.find(QuantityId::law_given_draft);
  REQUIRE(found != nullptr);
  CHECK(found->missing.empty());
  for (const auto& [index, value] : found->values) {
    auto& law = laws[{index.begin(), index.end() - 1}];
    CHECK(index.back() == static_cast<int>(law.size()));
    law.push_back(value);
  }
  return laws;
}

TEST_CASE("the law given each draft: block on the toy pair by hand") {
  const Rational half(1, 2), quarter(1, 4);
  // (0,0): w = 1/2, 1/4 and S_1 = 0; (0,1): w_2 = 1; (1,0): w_2 = 1/2 and h_1 = 1.
  const Laws expected{{{0, 0}, {3 * quarter, 0, quarter}},
                      {{0, 1}, {0, 0, 1}},
                      {{1, 0}, {0, half, half}},
                      {{1, 1}, {0, 0, 1}}};
  CHECK(laws_given(BlockVerification{}, kToy, 2) == expected);
}

TEST_CASE("the law given each draft: token stops at the first coin that rejects") {
  int blocks = 0;
  for (const std::string_view pair : kHardPairs) {
    const Rows<Rational> rows(make_pair(pair));
    if (rows.pair().start().size() != 1) continue;
    for (const int gamma : {1, 3}) {
      for (const auto& [draft, law] : laws_given(TokenVerification{}, pair, gamma)) {
        CAPTURE(pair, gamma, draft);
        ++blocks;
        State state = rows.pair().start().front().state;
        Rational all(1);
        for (std::size_t i = 0; i < draft.size(); ++i) {
          const auto x = static_cast<std::size_t>(draft[i]);
          const Rational kept = min_one<Rational>(rows.target(state)[x] / rows.draft(state)[x]);
          CHECK(law[i] == all * (1 - kept));
          all *= kept;
          state = rows.next(state, draft[i]);
        }
        CHECK(law.back() == all);
      }
    }
  }
  CHECK(blocks > 60);
}

/// The mean of the laws, by the draft's law, is the law of the accepted tokens.
template <class Program>
void averages(const Program& program) {
  for (const std::string_view pair : kHardPairs) {
    CAPTURE(pair);
    const Rows<Rational> rows(make_pair(pair));
    std::vector<Rational> mean(3, Rational(0));
    for (const auto& [draft, law] : laws_given(program, pair, 2)) {
      Rational drawn(0);
      for (const Start& start : rows.pair().start()) {
        Rational mass = start.probability;
        State state = start.state;
        for (const Token x : draft) {
          mass *= rows.draft(state)[static_cast<std::size_t>(x)];
          state = rows.next(state, x);
        }
        drawn += mass;
      }
      CHECK(drawn > 0);
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += drawn * law[i];
    }
    CHECK(mean == run_program(program, pair, with_law(2)).accepted_law);
  }
}

TEST_CASE("laws given the draft average to the law of the accepted tokens") {
  averages(TokenVerification{});
  averages(BlockVerification{});
  averages(GreedyBlockVerification{});
}

TEST_CASE("greedy-block given the draft: P(X^i = x^i and tau >= i) = min(D, T)") {
  const Laws laws = laws_given(GreedyBlockVerification{}, kToy, 2);
  REQUIRE(laws.size() == 4);
  for (const auto& [draft, law] : laws) {
    Rational joint_draft(1), joint_target(1);
    for (const Token x : draft) {
      joint_draft *= x == 0 ? Rational(2, 3) : Rational(1, 3);
      joint_target *= x == 0 ? Rational(1, 3) : Rational(2, 3);
    }
    CHECK(joint_draft * law.back() == lesser<Rational>(joint_draft, joint_target));
  }
}

/// Drafts the token that the draft likes best, without a draw.
struct DraftsByRank {
  static constexpr bool kCarries = false;
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window, Choices& choices,
                  Iteration<View>& out) const {
    out.accept(0, view.next(root, 0));
    out.finish(view, choices, {.drafts = 1, .bonus = true});
  }
};

/// Draws two drafts where the window has one.
struct DraftsTwice {
  static constexpr bool kCarries = false;
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    choices.draft(view.at(root).draft());
    const Token x = choices.draft(view.at(root).draft());
    out.accept(x, view.next(root, x));
    out.finish(view, choices, window);
  }
};

TEST_CASE("the law given the draft is missing where there is no such draft or too many") {
  const auto missing = [](const auto& result) -> std::string {
    const auto* found = result.find(QuantityId::law_given_draft);
    REQUIRE(found != nullptr);
    CHECK(found->values.empty());
    CHECK(result.has(QuantityId::accepted_law));
    return found->missing;
  };
  const std::string order = "the verifier does not take one chain of drafts in its order";
  CHECK(missing(found_by(DraftsByRank{}, kToy, with_law(1))) == order);
  CHECK(missing(found_by(DraftsTwice{}, kToy, with_law(1))) == order);
  ExactRequest few = with_law(3);
  few.max_paths = 31999;
  CHECK(missing(found_by(BlockVerification{}, kToy, few))
            .starts_with("the law given each draft has up to 32 numbers"));
  few.max_paths = 32000;
  CHECK(found_by(BlockVerification{}, kToy, few).has(QuantityId::law_given_draft));
  CHECK(found_by(RecursiveRejection{.drafts = 2}, kToy, with_law(1))
            .find(QuantityId::law_given_draft) == nullptr);
  ExactRequest plain = with_law(1);
  plain.law = false;
  CHECK(found_by(BlockVerification{}, kToy, plain).find(QuantityId::law_given_draft) == nullptr);
}

TEST_CASE("the law given the draft in doubles") {
  const auto exact = found_by(BlockVerification{}, kToy, with_law(3));
  const auto doubles = found_by<BlockVerification, double>({}, kToy, with_law(3));
  const auto fractions = exact.list(QuantityId::law_given_draft);
  const auto numbers = doubles.list(QuantityId::law_given_draft);
  REQUIRE(fractions.size() == 32);
  REQUIRE(numbers.size() == 32);
  for (std::size_t i = 0; i < 32; ++i) {
    CHECK(numbers[i] == Approx(to_double(fractions[i])).margin(1e-15));
  }
}

using Corrected = std::map<std::vector<Token>, Rational>;

template <class Program>
Corrected corrected(const Program& program, std::string_view pair, int gamma, int horizon) {
  const auto result = found_by(program, pair, with_law(gamma, horizon));
  Corrected law;
  Rational sum(0);
  if (const auto* found = result.find(QuantityId::corrected_law)) {
    for (const auto& [index, value] : found->values) {
      law[index] = value;
      sum += value;
    }
  }
  CHECK(sum == result.at(QuantityId::rejections));
  return law;
}

/// Accepts the first draft and rejects the second, an end-of-sequence token before it or not.
struct RejectsSecond {
  static constexpr bool kCarries = false;
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    const Token x = choices.draft(view.at(root).draft());
    out.accept(x, view.next(root, x));
    if (window.drafts == 1) return out.finish(view, choices, window);
    choices.draft(view.at(out.node).draft());
    out.correct(view, choices, view.at(out.node).target());
  }
};

TEST_CASE("corrections by path add up to the expected rejections") {
  for (const std::string_view pair : kHardPairs) {
    CAPTURE(pair);
    for (const int gamma : {2, kUnbounded}) {
      corrected(TokenVerification{}, pair, gamma, 3);
      corrected(BlockVerification{}, pair, gamma, 3);
      corrected(GreedyBlockVerification{}, pair, gamma, 3);
      corrected(RecursiveRejection{.drafts = 2}, pair, gamma, 3);
      corrected(RejectsSecond{}, pair, gamma, 3);
    }
  }
}

TEST_CASE("corrections by path: token corrects x_n with probability t(x_{1:n-1}) (t - d)+") {
  int paths = 0;
  for (const std::string_view pair : kHardPairs) {
    const Rows<Rational> rows(make_pair(pair));
    if (rows.pair().end_token() || rows.pair().start().size() != 1) continue;
    for (const auto& [tokens, probability] : corrected(TokenVerification{}, pair, kUnbounded, 3)) {
      CAPTURE(pair, tokens);
      ++paths;
      State state = rows.pair().start().front().state;
      Rational before(1);
      for (std::size_t n = 0; n + 1 < tokens.size(); ++n) {
        before *= rows.target(state)[static_cast<std::size_t>(tokens[n])];
        state = rows.next(state, tokens[n]);
      }
      const auto x = static_cast<std::size_t>(tokens.back());
      CHECK(probability == before * (rows.target(state)[x] - rows.draft(state)[x]));
    }
  }
  CHECK(paths > 40);
}

TEST_CASE("corrections by path: two batches on the toy pair by equation 22") {
  // f(1) = 1/9 t^3(1), t^2 = t^3 = (0, 1), r_1 = 1/3, r_2 = 2/3: all left is on token 1.
  const Corrected law = corrected(BatchVerification{.drafts = 2}, kToy, kUnbounded, 2);
  const Rational root(2, 9);
  CHECK(law.at({1}) == root);
  // After a rejection position 2 is a root again, else it rejects like token verification.
  CHECK(law.at({0, 1}) == Rational(1, 3) * Rational(1, 3));
  CHECK(law.at({1, 1}) == root * root + (Rational(2, 3) - root) * Rational(1, 3));
  CHECK(law.size() == 3);
}

}  // namespace
}  // namespace speclab::path_laws_test
