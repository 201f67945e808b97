// What decodes of given tokens count in expectation: against a recursion over the same tokens, from
// their end, which over all outputs has the exact means of all decodes; and closed forms.
#include "simulate/output_means.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "catch.h"
#include "model/registry.h"
#include "run/runs.h"
#include "simulate/engine.h"
#include "toy.h"

namespace speclab::output_means_test {
namespace {

constexpr std::string_view kChain = "markov(vocabulary=3,horizon=6,seed=2)";
constexpr std::string_view kEnding = "iid(draft=[1/2,1/4,1/4],target=[1/4,1/2,1/4],eos=2)";

std::vector<DecodeMeans> means_of(std::string_view verifier, std::string_view pair,
                                  const Lengths& lengths, std::uint64_t trials = 1,
                                  std::uint64_t first = 0) {
  const Rows<double> rows(make_pair(pair));
  return output_means(make_verifier(verifier), rows,
                      {.lengths = lengths, .first_trial = first, .trials = trials});
}

/// The same of known tokens, from their end.
class FromTheEnd {
 public:
  FromTheEnd(std::string_view verifier, std::string_view pair, const Lengths& lengths)
      : verifier_(make_verifier(verifier)),
        rows_(make_pair(pair)),
        view_(rows_),
        lengths_(lengths) {}

  /// @param start   its number among the pair's starts
  /// @param output  all tokens up to the horizon
  DecodeMeans of(std::size_t start, const std::vector<Token>& output) {
    const std::optional<Token> end = rows_.pair().end_token();
    output_ = output;
    length_ = output.size();
    if (const auto at = std::find(output.begin(), output.end(), end.value_or(-1));
        at != output.end()) {
      length_ = static_cast<std::size_t>(at - output.begin()) + 1;
    }
    nodes_ = {view_.root(rows_.pair().start()[start].state)};
    for (const Token y : output_) nodes_.push_back(view_.next(nodes_.back(), y));
    DecodeMeans means = from(0);
    means.tokens = static_cast<double>(length_);
    return means;
  }

  /// Of beginning there and drawing these tokens from the target.
  double probability(std::size_t start, const std::vector<Token>& output) {
    auto node = view_.root(rows_.pair().start()[start].state);
    double product = to_double(rows_.pair().start()[start].probability);
    for (const Token y : output) {
      product *= view_.at(node).target(y);
      node = view_.next(node, y);
    }
    return product;
  }

 private:
  static void add(DecodeMeans& sum, const DecodeMeans& each, double weight) {
    sum.calls += weight * each.calls;
    sum.steps += weight * each.steps;
  }

  /// Of the iterations from the token `at` on, the first of which begins there.
  DecodeMeans from(std::size_t at) {
    if (at == length_) return {};
    const auto remaining = static_cast<int>(output_.size() - at);
    const int drafts = std::min(lengths_.gamma, remaining);
    DecodeMeans means = within(at, drafts, verifier_.drafts);
    means.calls += 1;
    means.steps += drafts;
    return means;
  }

  /// Of those after one that is under way.
  DecodeMeans within(std::size_t at, int left, double memory) {
    if (at == length_) return {};
    if (left == 0) return from(at + 1);
    std::vector<OutputStep<double>> steps;
    verifier_.runs->output_steps(verifier_.program.get(), view_.at(nodes_[at]), output_[at], memory,
                                 steps);
    DecodeMeans means;
    double refused = 1;
    for (const OutputStep<double>& step : steps) {
      refused -= step.probability;
      add(means, within(at + 1, left - 1, step.memory), step.probability);
    }
    add(means, from(at + 1), refused);
    return means;
  }

  Verifier verifier_;
  Rows<double> rows_;
  PairView<double> view_;
  Lengths lengths_;
  std::vector<Token> output_;
  std::size_t length_ = 0;
  std::vector<PairView<double>::Node> nodes_;
};

struct Drawn {
  std::size_t start = 0;
  std::vector<Token> output;
};

/// The six tokens of a trial: picked from the target by the numbers of the trial's drafts.
Drawn drawn_by(std::string_view pair, std::uint64_t trial) {
  const Rows<double> rows(make_pair(pair));
  const PairView<double> view(rows);
  const TrialPlan plan = make_plan(rows, {.lengths = {2, 6}});
  Drawn drawn{choose_start(plan, trial), {}};
  Stream numbers(plan.key, trial, kOnlyRun, Purpose::draft);
  auto node = view.root(plan.starts[drawn.start]);
  for (int i = 0; i < 6; ++i) {
    const Token y = pick(view.at(node).target(), numbers.uniform());
    drawn.output.push_back(y);
    // Behind the end of a sequence stands its own token.
    if (y == plan.end_token) drawn.output.resize(6, y);
    if (drawn.output.size() == 6) break;
    node = view.next(node, y);
  }
  return drawn;
}

/// The start and the six tokens of a cell of Tally::outputs.
Drawn output_of(int cell) {
  Drawn drawn{0, std::vector<Token>(6)};
  for (std::size_t i = 6; i-- > 0; cell /= 3) drawn.output[i] = cell % 3;
  drawn.start = static_cast<std::size_t>(cell);
  return drawn;
}

/// The two controls of an output, added up token by token.
struct Terms {
  double output = 0, states = 0;
};

/// @param output  six tokens, of which those up to the end of a sequence count
Terms terms_of(std::string_view pair, std::size_t start, const std::vector<Token>& output) {
  const Rows<double> rows(make_pair(pair));
  const PairView<double> view(rows);
  const auto overlap = [&](State state) {
    double sum = 0;
    const auto laws = view.at(state);
    for (Token x = 0; x < 3; ++x) sum += std::min(laws.draft(x), laws.target(x));
    return sum;
  };
  Terms terms;
  State state = rows.pair().start()[start].state;
  for (std::size_t i = 0; i < 6; ++i) {
    const auto laws = view.at(state);
    const Token y = output[i];
    terms.output -= overlap(state);
    terms.output += laws.draft(y) < laws.target(y) ? laws.draft(y) / laws.target(y) : 1;
    // After the sixth token nothing follows.
    for (Token z = 0; z < 3 && i < 5; ++z) {
      terms.states += ((y == z ? 1 : 0) - laws.target(z)) * overlap(view.next(state, z));
    }
    if (y == rows.pair().end_token()) break;
    state = view.next(state, y);
  }
  return terms;
}

constexpr const char* kVerifiers[] = {"token",
                                      "block",
                                      "rrs(K=2)",
                                      "kseq(K=3)",
                                      "gumbel",
                                      "sample-match",
                                      "sample-match(draft=argmax)"};

}  // namespace

TEST_CASE("the means of a decode are those of a recursion from the end of its tokens") {
  for (const std::string_view pair : {kChain, kEnding}) {
    std::vector<Drawn> drawn;
    for (std::uint64_t trial = 0; trial < 20; ++trial) drawn.push_back(drawn_by(pair, trial));
    for (const int gamma : {1, 2, 3, kUnbounded}) {
      for (const char* verifier : kVerifiers) {
        FromTheEnd expected(verifier, pair, {gamma, 6});
        for (std::uint64_t trial = 0; trial < 20; ++trial) {
          CAPTURE(pair, gamma, verifier, trial);
          const DecodeMeans known = expected.of(drawn[trial].start, drawn[trial].output);
          const DecodeMeans found = means_of(verifier, pair, {gamma, 6}, 1, trial).at(0);
          CHECK(found.tokens == known.tokens);
          CHECK(std::abs(found.calls - known.calls) < 1e-13 * known.calls);
          CHECK(std::abs(found.steps - known.steps) < 1e-13 * known.steps);
        }
      }
    }
  }
}

TEST_CASE("where every token is accepted alike, calls are those of closed forms") {
  // One token in the target's support: accepted with probability a, whatever came before.
  for (const double a : {1.0 / 8, 1.0 / 2, 7.0 / 8}) {
    const std::string pair = fmt::format("iid(draft=[{0}/8,{1}/8],target=[1,0])", a * 8, 8 - a * 8);
    CAPTURE(pair);
    CHECK(std::abs(means_of("token", pair, {1, 3})[0].calls - (3 - 2 * a + a * a)) < 1e-14);
    // One iteration, and one after each refusal but at the last token.
    for (const int horizon : {1, 50, 4000}) {
      const double calls = means_of("token", pair, {kUnbounded, horizon})[0].calls;
      const double known = 1 + (1 - a) * (horizon - 1);
      CHECK(std::abs(calls - known) < 1e-12 * known);
    }
  }
}

TEST_CASE("over all outputs the means are the exact ones of all decodes") {
  for (const std::string_view pair : {kChain, kEnding}) {
    const std::size_t starts = make_pair(pair)->start().size();
    for (const char* verifier : kVerifiers) {
      CAPTURE(pair, verifier);
      const auto exact = *run_named<double>(verifier, pair, {.lengths = {2, 6}}).decode;
      FromTheEnd means(verifier, pair, {2, 6});
      DecodeMeans sum;
      std::vector<Token> output(6);
      for (int cell = 0; cell < 729; ++cell) {
        for (int i = 0, left = cell; i < 6; ++i, left /= 3) {
          output[static_cast<std::size_t>(i)] = left % 3;
        }
        for (std::size_t start = 0; start < starts; ++start) {
          const double probability = means.probability(start, output);
          const DecodeMeans of_output = means.of(start, output);
          sum.tokens += probability * of_output.tokens;
          sum.calls += probability * of_output.calls;
          sum.steps += probability * of_output.steps;
        }
      }
      CHECK(sum.tokens == Approx(exact.tokens).epsilon(1e-12));
      CHECK(sum.calls == Approx(exact.target_calls).epsilon(1e-12));
      CHECK(sum.steps == Approx(exact.draft_steps).epsilon(1e-12));
    }
  }
}

TEST_CASE("controls are of the tokens that were drawn") {
  for (const std::string_view pair : {kChain, kEnding}) {
    std::vector<DecodeMeans> found = means_of("block", pair, {2, 6}, 20, 3);
    for (std::size_t i = 0; i < 20; ++i) {
      CAPTURE(pair, i);
      const Drawn drawn = drawn_by(pair, 3 + i);
      const Terms terms = terms_of(pair, drawn.start, drawn.output);
      CHECK(std::abs(control(found.at(i).controls, ControlVariate::output) - terms.output) < 1e-13);
      CHECK(std::abs(control(found.at(i).controls, ControlVariate::states) - terms.states) < 1e-13);
    }
  }
}

TEST_CASE("where a verifier decides controls and companions are of the output that it had") {
  for (const std::string_view pair : {kChain, kEnding}) {
    const Rows<double> rows(make_pair(pair));
    FromTheEnd token("token", pair, {2, 6}), block("block", pair, {2, 6}),
        own("rrs(K=2)", pair, {2, 6});
    for (std::uint64_t trial = 0; trial < 40; ++trial) {
      const bool has_form = trial % 2 == 1;
      CAPTURE(pair, trial);
      const SimulateRequest request{.lengths = {2, 6},
                                    .companions = true,
                                    .first_trial = trial,
                                    .trials = 1,
                                    .draws = Draws::controlled};
      const Verifier verifier = make_verifier(has_form ? "rrs(K=2)" : "slot-block(K=2)");
      const Tally tally = run_trials(verifier, rows, request).tally;
      const auto cell = std::ranges::find(tally.outputs, 1U) - tally.outputs.begin();
      const auto [start, output] = output_of(static_cast<int>(cell));
      const Terms terms = terms_of(pair, start, output);
      ControlVariates sums = tally.control_sums();
      CHECK(std::abs(control(sums, ControlVariate::output) - terms.output) < 1e-9);
      CHECK(std::abs(control(sums, ControlVariate::states) - terms.states) < 1e-9);
      const Companions beside = tally.companion_sums();
      CHECK(std::abs(beside[0] - token.of(start, output).calls) < 1e-9);
      CHECK(std::abs(beside[1] - block.of(start, output).calls) < 1e-9);
      const auto calls = static_cast<double>(tally.target_calls.sum);
      const double decisions = has_form ? calls - own.of(start, output).calls : 0;
      CHECK(std::abs(control(sums, ControlVariate::decisions) - decisions) < 1e-9);
    }
  }
}

TEST_CASE("the means of an output's controls over all outputs are 0") {
  for (const std::string_view pair : {kChain, kEnding}) {
    FromTheEnd outputs("token", pair, {2, 6});
    const auto starts = static_cast<int>(make_pair(pair)->start().size());
    Terms mean, square;
    for (int cell = 0; cell < 729 * starts; ++cell) {
      const auto [start, output] = output_of(cell);
      const double probability = outputs.probability(start, output);
      const Terms terms = terms_of(pair, start, output);
      mean.output += probability * terms.output;
      mean.states += probability * terms.states;
      square.output += probability * terms.output * terms.output;
      square.states += probability * terms.states * terms.states;
    }
    CAPTURE(pair, square.output, square.states);
    CHECK(std::abs(mean.output) < 1e-13);
    CHECK(std::abs(mean.states) < 1e-13);
    CHECK(square.output > 0.1);
    CHECK(square.states > 0.01);
  }
}

TEST_CASE("means are the same bits for any number of threads and division of the trials") {
  const Rows<double> rows(make_pair(kChain));
  SimulateRequest request{.lengths = {3, 6}, .trials = 100, .threads = 1};
  const auto whole = output_means(make_verifier("block"), rows, request);
  request.threads = 3;
  const auto same = [](const DecodeMeans& a, const DecodeMeans& b) {
    return a.tokens == b.tokens && a.calls == b.calls && a.steps == b.steps &&
           a.controls == b.controls;
  };
  CHECK(std::ranges::equal(whole, output_means(make_verifier("block"), rows, request), same));
  request.first_trial = 60;
  request.trials = 40;
  CHECK(std::equal(whole.begin() + 60, whole.end(),
                   output_means(make_verifier("block"), rows, request).begin(), same));
}

TEST_CASE("there are means of decodes, by forms without a carry") {
  const auto averaged = [](const char* verifier, const Lengths& lengths) {
    return averages_output(make_verifier(verifier), *make_pair(kChain), lengths);
  };
  CHECK(averaged("token", {2, 6}));
  CHECK(averaged("token", {8, 100}));
  CHECK(averaged("token", {kUnbounded, 100}));
  CHECK_FALSE(averaged("token", {9, 100}));
  CHECK(averaged("rrs(K=4)", {8, 100}));
  CHECK_FALSE(averaged("rrs(K=5)", {8, 100}));
  CHECK_FALSE(averaged("token", {2, {}}));
  CHECK_FALSE(averaged("greedy-block", {2, 6}));
  CHECK_FALSE(averaged("slot-block(K=2)", {2, 6}));
  CHECK_THROWS_AS(means_of("greedy-block", kChain, {2, 6}), std::logic_error);
}

}  // namespace speclab::output_means_test
