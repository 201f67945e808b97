// Iterations with equal prefixes merged are the plain enumeration, in fractions; and a verifier
// that says too little of what its future depends on is found out.
#include <map>
#include <optional>
#include <set>
#include <string>

#include "catch.h"
#include "exact/outcomes.h"
#include "run/each_sequence.h"
#include "toy.h"
#include "verifiers/chain/block.h"
#include "verifiers/chain/greedy_block.h"
#include "verifiers/chain/token.h"
#include "verifiers/several/canonical.h"
#include "verifiers/several/kseq.h"
#include "verifiers/several/naive_tree.h"
#include "verifiers/several/rrs.h"
#include "verifiers/several/target_only.h"

namespace speclab::merging_test {
namespace {

using View = PairView<Rational>;
template <class Program>
using Ends = std::map<End<typename ViewOf<Program, Rational>::Node>, Rational>;

const std::vector<std::string_view> kPairs = [] {
  std::vector<std::string_view> pairs = kHardPairs;
  pairs.insert(pairs.end(), {"markov(vocabulary=3,horizon=6,seed=3,eos=0)",
                             "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])",
                             "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10],eos=1)",
                             // Equal weights in contexts that differ.
                             "automaton(draft=[[1/2,1/2],[1/2,1/2],[1/3,2/3]],"
                             "target=[[1/2,1/2],[1/4,3/4],[2/3,1/3]],next=[[1,2],[1,2],[1,2]])"});
  return pairs;
}();

template <class Program>
Ends<Program> merged(const Program& program, const Rows<Rational>& rows, Window window,
                     bool corrections, std::optional<Token> end) {
  using Its = ViewOf<Program, Rational>;
  using Node = typename Its::Node;
  const Its view(rows);
  Ends<Program> ends;
  for (const Start& start : rows.pair().start()) {
    any_runner<Its>(program).visit_merged(view, view.root(start.state), window, corrections, end,
                                          [&](const Emitted<Node>& out, const Rational& weight) {
                                            ends[End<Node>(out, rows.pair().end_token())] +=
                                                start.probability * weight;
                                          },
                                          {[] {}, [](double) {}});
  }
  return ends;
}

template <class Program>
Ends<Program> plain(const Program& program, const Rows<Rational>& rows, Window window,
                    bool corrections) {
  using Its = ViewOf<Program, Rational>;
  using Node = typename Its::Node;
  const Its view(rows);
  Ends<Program> ends;
  for (const Start& start : rows.pair().start()) {
    each_sequence(program, view, view.root(start.state), window, corrections,
                  [&](const Iteration<Its>& out, const Rational& weight) {
                    const Emitted<Node> emitted{out.tokens, out.accepted, out.ending, out.node};
                    ends[End<Node>(emitted, rows.pair().end_token())] += start.probability * weight;
                  });
  }
  return ends;
}

/// On how many of the pairs and windows the two differ.
template <class Program>
int differences(const Program& program, bool knows_end = true) {
  int count = 0;
  for (const std::string_view pair : kPairs) {
    const Rows<Rational> rows(make_pair(pair));
    const auto end = knows_end ? rows.pair().end_token() : std::nullopt;
    for (const Window window : {Window{1, true}, Window{2, false}, Window{3, true}}) {
      for (const bool corrections : {false, true}) {
        const Ends<Program> expected = plain(program, rows, window, corrections);
        const Ends<Program> found = merged(program, rows, window, corrections, end);
        const auto same = [](const auto& a, const auto& b) {
          return !(a.first < b.first) && !(b.first < a.first) && a.second == b.second;
        };
        if (!std::equal(expected.begin(), expected.end(), found.begin(), found.end(), same)) {
          ++count;
        }
      }
    }
  }
  return count;
}

TEST_CASE("merged iterations are the plain ones for every verifier that merges") {
  CHECK(differences(TokenVerification{}) == 0);
  CHECK(differences(BlockVerification{}) == 0);
  CHECK(differences(GreedyBlockVerification{}) == 0);
  CHECK(differences(RecursiveRejection{1}) == 0);
  CHECK(differences(RecursiveRejection{2}) == 0);
  CHECK(differences(KSequential{2}) == 0);
  const auto program = [](const char* text, auto type) {
    SpecReader reader(parse_spec(text));
    return decltype(type)::read(reader);
  };
  CHECK(differences(program("target-only(K=2)", TargetOnly{})) == 0);
  CHECK(differences(program("naive-tree(K=2)", NaiveTree{})) == 0);
  CHECK(differences(program("naive-tree(K=3)", NaiveTree{})) == 0);
  CHECK(differences(Canonical{2}) == 0);
  CHECK(differences(Canonical{3}) == 0);
}

/// A verifier that does not say what its future depends on is not merged.
struct SaysNothing {};
static_assert(merges<TokenVerification>() && !merges<SaysNothing>());

/// A verifier that leaves out of its pauses what `Less` leaves out.
template <class Less, class Program = BlockVerification>
struct SaysLess {
  static constexpr bool kCarries = Program::kCarries;
  static constexpr bool kMerges = true;

  /// Pauses less than it is asked to.
  template <class Choices>
  struct Hiding {
    using Real = typename Choices::Real;
    Choices& choices;
    template <class Law>
    Token draft(const Law& law) {
      return choices.draft(law);
    }
    template <class Law>
    Token correct(const Law& law) {
      return choices.correct(law);
    }
    bool accept(const Real& probability) { return choices.accept(probability); }
    template <class Node>
    bool pause_after(int length, Token last, const Node& node, const Real& weight) {
      if constexpr (requires { choices.pause_after(length, last, node, weight); }) {
        return choices.pause_after(length, last, Less::node ? Node{} : node,
                                   Less::weight ? Real(0) : weight);
      }
      return false;
    }
    bool pause_before(int length) {
      if constexpr (requires { choices.pause_before(length); }) {
        return choices.pause_before(Less::refusal ? 0 : length);
      }
      return false;
    }
  };

  template <class AnyView, class Choices>
  void operator()(const AnyView& view, const typename AnyView::Node& root, Window window,
                  Choices& choices, Iteration<AnyView>& out) const {
    Hiding<Choices> hiding{choices};
    Program{}(view, root, window, hiding, out);
  }
};

struct Nothing {
  static constexpr bool node = false, weight = false, refusal = false;
};
struct TheNode {
  static constexpr bool node = true, weight = false, refusal = false;
};
struct TheWeight {
  static constexpr bool node = false, weight = true, refusal = false;
};
struct TheRefusal {
  static constexpr bool node = false, weight = false, refusal = true;
};

TEST_CASE("pauses that say too little show as other ends") {
  CHECK(differences(SaysLess<Nothing>{}) == 0);
  CHECK(differences(SaysLess<TheNode>{}) > 0);
  CHECK(differences(SaysLess<TheWeight>{}) > 0);
  CHECK(differences(SaysLess<TheRefusal>{}) > 0);
  CHECK(differences(SaysLess<Nothing, GreedyBlockVerification>{}) == 0);
  CHECK(differences(SaysLess<TheNode, GreedyBlockVerification>{}) > 0);
  CHECK(differences(SaysLess<TheWeight, GreedyBlockVerification>{}) > 0);
  CHECK(differences(SaysLess<TheRefusal, GreedyBlockVerification>{}) > 0);
  // The end-of-sequence token forgotten: decodes of different lengths are merged.
  CHECK(differences(TokenVerification{}, false) > 0);
  CHECK(differences(BlockVerification{}, false) > 0);
}

/// Pauses after every second prefix only.
struct Skips {
  static constexpr bool kCarries = false;
  static constexpr bool kMerges = true;
  template <class AnyView, class Choices>
  void operator()(const AnyView& view, const typename AnyView::Node&, Window window,
                  Choices& choices, Iteration<AnyView>& out) const {
    for (int i = 1; i <= window.drafts; ++i) {
      const auto laws = view.at(out.node);
      const Token x = choices.draft(laws.draft());
      out.accept(x, view.next(out.node, x));
      if (i % 2 == 0 && paused_after(choices, i, x, out.node, Rational(0))) return;
    }
  }
};

TEST_CASE("a verifier that pauses after some prefixes only breaks its contract") {
  const Rows<Rational> rows(make_pair(kToy));
  CHECK_THROWS_AS(merged(Skips{}, rows, {3, false}, true, std::nullopt), ContractError);
}

TEST_CASE("merging leaves few runs where contexts are few") {
  // Two tokens, one context: 2^40 drafts, but one class of each length.
  const Rows<Rational> rows(make_pair(kToy));
  const View view(rows);
  int runs = 0;
  Rational total(0);
  any_runner<View>(TokenVerification{})
      .visit_merged(view, 0, {40, true}, true, std::nullopt,
                    [&](const Emitted<State>&, const Rational& weight) { total += weight; },
                    {[&] { ++runs; }, [](double) {}});
  CHECK(total == 1);
  CHECK(runs < 40 * 8);
}

}  // namespace
}  // namespace speclab::merging_test
