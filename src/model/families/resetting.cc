#include "model/families/resetting.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "base/error.h"
#include "base/text.h"
#include "model/families/automaton.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// The most entries of all rows of states: states times tokens.
constexpr std::size_t kMostResettingCells = std::size_t{1} << 20;

class ResettingMaker;

/// See make_resetting. Draft laws are kept once, whatever the number of states that have them.
class ResettingPair final : public RationalPair {
 public:
  struct Entry {
    State context;
    std::size_t law;  ///< of the draft
  };

  ResettingPair(TargetAutomaton target, int longest)
      : target_(std::move(target)), roots_(target_.states()), longest_(longest) {}

  using RationalPair::rows;
  [[nodiscard]] Token vocabulary() const override {
    return static_cast<Token>(target_.vocabulary());
  }
  [[nodiscard]] State states() const override { return static_cast<State>(entries_.size()); }
  [[nodiscard]] State next(State state, Token token) const override {
    return next_[state * target_.vocabulary() + static_cast<std::size_t>(token)];
  }
  void rows(State state, std::span<Rational> draft, std::span<Rational> target) const override {
    const Entry& entry = entries_[state];
    std::copy(laws_[entry.law].begin(), laws_[entry.law].end(), draft.begin());
    const auto& law = target_.laws[entry.context];
    std::copy(law.begin(), law.end(), target.begin());
  }
  [[nodiscard]] State draft_state(State state) const override {
    return first_with_[entries_[state].law];
  }
  [[nodiscard]] std::vector<Start> start() const override { return roots_[target_.start]; }
  [[nodiscard]] bool resets() const override { return true; }
  [[nodiscard]] std::vector<Start> roots(State state) const override {
    return roots_[entries_[state].context];
  }
  [[nodiscard]] std::optional<int> longest_draft() const override { return longest_; }

 private:
  friend class ResettingMaker;

  TargetAutomaton target_;
  std::vector<Entry> entries_;
  std::vector<State> next_;                  ///< [state * V + token]
  std::vector<std::vector<Rational>> laws_;  ///< of the draft, each different key's
  std::vector<State> first_with_;            ///< by law: the first state that has it
  std::vector<std::vector<Start>> roots_;    ///< by the target's state; empty if not reached
  int longest_;
};

/// Numbers the states of a ResettingPair in the order in which they are found.
class ResettingMaker {
 public:
  ResettingMaker(const std::string& where, const TargetAutomaton& target,
                 const ResettingDraft& draft)
      : where_(where),
        draft_(draft),
        pair_(std::make_shared<ResettingPair>(target, draft.longest)) {}

  std::shared_ptr<Pair> make() {
    root(pair_->target_.start);
    for (State state = 0; state < pair_->states(); ++state) {
      for (Token x = 0; x < pair_->vocabulary(); ++x) pair_->next_.push_back(after(state, x));
    }
    return pair_;
  }

 private:
  using Place = std::tuple<State, DraftKey, int>;  ///< the target's state, the draft's, the offset

  State after(State state, Token x) {
    const auto [context, key, offset] = places_[state];
    const auto at = static_cast<std::size_t>(x);
    const auto& drafted = pair_->laws_[pair_->entries_[state].law];
    if (!(drafted[at] > 0) && !(pair_->target_.laws[context][at] > 0)) return state;
    const State moved = pair_->target_.next[context][at];
    if (offset + 1 == draft_.longest) return root(moved);
    root(moved);  // an iteration may end here
    return number({moved, draft_.next(key, x, moved), offset + 1});
  }

  /// The first root of a target's state.
  State root(State context) {
    if (pair_->roots_[context].empty()) {
      std::vector<Start> roots;
      for (const auto& [key, probability] : draft_.begin(context)) {
        if (probability > 0) roots.push_back({number({context, key, 0}), probability});
      }
      pair_->roots_[context] = std::move(roots);
    }
    return pair_->roots_[context].front().state;
  }

  State number(const Place& place) {
    const auto [at, fresh] = numbers_.try_emplace(place, pair_->states());
    if (!fresh) return at->second;
    const auto& [context, key, offset] = place;
    check_interrupted();
    const auto [law, unknown] = laws_.try_emplace(key, pair_->laws_.size());
    if (unknown) {
      pair_->laws_.push_back(draft_.law(key));
      pair_->first_with_.push_back(pair_->states());
    }
    pair_->entries_.push_back({context, law->second});
    places_.push_back(place);
    if (pair_->entries_.size() * pair_->target_.vocabulary() > kMostResettingCells) {
      throw InputError(fmt::format(
          "{} has more than {} states times tokens; give a shorter draft or fewer of the target's "
          "states",
          where_, kMostResettingCells));
    }
    return at->second;
  }

  const std::string& where_;
  const ResettingDraft& draft_;
  std::shared_ptr<ResettingPair> pair_;
  std::map<Place, State> numbers_;
  std::vector<Place> places_;
  std::map<DraftKey, std::size_t> laws_;
};

}  // namespace

const std::vector<Rational>& StatesAhead::of(State from, int tokens) {
  const auto [place, fresh] = known_.try_emplace({from, tokens});
  if (!fresh) return place->second;
  std::vector<Rational> after(target_.states(), Rational(0));
  if (tokens == 0) {
    after[from] = 1;
  } else {
    const std::vector<Rational>& now = of(from, tokens - 1);
    for (std::size_t s = 0; s < now.size(); ++s) {
      if (now[s] == 0) continue;
      for (std::size_t x = 0; x < target_.vocabulary(); ++x) {
        after[target_.next[s][x]] += now[s] * target_.laws[s][x];
      }
    }
  }
  place->second = std::move(after);
  return place->second;
}

std::vector<Rational> TargetAutomaton::mixed(const std::vector<Rational>& states) const {
  std::vector<Rational> law(vocabulary(), Rational(0));
  for (std::size_t s = 0; s < states.size(); ++s) {
    if (states[s] == 0) continue;
    for (std::size_t x = 0; x < law.size(); ++x) law[x] += states[s] * laws[s][x];
  }
  return law;
}

namespace {

/// Checks that rows of a spec are laws of so many tokens. @param row  what one is, in a message
void check_rows(SpecReader& spec, std::string_view row,
                const std::vector<std::vector<Rational>>& rows, std::size_t width) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string where = fmt::format("{} {}", row, i);
    if (rows[i].size() != width) {
      spec.refuse(
          fmt::format("{} has {} entries; give it one a token, {}", where, rows[i].size(), width));
    }
    try {
      check_law(rows[i], where);
    } catch (const InputError& error) {
      spec.refuse(error.what());
    }
  }
}

}  // namespace

std::vector<std::vector<Rational>> read_draft_rows(SpecReader& spec, std::size_t groups,
                                                   std::string_view group, std::size_t vocabulary) {
  std::vector<std::vector<Rational>> rows = spec.number_rows("draft");
  if (rows.size() % groups != 0) {
    spec.refuse(
        fmt::format("draft has {} rows; give as many for each of the {} {}: the offsets of "
                    "the first, then those of the next",
                    rows.size(), groups, group));
  }
  check_rows(spec, "draft, row", rows, vocabulary);
  return rows;
}

TargetAutomaton read_target(SpecReader& spec) {
  TargetAutomaton target;
  target.laws = spec.number_rows("target");
  const std::size_t states = target.states();
  const std::size_t width = target.vocabulary();
  check_rows(spec, "target, state", target.laws, width);
  target.next.resize(states);
  if (spec.has("next")) {
    const auto rows = spec.number_rows("next");
    if (rows.size() != states) {
      spec.refuse(fmt::format("target has {} rows and next has {}; give each one row a state",
                              states, rows.size()));
    }
    for (std::size_t s = 0; s < states; ++s) {
      if (rows[s].size() != width) {
        spec.refuse(fmt::format("next, state {} has {} entries; give one a token, {}", s,
                                rows[s].size(), width));
      }
      target.next[s] = read_moves(spec, rows[s], fmt::format("next, state {}", s), states);
    }
  } else {
    spec.optional_integer("next", 0, 0);  // it is known, and not given
    if (states != 1 && states != width) {
      spec.refuse(
          fmt::format("target has {} rows and {} tokens; add next=[[..],..], the state that "
                      "follows each token, a row a state",
                      states, width));
    }
    for (auto& row : target.next) {
      for (std::size_t x = 0; x < width; ++x)
        row.push_back(static_cast<State>(states == 1 ? 0 : x));
    }
  }
  target.start =
      static_cast<State>(spec.integer("start", 0, static_cast<long long>(states) - 1, 0));
  return target;
}

std::shared_ptr<Pair> make_resetting(const std::string& where, const TargetAutomaton& target,
                                     const ResettingDraft& draft) {
  return ResettingMaker(where, target, draft).make();
}

PairPointer make_resetting(const SpecReader& spec, const TargetAutomaton& target,
                           const ResettingDraft& draft) {
  return make_resetting("'" + abbreviate(spec.canonical()) + "'", target, draft);
}

ResettingDraft block_draft(std::vector<std::vector<Rational>> laws, std::size_t states) {
  const int longest = static_cast<int>(laws.size() / states);
  return {.longest = longest,
          .begin = [longest](State context) -> std::vector<std::pair<DraftKey, Rational>> {
            return {{{static_cast<int>(context) * longest}, Rational(1)}};
          },
          .law = [laws = std::move(laws)](
                     const DraftKey& key) { return laws[static_cast<std::size_t>(key.front())]; },
          .next = [](const DraftKey& key, Token, State) { return DraftKey{key.front() + 1}; }};
}

}  // namespace speclab
