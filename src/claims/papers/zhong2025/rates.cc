#include "claims/papers/zhong2025/rates.h"

#include <map>
#include <utility>

#include "claims/battery/small_pairs.h"

namespace speclab {

std::vector<Rates> class_rates() {
  return {{Rational(0), Rational(1)},
          {Rational(1, 10), Rational(9, 10)},
          {Rational(1, 2), Rational(1, 3)},
          {Rational(1), Rational(0)}};
}

std::vector<std::vector<Rational>> token_rates(std::size_t tokens) {
  std::vector<std::vector<Rational>> lists;
  for (std::size_t passed = 0; passed < tokens; ++passed) {
    lists.emplace_back(tokens, Rational(0));
    lists.back()[passed] = 1;
  }
  lists.emplace_back();
  for (std::size_t x = 0; x < tokens; ++x) {
    lists.back().emplace_back(1, static_cast<long>(x) + 2);
  }
  return lists;
}

std::string token_verifier(const std::vector<Rational>& fp) {
  return fmt::format("sprinter(fp=[{}],tp=1)", list_text(fp));
}

std::vector<Reached> reached_by(std::string_view verifier, const Instance& instance, int horizon) {
  const auto starts = instance.pair().start();
  if (starts.size() != 1) return {};
  const auto end = instance.pair().end_token();
  const Answer run = exact_answer(verifier, instance, horizon, 0, true);
  const std::vector<Rational> none(static_cast<std::size_t>(instance.pair().vocabulary()));
  std::map<std::vector<Token>, Reached> known;
  for (const auto& found : run.found.find(QuantityId::output_law)->values) {
    const Rational& mass = found.value.fraction.value();
    std::vector<Token> prefix;
    State state = starts.front().state;
    for (const Token x : found.index) {
      Reached& here = known.try_emplace(prefix, Reached{prefix, state, 0, none}).first->second;
      here.probability += mass;
      here.next[static_cast<std::size_t>(x)] += mass;
      if (end == x) break;
      state = instance.rows->next(state, x);
      prefix.push_back(x);
    }
  }
  std::vector<Reached> contexts;
  for (auto& [prefix, context] : known) {
    if (context.probability == 0) continue;
    for (Rational& mass : context.next) mass /= context.probability;
    contexts.push_back(std::move(context));
  }
  return contexts;
}

Rational distance_at(const Instance& instance, State state) {
  return total_variation(instance.rows->draft(state), instance.rows->target(state));
}

Rational distance_at_start(const Instance& instance) {
  return average(start_law(*instance.rows),
                 [&](State start) { return distance_at(instance, start); });
}

Instance acceptable_first(int acceptable, bool even, int gamma) {
  const std::vector<Rational> draft = even
                                          ? std::vector<Rational>{Rational(1, 2), Rational(1, 2), 0}
                                          : std::vector<Rational>{Rational(1), 0, 0};
  const std::vector<Rational> target =
      even ? std::vector<Rational>{Rational(1, 4), Rational(3, 8), Rational(3, 8)}
           : std::vector<Rational>{Rational(2, 3), 0, Rational(1, 3)};
  ListedLaws drafts;
  ListedLaws targets;
  std::vector<std::vector<Token>> level{{}};
  for (int i = 0; i <= acceptable; ++i) {
    std::vector<std::vector<Token>> longer;
    for (const auto& path : level) {
      drafts[path] = draft;
      targets[path] = i < acceptable ? draft : target;
      for (Token x = 0; x < (even ? 2 : 1); ++x) {
        longer.push_back(path);
        longer.back().push_back(x);
      }
    }
    level = std::move(longer);
  }
  return listed_tree(drafts, targets, gamma);
}

}  // namespace speclab
