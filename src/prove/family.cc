#include "prove/family.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/error.h"
#include "base/json.h"
#include "model/families/automaton.h"

namespace speclab {

std::string_view contexts_name(Contexts contexts) {
  return contexts == Contexts::iid ? "iid" : "tree";
}

AllPairs::AllPairs(Contexts contexts, Token vocabulary, int gamma)
    : contexts_(contexts), vocabulary_(vocabulary), gamma_(gamma), states_(1) {
  if (vocabulary < 2 || gamma < 1) {
    throw InputError(fmt::format(
        "a vocabulary of {} and a draft length of {}: a statement about all pairs needs at least 2 "
        "tokens and 1 draft",
        vocabulary, gamma));
  }
  std::size_t states = 1;
  const std::size_t most = kMostParameters / (2 * free());
  if (contexts == Contexts::tree) {
    for (int depth = 0; depth < gamma && states <= most; ++depth) {
      states = states * static_cast<std::size_t>(vocabulary) + 1;
    }
  }
  if (states > most) {
    throw LimitError(fmt::format(
        "all {} pairs of {} tokens and draft length {} have more than {} free probabilities; ask "
        "for a smaller vocabulary or draft length",
        contexts_name(contexts), vocabulary, gamma, kMostParameters));
  }
  states_ = static_cast<State>(states);
}

State AllPairs::next(State state, Token token) const {
  if (contexts_ == Contexts::iid) return 0;
  return state * static_cast<State>(vocabulary_) + static_cast<State>(token) + 1;
}

std::size_t AllPairs::parameter(State state, bool target, Token token) const {
  return (std::size_t{2} * state + (target ? 1 : 0)) * free() + static_cast<std::size_t>(token);
}

std::string AllPairs::prefix(State state) const {
  std::string text;
  while (state > 0) {
    const State token = (state - 1) % static_cast<State>(vocabulary_);
    text = std::to_string(token) + (text.empty() ? "" : ",") + text;
    state = (state - 1) / static_cast<State>(vocabulary_);
  }
  return text;
}

std::string AllPairs::parameter_name(std::size_t parameter) const {
  const std::size_t row = parameter / free();
  const auto state = static_cast<State>(row / 2);
  return fmt::format("{}{}[{}]", row % 2 == 1 ? "target" : "draft",
                     contexts_ == Contexts::iid ? "" : "(" + prefix(state) + ")",
                     parameter % free());
}

Polynomial AllPairs::probability(State state, bool target, Token token) const {
  if (token + 1 < vocabulary_) return Polynomial::parameter(parameter(state, target, token));
  Polynomial left = Polynomial::constant(Integer(1));
  for (Token x = 0; x + 1 < vocabulary_; ++x) {
    left = left + Integer(-1) * Polynomial::parameter(parameter(state, target, x));
  }
  return left;
}

namespace {

/// The condition that a polynomial without a common divisor is at least 0.
Condition at_least_zero(Polynomial polynomial, Factors& factors) {
  const Integer content = polynomial.content();
  polynomial.divide_by(content);
  return {factors.enter(polynomial), content < 0 ? kNotPositive : kNotNegative};
}

}  // namespace

std::vector<Condition> AllPairs::domain(Factors& factors) const {
  std::vector<Condition> conditions;
  for (State state = 0; state < states_; ++state) {
    for (const bool target : {false, true}) {
      for (Token x = 0; x < vocabulary_; ++x) {
        conditions.push_back(at_least_zero(probability(state, target, x), factors));
      }
    }
  }
  for (State state = 0; state < states_; ++state) {
    for (Token x = 0; x < vocabulary_; ++x) {
      at_least_zero(probability(state, true, x) + Integer(-1) * probability(state, false, x),
                    factors);
    }
  }
  return conditions;
}

std::vector<Condition> AllPairs::ordered(Factors& factors) const {
  std::vector<Condition> conditions;
  const auto gap = [this](State state, Token x) {
    return probability(state, true, x) + Integer(-1) * probability(state, false, x);
  };
  for (State state = 0; state < states_; ++state) {
    for (Token x = 0; x + 1 < vocabulary_; ++x) {
      conditions.push_back(at_least_zero(gap(state, x) + Integer(-1) * gap(state, x + 1), factors));
    }
    // Follows from the order: the gaps sum to 0.
    conditions.push_back(at_least_zero(gap(state, 0), factors));
    conditions.push_back(at_least_zero(Integer(-1) * gap(state, vocabulary_ - 1), factors));
  }
  return conditions;
}

std::vector<Condition> AllPairs::with_domain(std::span<const Condition> conditions,
                                             std::span<const Condition> always,
                                             const Factors& factors) const {
  std::vector<char> wanted(states_);
  for (const Condition& condition : conditions) {
    for (std::size_t i = 0; i < parameters(); ++i) {
      if (factors[condition.factor].contains(i)) wanted[state_of(i)] = 1;
    }
  }
  std::vector<Condition> result;
  for (const Condition& condition : always) {
    for (std::size_t i = 0; i < parameters(); ++i) {
      if (wanted[state_of(i)] != 0 && factors[condition.factor].contains(i)) {
        result.push_back(condition);
        break;
      }
    }
  }
  result.insert(result.end(), conditions.begin(), conditions.end());
  return result;
}

std::vector<Rational> AllPairs::law(std::span<const Rational> point, State state,
                                    bool target) const {
  std::vector<Rational> row;
  Rational left(1);
  for (Token x = 0; x + 1 < vocabulary_; ++x) {
    row.push_back(point[parameter(state, target, x)]);
    left -= row.back();
  }
  row.push_back(std::move(left));
  return row;
}

std::string AllPairs::pair_object(std::span<const Rational> point) const {
  const auto texts = [&](State state, bool target) {
    Json row = Json::array();
    for (const Rational& share : law(point, state, target)) row.push_back(to_text(share));
    return row;
  };
  const auto laws = [&](bool target) {
    if (contexts_ == Contexts::iid) return texts(0, target);
    Json all = Json::object();
    for (State state = 0; state < states_; ++state) all[prefix(state)] = texts(state, target);
    return all;
  };
  return Json{{"vocabulary", vocabulary_},
              {"kind", contexts_name(contexts_)},
              {"draft", laws(false)},
              {"target", laws(true)}}
      .dump();
}

std::string AllPairs::pair_text(std::span<const Rational> point) const {
  std::vector<AutomatonState> states(states_);
  const auto width = static_cast<State>(vocabulary_);
  for (State state = 0; state < states_; ++state) {
    states[state].draft = law(point, state, false);
    states[state].target = law(point, state, true);
    for (State x = 0; x < width; ++x) {
      const State child = state * width + x + 1;
      states[state].next.push_back(child < states_ ? child : state);
    }
  }
  if (contexts_ == Contexts::tree) return automaton_text(states);
  const auto text = [](const std::vector<Rational>& row) {
    std::string joined;
    for (const Rational& share : row) joined += (joined.empty() ? "" : ",") + to_text(share);
    return joined;
  };
  return fmt::format("iid(draft=[{}],target=[{}])", text(states[0].draft), text(states[0].target));
}

Rows<Number>::Rows(const AllPairs& family) : family_(&family) {
  CellRun& run = current_run();
  for (State state = 0; state < family.states(); ++state) {
    for (const bool target : {false, true}) {
      Number left(1);
      for (Token x = 0; x + 1 < family.vocabulary(); ++x) {
        rows_.push_back(Number::of(run.parameter(family.parameter(state, target, x))));
        left -= rows_.back();
      }
      rows_.push_back(left);
    }
  }
}

std::span<const Number> Rows<Number>::row(State state, std::size_t model) const {
  if (state >= family_->states()) throw std::logic_error("a context beyond the draft length");
  const auto size = static_cast<std::size_t>(family_->vocabulary());
  return {rows_.data() + (std::size_t{2} * state + model) * size, size};
}

}  // namespace speclab
