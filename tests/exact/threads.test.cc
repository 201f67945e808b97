// The exact laws are the same bits for any number of threads, and those of the plain enumeration.
#include <omp.h>

#include <csignal>
#include <map>

#include "base/error.h"
#include "catch.h"
#include "exact/plain.h"
#include "message_of.h"
#include "toy.h"
#include "verifiers/chain/block.h"

namespace speclab::threads_test {
namespace {

/// Sets the number of threads until it goes out of scope.
class Threads {
 public:
  explicit Threads(int count) : before_(omp_get_max_threads()) { omp_set_num_threads(count); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() { omp_set_num_threads(before_); }

 private:
  int before_;
};

struct Case {
  const char* verifier;
  const char* pair;
  int gamma;
  std::optional<int> horizon;
  int iterations;
};

/// Each has enough sequences to be worth several threads: a carry, end tokens, undefined mass,
/// several drafts, one start and many.
const std::vector<Case> kCases{
    {"block", "markov(vocabulary=5,horizon=9,seed=10)", 5, {}, 0},
    {"greedy-block", "markov(vocabulary=3,horizon=8,seed=10)", 4, 5, 1},
    {"token", "markov(vocabulary=4,horizon=8,seed=3,eos=0)", 5, 6, 0},
    {"block", "tree(vocabulary=3,depth=5,seed=5,eos=2)", 5, 6, 0},
    {"spectr-gbv(K=2)", "iid(draft=[1/2,1/4,1/4],target=[1/2,1/4,1/4])", 3, 3, 0},
    {"slot-block(K=2)", "markov(vocabulary=3,horizon=8,seed=1)", 3, 3, 0},
};

TEST_CASE("exact laws in doubles are the same bits for any number of threads") {
  for (const Case& item : kCases) {
    CAPTURE(item.verifier, item.pair);
    const auto run = [&](int count) {
      const Threads threads(count);
      return run_named<double>(
          item.verifier, item.pair,
          {.lengths = {.gamma = item.gamma, .horizon = item.horizon, .iterations = item.iterations},
           .law = true});
    };
    const auto one = run(1);
    CHECK(run(2) == one);
    CHECK(run(3) == one);
  }
}

TEST_CASE("the parts of an enumeration are the whole, each sequence once and in order") {
  const Rows<Rational> rows(make_pair("tree(vocabulary=3,depth=3,seed=5)"));
  for (const VerifierInfo& row : all_verifier_rows()) {
    CAPTURE(row.name);
    const Verifier verifier = prepare(make_verifier(row.example), rows.pair_pointer());
    with_plain(verifier, rows, [](const auto& view, const auto& program) {
      using Node = typename std::decay_t<decltype(view)>::Node;
      const Window window{.drafts = 2, .bonus = true};
      using Ends = std::vector<std::tuple<std::vector<Token>, int, Ending, Node, Rational>>;
      for (const bool corrections : {false, true}) {
        Ends plain;
        program.enumerate(
            view, view.root(0), window, corrections, [&](const auto& out, const Rational& weight) {
              plain.emplace_back(out.tokens, out.accepted, out.ending, out.node, weight);
            });
        for (const std::size_t wanted : {1U, 5U, 1000000U}) {
          Ends parts;
          for (const auto& first :
               program.runner.parts(view, view.root(0), window, corrections, wanted)) {
            program.runner.visit_part(view, view.root(0), window, corrections, first,
                                      [&](const Emitted<Node>& out, const Rational& weight) {
                                        parts.emplace_back(out.tokens, out.accepted, out.ending,
                                                           out.node, weight);
                                      });
          }
          CHECK((parts == plain));
        }
      }
    });
  }
}

TEST_CASE("a limit hit on several threads is refused with the same words as on one") {
  ExactRequest request{.lengths = {.gamma = 6}};
  const auto refusal = [&](int count) {
    const Threads threads(count);
    return message_of<LimitError>([&] {
      run_named<double>("greedy-block", "markov(vocabulary=4,horizon=9,seed=3)", request);
    });
  };
  // The estimate lets it begin, or refuses it at once; either way it says the same.
  for (const double most : {2e3, 1.5e4, 2e4, 3e4}) {
    request.max_paths = most;
    CAPTURE(most);
    CHECK(refusal(1) == refusal(2));
    CHECK(refusal(1) == refusal(3));
  }
  request.max_paths = 2e3;
  CHECK_THAT(refusal(2), Containing("over the limit of 2e+03"));
  CHECK_THAT(refusal(2), Containing("max-paths"));
}

/// Block verification that breaks down at one draft far from the first.
struct BreaksDown {
  static constexpr bool kCarries = false;
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    BlockVerification{}(view, root, window, choices, out);
    const auto broken = [](const auto& step) { return step.token == 3; };
    if (std::all_of(out.path.begin(), out.path.end(), broken)) throw std::runtime_error("broken");
  }
};

TEST_CASE("what a verifier throws on any thread reaches the caller") {
  for (const int count : {1, 2, 3}) {
    const Threads threads(count);
    const auto run = [&] {
      run_program<BreaksDown, double>({}, "markov(vocabulary=4,horizon=9,seed=3)",
                                      {.lengths = {.gamma = 5}});
    };
    CHECK_THROWS_WITH(run(), "broken");
  }
}

}  // namespace
}  // namespace speclab::threads_test
