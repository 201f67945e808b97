// automaton(draft=[[..],..], target=[[..],..], next=[[..],..], start=0, root=[..]): a row a state;
// `next` has the state that follows, token by token, and `root`, where it is given, the state in
// which an iteration begins that follows a state.
#include "model/families/automaton.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/integer.h"
#include "base/text.h"
#include "model/families/families.h"

namespace speclab {
namespace {

using NumberRows = std::vector<std::vector<Rational>>;

/// "draft, state 1".
std::string row_of(std::string_view key, std::size_t state) {
  return fmt::format("{}, state {}", key, state);
}

/// The row of a parameter with as many entries as the first row of `draft` has.
void check_width(SpecReader& spec, std::string_view key, std::size_t state, std::size_t entries,
                 std::size_t vocabulary) {
  if (entries == vocabulary) return;
  spec.refuse(
      fmt::format("{} has {} entries and draft, state 0 has {}; give every row one entry a token",
                  row_of(key, state), entries, vocabulary));
}

std::string law_rows(const std::vector<AutomatonState>& states,
                     std::vector<Rational> AutomatonState::*law) {
  std::string text;
  for (const AutomatonState& state : states) {
    text += (text.empty() ? "[" : ",[") + list_text(state.*law) + "]";
  }
  return text;
}

}  // namespace

std::vector<State> read_moves(SpecReader& spec, const std::vector<Rational>& row,
                              const std::string& where, std::size_t states) {
  std::vector<State> moves;
  for (const Rational& entry : row) {
    if (denominator(entry) != 1 || entry < 0 || entry >= states) {
      spec.refuse(fmt::format("{}: {} is not a state; give a whole number from 0 to {}", where,
                              abbreviate(to_text(entry)), states - 1));
    }
    moves.push_back(static_cast<State>(numerator(entry).signed_value()));
  }
  return moves;
}

void check_roots(const std::vector<AutomatonState>& states, const std::vector<State>& roots,
                 const std::string& where) {
  std::set<std::pair<State, State>> alike;
  std::vector<std::pair<State, State>> open;
  const auto look = [&](State a, State b) {
    if (a != b && alike.insert({a, b}).second) open.emplace_back(a, b);
  };
  for (State state = 0; state < states.size(); ++state) {
    if (roots[roots[state]] != roots[state]) {
      throw InputError(fmt::format("{}, state {}: the root of its root {} is {}; a root is its own",
                                   where, state, roots[state], roots[roots[state]]));
    }
    look(state, roots[state]);
    while (!open.empty()) {
      const auto [a, b] = open.back();
      open.pop_back();
      if (states[a].target != states[b].target) {
        throw InputError(fmt::format(
            "{}, state {}: from it and from its root {} the same tokens lead to the states {} and "
            "{}, whose target laws differ; a new iteration changes the draft alone",
            where, state, roots[state], a, b));
      }
      for (std::size_t x = 0; x < states[a].target.size(); ++x) {
        if (states[a].target[x] > 0 || states[a].draft[x] > 0) {
          look(states[a].next[x], states[b].next[x]);
        }
      }
    }
  }
}

void AutomatonPair::rows(State state, std::span<Rational> draft, std::span<Rational> target) const {
  std::copy(states_[state].draft.begin(), states_[state].draft.end(), draft.begin());
  std::copy(states_[state].target.begin(), states_[state].target.end(), target.begin());
}

std::string automaton_text(const std::vector<AutomatonState>& states, State start) {
  std::string moves;
  for (const AutomatonState& state : states) {
    moves += fmt::format("{}[{}]", moves.empty() ? "" : ",", fmt::join(state.next, ","));
  }
  return fmt::format("automaton(draft=[{}],target=[{}],next=[{}],start={})",
                     law_rows(states, &AutomatonState::draft),
                     law_rows(states, &AutomatonState::target), moves, start);
}

PairPointer make_automaton(SpecReader& spec) {
  const NumberRows draft = spec.number_rows("draft");
  const NumberRows target = spec.number_rows("target");
  const NumberRows next = spec.number_rows("next");
  const std::size_t size = draft.size();
  for (const auto& [key, rows] : {std::pair("target", &target), std::pair("next", &next)}) {
    if (rows->size() == size) continue;
    spec.refuse(fmt::format("draft has {} rows and {} has {}; give each one row a state", size, key,
                            rows->size()));
  }
  std::vector<AutomatonState> states(size);
  const std::size_t vocabulary = draft.front().size();
  for (std::size_t i = 0; i < size; ++i) {
    check_width(spec, "draft", i, draft[i].size(), vocabulary);
    check_width(spec, "target", i, target[i].size(), vocabulary);
    check_width(spec, "next", i, next[i].size(), vocabulary);
    try {
      check_law(draft[i], row_of("draft", i));
      check_law(target[i], row_of("target", i));
    } catch (const InputError& error) {
      spec.refuse(error.what());
    }
    states[i] = {draft[i], target[i], read_moves(spec, next[i], row_of("next", i), size)};
  }
  const auto start =
      static_cast<State>(spec.integer("start", 0, static_cast<long long>(size) - 1, 0));
  std::vector<State> roots;
  if (spec.has("root")) {
    const std::vector<Rational> row = spec.numbers("root");
    if (row.size() != size) {
      spec.refuse(fmt::format("draft has {} rows and root has {} entries; give one a state", size,
                              row.size()));
    }
    roots = read_moves(spec, row, "root", size);
    try {
      check_roots(states, roots, "root");
    } catch (const InputError& error) {
      spec.refuse(error.what());
    }
  } else {
    spec.optional_integer("root", 0, 0);  // it is known, and not given
  }
  return std::make_shared<AutomatonPair>(std::move(states), start, std::move(roots));
}

}  // namespace speclab
