#include "prove/iteration.h"

#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "run/enumerator.h"
#include "system/interrupt.h"
#include "verifiers/contract.h"

namespace speclab {
namespace {

/// The Enumerator, but that every token of a correction is taken, those of no weight with weight 0:
/// nothing comes after a correction, so it need not be known which have some. Not for a verifier
/// with a carry, whose carry divides by what the token's weight is made of.
template <bool kEveryCorrection>
class ProofChoices {
 public:
  explicit ProofChoices(bool corrections) : inner_(corrections) {}

  void restart() { inner_.restart(); }
  bool advance() { return inner_.advance(); }
  [[nodiscard]] Number weight() const { return inner_.weight(); }

  template <class Law>
  Token draft(const Law& law) {
    return inner_.draft(law);
  }
  template <class Law>
  Token choose(const Law& law) {
    return inner_.choose(law);
  }
  bool accept(const Number& probability) { return inner_.accept(probability); }
  template <class Law>
  Token correct(const Law& law) {
    if constexpr (kEveryCorrection) {
      return inner_.correct(Every<Law>{law});
    } else {
      return inner_.correct(law);
    }
  }

 private:
  struct Weight {
    Number value;
    operator Number() const { return value; }
    friend bool operator>(const Weight&, int) { return true; }
  };
  template <class Law>
  struct Every {
    const Law& law;
    [[nodiscard]] Token size() const { return law.size(); }
    [[nodiscard]] Weight weight(Token x) const { return {law.weight(x)}; }
    [[nodiscard]] Number mass() const { return law.mass(); }
  };

  Enumerator<Number> inner_;
};

/// Which take down where the program pauses.
class ObservingChoices : public ProofChoices<true> {
 public:
  ObservingChoices(bool corrections, std::vector<ProofOutcomes::Pause>& pauses)
      : ProofChoices<true>(corrections), pauses_(pauses) {}

  void restart() {
    ProofChoices<true>::restart();
    longest_ = 0;
  }
  bool pause_after(int length, Token, const State&, const Number& weight) {
    if (length != ++longest_) refuse();
    pauses_.push_back({length, weight});
    return false;
  }
  static bool pause_before(int) { return false; }
  /// @throws ContractError where a longer prefix was accepted than paused after
  void check_paused(int accepted) const {
    if (accepted > longest_) refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    throw ContractError("a verifier must pause after each prefix of its window, one by one");
  }

  std::vector<ProofOutcomes::Pause>& pauses_;
  int longest_ = 0;  ///< prefix paused after in this sequence
};

/// Whether the next iteration goes on under a target that this one has changed.
bool carries(State) { return false; }
bool carries(const CarriedView<Number>::Node& node) { return !node.stack.empty(); }

/// The sequences of decisions, by `choices`, of an iteration that begins after `tokens`, of
/// probability `weight`.
template <class View, class Choices>
void iterate(const AnyProgram<View>& program, const View& view, const typename View::Node& root,
             Window window, int gamma, bool law, const std::vector<Token>& tokens,
             const Number& weight, Choices choices, ProofOutcomes& outcomes) {
  const auto length = static_cast<std::size_t>(gamma) + 1;
  Iteration<View> out;
  do {
    check_interrupted();
    choices.restart();
    out.begin(root);
    program(view, root, window, choices, out);
    check_fits(out, window);
    const Number share = weight * choices.weight();
    if (tokens.empty()) outcomes.accepted += Number(out.accepted) * share;
    if constexpr (requires { choices.check_paused(out.accepted); }) {
      choices.check_paused(out.accepted);
      if (out.accepted > 0) outcomes.some_accepted += share;
    }
    if (out.ending == Ending::undefined) {
      outcomes.undefined += share;
      continue;
    }
    if (!law) continue;
    std::vector<Token> all = tokens;
    all.insert(all.end(), out.tokens.begin(), out.tokens.end());
    if (carries(out.node) && all.size() < length) {
      check_progress(out.tokens.size(), out.ending);
      const int left = static_cast<int>(length - all.size());
      iterate(program, view, out.node, window_within(gamma, left), gamma, law, all, share,
              ProofChoices<false>(law), outcomes);
    } else {
      go_on(view, out.node, all, share, length, outcomes.law);
    }
  } while (choices.advance());
}

template <class View, class Choices>
void iteration_of(RunOf<View> how, const void* program, const Rows<Number>& rows,
                  const ProofRun& run, bool law, Choices choices, ProofOutcomes& outcomes) {
  const View view(rows);
  iterate(AnyProgram<View>(program, how), view, view.root(run.start),
          {.drafts = run.gamma, .bonus = true}, run.gamma, law, {}, Number(1), std::move(choices),
          outcomes);
}

}  // namespace

void run_iteration(const ProofProgram& how, const void* program, const Rows<Number>& rows,
                   const ProofRun& run, bool law, ProofOutcomes& outcomes) {
  if (how.plain == nullptr) {
    iteration_of(how.carried, program, rows, run, law, ProofChoices<false>(law), outcomes);
  } else if (rows.pair().every_gamma()) {
    iteration_of(how.plain, program, rows, run, law, ObservingChoices(law, outcomes.pauses),
                 outcomes);
  } else {
    iteration_of(how.plain, program, rows, run, law, ProofChoices<true>(law), outcomes);
  }
}

}  // namespace speclab
