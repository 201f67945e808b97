#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "run/batch_split.h"
#include "run/confidence_threshold.h"
#include "verifiers/contract.h"
#include "verifiers/end_of_sequence.h"
#include "verifiers/iteration.h"
#include "verifiers/window.h"

namespace speclab {

/// Where a request of a batch is: all that its rest depends on, and its first tokens.
template <class View>
struct BatchPlace {
  using Real = typename View::Real;
  using Node = typename View::Node;

  Node node{};
  int tokens = 0;
  int longest = 0;  ///< tokens that it drafts at most
  bool done = false;
  bool undefined = false;              ///< a draw was (0/0), and ended it
  std::uint64_t cell = 0;              ///< the number of the start and the first tokens, base V
  std::vector<Judged<Real>> judged{};  ///< of the split `roc`, from the least probability on
  Real threshold{0};                   ///< that they make

  bool operator<(const BatchPlace& other) const {
    return std::tie(tokens, longest, done, undefined, cell, node, judged) <
           std::tie(other.tokens, other.longest, other.done, other.undefined, other.cell,
                    other.node, other.judged);
  }
};

/// What an iteration is to a request of a batch.
template <class View>
struct BatchOutcome {
  using Real = typename View::Real;
  using Node = typename View::Node;

  int emitted = 0;  ///< tokens up to and with the end-of-sequence token
  int accepted = 0;
  bool whole = false;  ///< every token that was verified is accepted
  bool ended = false;  ///< with the end-of-sequence token, or by an undefined draw
  bool undefined = false;
  std::vector<Token> tokens{};         ///< what is emitted, where it is to be kept
  std::vector<Judged<Real>> judged{};  ///< of the split `roc`, in the order of the draft
  Node node{};

  bool operator<(const BatchOutcome& other) const {
    return std::tie(emitted, accepted, whole, ended, undefined, tokens, judged, node) <
           std::tie(other.emitted, other.accepted, other.whole, other.ended, other.undefined,
                    other.tokens, other.judged, other.node);
  }
};

/// How the requests of a batch go on: what every interpreter does with one of them in a step. Its
/// draft is drawn first; the budget is split; it is verified with the length that it got.
class BatchSteps {
 public:
  /// @param verifier    its name, for messages; must outlive this
  /// @param law_tokens  first tokens of which places keep the cell
  BatchSteps(const BatchSetting& setting, int law_tokens, Token vocabulary,
             std::optional<Token> end, const std::string& verifier)
      : setting_(setting),
        law_tokens_(law_tokens),
        vocabulary_(static_cast<std::uint64_t>(vocabulary)),
        end_(end),
        verifier_(verifier) {}

  [[nodiscard]] const BatchSetting& setting() const { return setting_; }

  /// @param root  the state of the start   @param start  its number
  template <class View>
  [[nodiscard]] BatchPlace<View> begin(const View& view, State root, std::size_t start) const {
    BatchPlace<View> place;
    place.node = view.root(root);
    place.cell = start;
    place.longest = setting_.gamma;
    if (setting_.split == BatchSplit::roc) place.threshold = confidence_threshold(place.judged);
    return place;
  }

  /// Tokens that an unfinished request may still emit.
  template <class View>
  [[nodiscard]] int left(const BatchPlace<View>& place) const {
    return setting_.horizon - place.tokens;
  }

  /// Tokens that it drafts, or fewer below its threshold.
  template <class View>
  [[nodiscard]] int room(const BatchPlace<View>& place) const {
    return std::min(place.longest, left(place));
  }

  /// Verifies the first `length` tokens of a draft that `choices` will draw again.
  /// @throws UsageError for a verifier that emits other tokens as accepted than those drafted
  template <class Program, class View, class Choices>
  void verify(const Program& program, const View& view, const BatchPlace<View>& place,
              std::span<const Token> draft, std::size_t length, Choices& choices,
              Iteration<View>& out) const {
    const Window window = window_within(static_cast<int>(length), left(place));
    out.begin(place.node);
    if (length == 0) {
      out.finish(view, choices, window);
    } else {
      program(view, place.node, window, choices, out);
    }
    check_fits(out, window);
    const auto first = out.tokens.begin();
    if (!std::equal(first, first + out.accepted, draft.begin())) refuse_other_tokens();
  }

  /// @param length         of the draft that was verified
  /// @param probabilities  of its tokens, for the split `roc`
  template <class View>
  void read(const Iteration<View>& out, std::size_t length,
            std::span<const typename View::Real> probabilities, BatchOutcome<View>& outcome) const {
    outcome.emitted = static_cast<int>(before_end(out.tokens, end_));
    outcome.undefined = out.ending == Ending::undefined;
    check_progress(static_cast<std::size_t>(outcome.emitted), out.ending);
    outcome.accepted = out.accepted;
    outcome.whole = out.accepted == static_cast<int>(length);
    outcome.ended = outcome.undefined || has_end(out.tokens, end_);
    const int kept = std::min(law_tokens_, outcome.emitted);
    outcome.tokens.assign(out.tokens.begin(), out.tokens.begin() + kept);
    outcome.node = out.node;
    if (setting_.split != BatchSplit::roc) return;
    outcome.judged.clear();
    for (std::size_t i = 0; i < length && static_cast<int>(i) <= out.accepted; ++i) {
      outcome.judged.emplace_back(probabilities[i], static_cast<int>(i) < out.accepted);
    }
  }

  /// Where a request is after an outcome.
  template <class View>
  void go_on(BatchPlace<View>& place, const BatchOutcome<View>& outcome) const {
    if (setting_.split == BatchSplit::adaptive) place.longest = adapted(place.longest, outcome);
    if (setting_.split == BatchSplit::roc) judge(place, outcome);
    const int before = place.tokens;
    place.tokens += outcome.emitted;
    place.undefined = outcome.undefined;
    place.done = outcome.ended || place.tokens >= setting_.horizon;
    place.node = outcome.node;
    for (int i = before; i < std::min(law_tokens_, place.tokens); ++i) {
      put(place, outcome.tokens[static_cast<std::size_t>(i - before)]);
    }
    if (!outcome.ended || outcome.undefined) return;
    // An ended text goes on with end tokens.
    for (int i = place.tokens; i < law_tokens_; ++i) put(place, *end_);
  }

 private:
  /// The length of the next draft, which depends on what was accepted of this one. A request gets
  /// no part of the budget only before its first verification, where its drafts are of gamma
  /// tokens.
  template <class View>
  [[nodiscard]] int adapted(int longest, const BatchOutcome<View>& outcome) const {
    return outcome.whole ? longest + std::min(2, setting_.gamma - longest)
                         : std::max(1, longest - 1);
  }

  template <class View>
  static void judge(BatchPlace<View>& place, const BatchOutcome<View>& outcome) {
    auto& judged = place.judged;
    for (const auto& one : outcome.judged) {
      judged.insert(std::upper_bound(judged.begin(), judged.end(), one), one);
    }
    place.threshold = confidence_threshold(judged);
  }

  template <class Place>
  void put(Place& place, Token token) const {
    place.cell = place.cell * vocabulary_ + static_cast<std::uint64_t>(token);
  }

  /// The split looked at the tokens that this iteration was to draft.
  [[noreturn]] void refuse_other_tokens() const {
    throw UsageError(verifier_ +
                     " accepts other tokens than those that were drafted, which a batch's split "
                     "looks at; use a verifier of one chain, such as token or block");
  }

  BatchSetting setting_;
  int law_tokens_;
  std::uint64_t vocabulary_;
  std::optional<Token> end_;
  const std::string& verifier_;
};

}  // namespace speclab
