// lookup(target=[[..],..], next=[[..],..], start=0, match=n, length=L, window=H): prompt lookup
// (n-gram speculation). The draft looks for the last n tokens earlier among the last H tokens,
// takes the latest place where they stand, and repeats what followed there, its own tokens included
// where it reaches the end. Where they stand nowhere it repeats the last token; before the first,
// token 0. It is deterministic: each law has one token. The output begins without a prompt.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/families/families.h"
#include "model/families/resetting.h"

namespace speclab {
namespace {

constexpr int kLongestMatch = 8;
constexpr int kWidestWindow = 32;
constexpr int kLongestCopy = 32;
/// Of the target's states and histories together; each has a row.
constexpr std::size_t kMostHistories = std::size_t{1} << 16;

using History = std::vector<Token>;

/// The target with its last tokens as part of the state.
struct Remembering {
  TargetAutomaton target;
  std::vector<History> histories;  ///< by state
};

Remembering with_history(SpecReader& spec, const TargetAutomaton& inner, std::size_t window) {
  Remembering made;
  std::map<std::pair<State, History>, State> numbers;
  std::vector<State> inside;
  const auto number = [&](State state, History history) {
    const auto [at, fresh] =
        numbers.try_emplace({state, history}, static_cast<State>(inside.size()));
    if (fresh) {
      inside.push_back(state);
      made.histories.push_back(std::move(history));
      made.target.laws.push_back(inner.laws[state]);
    }
    if (inside.size() * inner.vocabulary() > kMostHistories) {
      spec.refuse(fmt::format("it has more than {} histories times tokens; give a smaller window",
                              kMostHistories));
    }
    return at->second;
  };
  number(inner.start, {});
  for (State at = 0; at < inside.size(); ++at) {
    std::vector<State> moves;
    for (std::size_t x = 0; x < inner.vocabulary(); ++x) {
      History longer = made.histories[at];
      longer.push_back(static_cast<Token>(x));
      if (longer.size() > window) longer.erase(longer.begin());
      moves.push_back(number(inner.next[inside[at]][x], std::move(longer)));
    }
    made.target.next.push_back(std::move(moves));
  }
  return made;
}

/// The L tokens that the draft repeats after a history.
DraftKey repeated(const History& history, std::size_t match, int length) {
  const std::size_t size = history.size();
  std::size_t from = size == 0 ? 0 : size - 1;  // nothing is found: the last token again and again
  const auto same = [&](std::size_t at) {
    return std::equal(history.begin() + static_cast<std::ptrdiff_t>(at),
                      history.begin() + static_cast<std::ptrdiff_t>(at + match),
                      history.end() - static_cast<std::ptrdiff_t>(match));
  };
  for (std::size_t at = size > match ? size - match : 0; at-- > 0;) {
    if (!same(at)) continue;
    from = at + match;
    break;
  }
  DraftKey tokens(history.begin() + static_cast<std::ptrdiff_t>(from), history.end());
  if (tokens.empty()) tokens.push_back(0);
  const auto wanted = static_cast<std::size_t>(length);
  for (std::size_t i = 0; tokens.size() < wanted; ++i) tokens.push_back(tokens[i]);
  tokens.resize(wanted);
  return tokens;
}

}  // namespace

PairPointer make_lookup(SpecReader& spec) {
  const TargetAutomaton inner = read_target(spec);
  const auto match = static_cast<std::size_t>(spec.integer("match", 1, kLongestMatch));
  const int length = static_cast<int>(spec.integer("length", 1, kLongestCopy));
  const auto window = static_cast<std::size_t>(spec.integer("window", 1, kWidestWindow));
  if (window <= match) {
    spec.refuse(
        fmt::format("window={} has no room for {} tokens and what followed them; give more "
                    "than match",
                    window, match));
  }
  const Remembering remembering = with_history(spec, inner, window);
  // A key is the tokens that are still to be repeated.
  return make_resetting(
      spec, remembering.target,
      {.longest = length,
       .begin = [&](State context) -> std::vector<std::pair<DraftKey, Rational>> {
         return {{repeated(remembering.histories[context], match, length), Rational(1)}};
       },
       .law =
           [&](const DraftKey& key) {
             std::vector<Rational> law(inner.vocabulary(), Rational(0));
             law[static_cast<std::size_t>(key.front())] = 1;
             return law;
           },
       .next = [](const DraftKey& key, Token,
                  State) { return DraftKey(key.begin() + 1, key.end()); }});
}

}  // namespace speclab
