// spectr-coupled: the laws, corrections, carries and intermediate values of
// tests/data/coupled.json; losslessness and equation (5) on random pairs.
#include <fmt/format.h>

#include <algorithm>

#include "catch.h"
#include "model/families/listed_tree.h"
#include "run/each_sequence.h"
#include "theory/lin2026.h"
#include "toy.h"
#include "vectors.h"
#include "verifiers/several/spectr_coupled.h"

namespace speclab::coupled_test {
namespace {

using nlohmann::json;
using View = CarriedView<Rational>;
using TokenLaw = std::map<std::vector<Token>, Rational>;

std::vector<Token> read_prefix(const std::string& text) {
  return parse_prefix(text, 1000, "a vector");
}

/// The accepted node and the law of Y there, of one iteration.
struct OneIteration {
  TokenLaw accepted;
  TokenLaw emitted;
};

OneIteration run_once(const SpectrCoupled& program, const std::string& pair, int gamma) {
  const Rows<Rational> rows(make_pair(pair));
  const View view(rows);
  OneIteration found;
  each_sequence(program, view, view.root(0), {.drafts = gamma, .bonus = true}, true,
                [&](const Iteration<View>& out, const Rational& weight) {
                  std::vector<Token> node(out.tokens.begin(), out.tokens.begin() + out.accepted);
                  found.accepted[node] += weight;
                  found.emitted[out.tokens] += weight;
                });
  return found;
}

void check_nodes(const json& vector, const OneIteration& found) {
  CHECK(found.accepted.size() == vector["accepted_node"].size());
  for (const auto& [text, value] : vector["accepted_node"].items()) {
    CAPTURE(text);
    const auto node = read_prefix(text);
    REQUIRE(found.accepted.contains(node));
    const Rational mass = found.accepted.at(node);
    CHECK(value == to_text(mass));
    std::vector<Rational> residual;
    for (std::size_t x = 0; x < vector["residual"][text].size(); ++x) {
      std::vector<Token> tokens = node;
      tokens.push_back(static_cast<Token>(x));
      const auto emitted = found.emitted.find(tokens);
      residual.push_back(emitted == found.emitted.end() ? Rational(0)
                                                        : Rational(emitted->second / mass));
    }
    CHECK(residual == law_of(vector["residual"][text]));
  }
}

void check_tokens(const json& vector, const SpectrCoupled& program, const std::string& pair,
                  int gamma, int most) {
  const json& wanted = vector["expected_tokens"]["exact"];
  const auto result = run_program(
      program, pair,
      {.lengths = {.gamma = gamma, .iterations = std::min(static_cast<int>(wanted.size()), most)}});
  for (std::size_t i = 0; i < result.expected_tokens.size(); ++i) {
    CAPTURE(i);
    CHECK(wanted[i] == to_text(result.expected_tokens[i]));
  }
}

/// D, T and all that coupled_node.h keeps as shares of T, at the node of a prefix.
void check_worked(const json& worked, const std::string& text, const std::string& pair, int gamma,
                  int drafts) {
  CAPTURE(text);
  const Rows<Rational> rows(make_pair(pair));
  const View view(rows);
  CoupledTrie<View> trie(view, view.root(0), gamma, drafts);
  std::size_t at = 0;
  Rational draft(1);
  Rational target(1);
  Rational last(1);  // t of the last token: lambda = lent t
  State state = 0;
  const auto prefix = read_prefix(text);
  for (const Token x : prefix) {
    at = trie.child(at, x);
    last = rows.target(state)[static_cast<std::size_t>(x)];
    draft *= rows.draft(state)[static_cast<std::size_t>(x)];
    target *= last;
    state = rows.next(state, x);
  }
  const auto& node = trie.coupled(at);
  const bool whole = prefix.size() == static_cast<std::size_t>(gamma);
  CHECK(worked["D"] == to_text(draft));
  CHECK(worked["T"] == to_text(target));
  CHECK(worked["T"] == to_text(node.ratio * draft));
  CHECK(worked["u"] == to_text(node.covered));
  CHECK(worked["s"] == to_text(node.reach));
  CHECK(worked["lam"] == to_text(node.lent * last));
  CHECK(worked["m"] == to_text(node.mass * target));
  CHECK(worked["coin"] == to_text(trie.coin(at)));
  CHECK(worked.contains("P") != whole);
  if (!whole) {
    CHECK(worked["P"] == to_text(node.spare * target));
    CHECK(worked["Q"] == to_text(node.room * target));
  }
  json pieces = json::array();
  const auto found = trie.pieces(at);
  for (Token i = 0; i < found.size(); ++i) {
    if (!(found.weight(i) > 0)) continue;
    const auto range = found.range(i);
    pieces.push_back({to_text(range.low), to_text(range.high), to_text(found.height(i) * target)});
  }
  CHECK(pieces == worked["mark_pieces"]);
}

TEST_CASE("spectr-coupled: all vectors of one iteration") {
  const json vectors = read_vectors("coupled.json");
  int worked = 0;
  for (const json& vector : vectors["public"]["coupled"]) {
    const auto pair = vector["pair"].get<std::string>();
    const int gamma = vector["gamma"].get<int>();
    const int drafts = vector["K"].get<int>();
    CAPTURE(pair, gamma, drafts);
    const SpectrCoupled program{drafts};
    const auto result = run_program(program, pair, {.lengths = {.gamma = gamma}});
    CHECK(vector["expected_accepted"] == to_text(result.expected_accepted));
    CHECK(result.accepted_law == law_of(vector["accepted_law"]));
    CHECK(result.undefined_mass == 0);
    check_nodes(vector, run_once(program, pair, gamma));
    if (!vector.contains("worked")) continue;
    for (const auto& [text, values] : vector["worked"].items()) {
      check_worked(values, text, pair, gamma, drafts);
      ++worked;
    }
  }
  CHECK(vectors["public"]["coupled"].size() == 10);
  CHECK(worked == 17);
}

TEST_CASE("spectr-coupled: the vectors of several iterations and of whole decodes (long)") {
  const json vectors = read_vectors("coupled.json");
  for (const json& vector : vectors["public"]["coupled"]) {
    const auto pair = vector["pair"].get<std::string>();
    const int gamma = vector["gamma"].get<int>();
    const int drafts = vector["K"].get<int>();
    CAPTURE(pair, gamma, drafts);
    const SpectrCoupled program{drafts};
    check_tokens(vector, program, pair, gamma, drafts * gamma >= 6 ? 2 : 3);
    const auto decode =
        run_program(program, pair,
                    {.lengths = {.gamma = gamma, .horizon = vector["horizon"].get<int>()}})
            .decode;
    CHECK(vector["tv_to_target"] == to_text(decode->tv_to_target));
    CHECK(decode->undefined_mass == 0);
  }
}

/// What a wrong carry leaves of it: none, or one reckoned from the original target.
template <bool kFlat>
struct WrongCarry {
  SpectrCoupled program;
  static constexpr bool kCarries = true;

  template <class AnyView, class Choices>
  void operator()(const AnyView& view, const typename AnyView::Node& root, Window window,
                  Choices& choices, Iteration<AnyView>& out) const {
    using Real = typename AnyView::Real;
    program(view, root, window, choices, out);
    const bool corrected = out.ending == Ending::correction;
    auto node = view.root(view.state(root));
    Real share(1);
    for (const Token x : out.tokens) {
      const auto laws = view.at(node);
      share = laws.target(x) > 0 ? Real(share * laws.draft(x) / laws.target(x)) : Real(0);
      node = view.next(node, x);
    }
    const int remaining = window.drafts - out.accepted - 1;
    if (kFlat && corrected) node = view.modified(node, share, remaining, program.drafts);
    out.node = node;
  }
};

TEST_CASE("spectr-coupled: without a carry and with a flat one it is biased") {
  const json vectors = read_vectors("coupled.json");
  REQUIRE(vectors["public"]["controls"].size() == 3);
  for (const json& vector : vectors["public"]["controls"]) {
    const auto pair = vector["pair"].get<std::string>();
    const SpectrCoupled program{vector["K"].get<int>()};
    ExactRequest request{.lengths = {.gamma = vector["gamma"].get<int>(), .horizon = 2}};
    CHECK(vector["tv_without_carry_T2"] ==
          to_text(run_program(WrongCarry<false>{program}, pair, request).decode->tv_to_target));
    request.lengths.horizon = 3;
    CHECK(vector["tv_flat_carry_T3"] ==
          to_text(run_program(WrongCarry<true>{program}, pair, request).decode->tv_to_target));
    CHECK(run_program(program, pair, request).decode->tv_to_target == 0);
  }
}

std::string random_tree(int vocabulary, int gamma, int seed) {
  return fmt::format("tree(vocabulary={},depth={},seed={},denominator={})", vocabulary, gamma + 1,
                     seed, 2 + seed % 6);
}

/// TV exactly 0 over whole decodes and E[tau] = equation (5), on `count` random trees.
void check_trees(int vocabulary, int gamma, int drafts, int horizon, int count) {
  for (int seed = 1; seed <= count; ++seed) {
    const std::string pair = random_tree(vocabulary, gamma, 50 * gamma + seed);
    CAPTURE(pair, gamma, drafts);
    const auto result =
        run_program(SpectrCoupled{drafts}, pair, {.lengths = {.gamma = gamma, .horizon = horizon}});
    CHECK(result.decode->tv_to_target == 0);
    CHECK(result.decode->undefined_mass == 0);
    const Rows<Rational> rows(make_pair(pair));
    Budget budget(1e6);
    const auto tail = spectr_gbv_tail(rows, start_law(rows), drafts, gamma, budget);
    Rational bound(0);
    for (std::size_t i = 1; i < tail.size(); ++i) bound += tail[i];
    CHECK(result.expected_accepted == bound);
  }
}

TEST_CASE("spectr-coupled: lossless and equal to equation 5 on random trees (long)") {
  check_trees(2, 1, 2, 3, 100);
  check_trees(3, 1, 2, 3, 100);
  check_trees(3, 1, 3, 3, 50);
  check_trees(2, 2, 2, 4, 100);
  check_trees(3, 2, 2, 4, 30);
  check_trees(2, 2, 3, 4, 30);
  check_trees(2, 3, 2, 5, 20);
  check_trees(3, 2, 3, 3, 3);
}

TEST_CASE("spectr-coupled: equation 5 in doubles where D / T runs over twenty powers of ten") {
  for (const std::string_view pair :
       {kToy, std::string_view("iid(draft=[1/1000,999/1000],target=[999/1000,1/1000])"),
        std::string_view("iid(draft=[9999/10000,1/10000],target=[1/2,1/2])")}) {
    for (const int drafts : {1, 2}) {
      CAPTURE(pair, drafts);
      const auto result = run_program<SpectrCoupled, double>(SpectrCoupled{drafts}, pair,
                                                             {.lengths = {.gamma = 5}});
      const Rows<double> rows(make_pair(pair));
      Budget budget(1e6);
      const auto tail = spectr_gbv_tail(rows, start_law(rows), drafts, 5, budget);
      double bound = 0;
      for (std::size_t i = 1; i < tail.size(); ++i) bound += tail[i];
      CHECK(result.expected_accepted == Approx(bound).epsilon(1e-10));
      CHECK(result.undefined_mass == 0);
    }
  }
}

}  // namespace
}  // namespace speclab::coupled_test
