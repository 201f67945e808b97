// The output form of a verifier with a carry (verifiers/output_block.h) against its enumerated
// decisions over whole decodes: one law of the tokens and of how many are accepted in each
// iteration, in fractions. And that forms with a fault have another.
#include <map>
#include <utility>

#include "catch.h"
#include "model/lengths.h"
#include "model/registry.h"
#include "plain.h"
#include "vectors.h"
#include "verifiers/chain/greedy_block.h"
#include "verifiers/window.h"

namespace speclab::output_blocks_test {
namespace {

using Output = std::vector<Token>;
using Law = std::map<std::pair<std::vector<int>, Output>, Rational>;
using View = CarriedView<Rational>;
using Cuts = std::vector<OutputCut<Rational>>;

/// A decode of `horizon` tokens, at most gamma drafted at a time.
struct Decode {
  int gamma;
  int horizon;
  [[nodiscard]] Window window(std::size_t emitted) const {
    return window_within(gamma, horizon - static_cast<int>(emitted));
  }
};

/// By the decisions of the verifier.
template <class V, class Program>
void decide(const V& view, const Program& program, const Decode& decode,
            const typename V::Node& node, const std::vector<int>& accepted, const Output& output,
            const Rational& probability, Law& law) {
  if (static_cast<int>(output.size()) == decode.horizon) {
    law[{accepted, output}] += probability;
    return;
  }
  program.enumerate(
      view, node, decode.window(output.size()), true, [&](const auto& out, const Rational& weight) {
        if (weight == 0) return;
        auto after = accepted;
        after.push_back(out.accepted);
        Output longer = output;
        longer.insert(longer.end(), out.tokens.begin(), out.tokens.end());
        decide(view, program, decode, out.node, after, longer, Rational(probability * weight), law);
      });
}

Law decided(std::string_view verifier, const Rows<Rational>& rows, const Decode& decode) {
  Law law;
  with_plain(make_verifier(verifier), rows, [&](const auto& view, const auto& program) {
    decide(view, program, decode, view.root(rows.pair().start()[0].state), {}, {}, Rational(1),
           law);
  });
  return law;
}

/// Calls visit(output, probability) for the outputs of `tokens` tokens that the target has.
template <class Visit>
void each_output(const View& view, State state, int tokens, const Rational& probability,
                 Output& output, const Visit& visit) {
  if (tokens == 0) return visit(output, probability);
  const auto laws = view.at(view.root(state));
  for (Token y = 0; y < view.vocabulary(); ++y) {
    const Rational target = laws.target(y);
    if (target == 0) continue;
    output.push_back(y);
    each_output(view, view.state(view.next(view.root(state), y)), tokens - 1,
                Rational(probability * target), output, visit);
    output.pop_back();
  }
}

/// Settles the iterations of one output by a form.
template <class Form>
struct Settler {
  const Form& form;
  const View& view;
  Decode decode;
  const Output& output;
  Law& law;

  void settle(View::Node node, std::size_t position, const std::vector<int>& accepted,
              const Rational& probability) {
    if (position == output.size()) {
      law[{accepted, output}] += probability;
      return;
    }
    const Window window = decode.window(position);
    const std::span block(output.data() + position, static_cast<std::size_t>(window.drafts));
    Cuts cuts;
    form.cut_output(view, node, block, cuts);
    REQUIRE(cuts.size() == block.size());
    Rational fewer(0);
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      CHECK(cuts[i].fewer >= fewer);
      const Rational here(cuts[i].fewer - fewer);
      const auto after = view.next(node, block[i]);
      if (here != 0) {
        const auto left = static_cast<int>(block.size() - i) - 1;
        settle(view.modified(after, cuts[i].share, left), position + i + 1, with(accepted, i),
               Rational(probability * here));
      }
      fewer = cuts[i].fewer;
      node = after;
    }
    if (fewer == 1) return;
    position += block.size();
    if (window.bonus) node = view.next(node, output[position++]);
    settle(node, position, with(accepted, block.size()), Rational(probability * (1 - fewer)));
  }

  static std::vector<int> with(std::vector<int> accepted, std::size_t one) {
    accepted.push_back(static_cast<int>(one));
    return accepted;
  }
};

template <class Form>
Law drawn(const Form& form, const Rows<Rational>& rows, const Decode& decode) {
  const View view(rows);
  const State start = rows.pair().start()[0].state;
  Law law;
  Output output;
  each_output(
      view, start, decode.horizon, Rational(1), output,
      [&](const Output& all, const Rational& probability) {
        Settler<Form>{form, view, decode, all, law}.settle(view.root(start), 0, {}, probability);
      });
  return law;
}

/// On how many pairs and lengths a form has another law than greedy block verification.
template <class Form>
int differing(const Form& form = {}) {
  std::vector<std::string> pairs{"iid(draft=[1/2,1/2],target=[1/2,1/2])",
                                 "iid(draft=[2/3,1/3],target=[1/3,2/3])",
                                 "iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])",
                                 "iid(draft=[1],target=[1])", "bernoulli(draft=1,target=0)"};
  for (int seed = 1; seed <= 8; ++seed) {
    pairs.push_back("tree(vocabulary=2,depth=5,seed=" + std::to_string(seed) + ")");
  }
  int count = 0;
  for (const std::string& pair : pairs) {
    const Rows<Rational> rows(make_pair(pair));
    for (const int gamma : {1, 2, 3}) {
      for (int horizon = 1; horizon <= (rows.vocabulary() > 2 ? 3 : 5); ++horizon) {
        const Decode decode{gamma, horizon};
        count += decided("greedy-block", rows, decode) != drawn(form, rows, decode);
      }
    }
  }
  return count;
}

/// Forgets the draft after the correction: the next target is not modified.
struct WithoutCarry : GreedyBlockVerification {
  template <class V>
  void cut_output(const V& view, const typename V::Node& root, std::span<const Token> output,
                  Cuts& cuts) const {
    GreedyBlockVerification::cut_output(view, root, output, cuts);
    for (auto& cut : cuts) cut.share = 0;
  }
};

/// Begins an iteration as if nothing had been carried to it.
struct ForgetsCarried : GreedyBlockVerification {
  template <class V>
  void cut_output(const V& view, const typename V::Node& root, std::span<const Token> output,
                  Cuts& cuts) const {
    GreedyBlockVerification::cut_output(view, view.root(view.state(root)), output, cuts);
  }
};

/// Does not look at the tokens after the correction.
struct WithoutLater : GreedyBlockVerification {
  template <class V>
  void cut_output(const V& view, const typename V::Node& root, std::span<const Token> output,
                  Cuts& cuts) const {
    cuts.clear();
    for (std::size_t i = 1; i <= output.size(); ++i) {
      Cuts upto;
      GreedyBlockVerification::cut_output(view, root, output.first(i), upto);
      cuts.push_back(upto.back());
    }
    for (std::size_t i = cuts.size(); i-- > 1;) {
      cuts[i - 1].fewer = std::min(cuts[i - 1].fewer, cuts[i].fewer);
    }
  }
};

/// Compares the cuts in doubles with those in fractions, at a node and after one modification.
int same_in_doubles(const PairPointer& pair, int tokens) {
  const Rows<Rational> rational(pair);
  const Rows<double> doubles(pair);
  const View exact(rational);
  const CarriedView<double> view(doubles);
  const GreedyBlockVerification form;
  const State start = pair->start()[0].state;
  int compared = 0;
  for (const int remaining : {0, 1, tokens}) {
    const auto root = exact.modified(exact.root(start), Rational(1, 3), remaining);
    const auto near = view.modified(view.root(start), 1.0 / 3, remaining);
    Output output;
    each_output(exact, start, tokens, Rational(1), output, [&](const Output& all, const Rational&) {
      // Not where the modified target never has it.
      auto node = root;
      for (const Token y : all) {
        if (exact.at(node).target(y) == 0) return;
        node = exact.next(node, y);
      }
      Cuts expected;
      std::vector<OutputCut<double>> cuts;
      form.cut_output(exact, root, all, expected);
      form.cut_output(view, near, all, cuts);
      REQUIRE(cuts.size() == expected.size());
      for (std::size_t i = 0; i < cuts.size(); ++i) {
        CHECK(std::abs(cuts[i].fewer - to_double(expected[i].fewer)) < 1e-12);
        const double share = to_double(expected[i].share);
        CHECK(std::abs(cuts[i].share - share) <= 1e-12 * share);
        ++compared;
      }
    });
  }
  return compared;
}

}  // namespace

TEST_CASE("an output form with a carry has the law of the verifier's decisions over decodes") {
  CHECK(differing<GreedyBlockVerification>() == 0);
}

TEST_CASE("an output form with a carry and a fault has another law") {
  CHECK(differing<WithoutCarry>() > 0);
  CHECK(differing<ForgetsCarried>() > 0);
  CHECK(differing<WithoutLater>() > 0);
}

TEST_CASE("in doubles an output form with a carry cuts as in fractions") {
  CHECK(same_in_doubles(make_pair("tree(vocabulary=3,depth=4,seed=5)"), 4) > 100);
  CHECK(same_in_doubles(make_pair("zipf(vocabulary=12,draft=1,target=6/5)"), 3) > 1000);
}

TEST_CASE("an output that no draft has is accepted nowhere, however long") {
  const Rows<double> rows(make_pair("iid(draft=[1/1000,999/1000],target=[999/1000,1/1000])"));
  const CarriedView<double> view(rows);
  std::vector<OutputCut<double>> cuts;
  // Its share is too small for a double from the 103rd token on.
  GreedyBlockVerification().cut_output(view, view.root(0), std::vector<Token>(400, 0), cuts);
  REQUIRE(cuts.size() == 400);
  CHECK(cuts.front().fewer > 0.99);
  CHECK(cuts.back().fewer == 1);
  CHECK(cuts.back().share == 0);
}

}  // namespace speclab::output_blocks_test
