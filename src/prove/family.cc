#include "prove/family.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/error.h"
#include "base/json.h"
#include "model/families/automaton.h"

namespace speclab {

std::string_view contexts_name(Contexts contexts) {
  switch (contexts) {
    case Contexts::iid:
      return "iid";
    case Contexts::tree:
      return "tree";
    case Contexts::step:
      break;
  }
  return "any";
}

AllPairs::AllPairs(Contexts contexts, Token vocabulary, int gamma)
    : contexts_(contexts), vocabulary_(vocabulary), gamma_(gamma), states_(1) {
  if (vocabulary < 2 || gamma < 1) {
    throw InputError(fmt::format(
        "a vocabulary of {} and a draft length of {}: a statement about all pairs needs at least 2 "
        "tokens and 1 draft",
        vocabulary, gamma));
  }
  std::size_t states = contexts == Contexts::step ? std::size_t{kOther} + 1 : 1;
  const std::size_t most = kMostParameters / (2 * free());
  if (contexts == Contexts::tree) {
    for (int depth = 0; depth < gamma && states <= most; ++depth) {
      states = states * static_cast<std::size_t>(vocabulary) + 1;
    }
  }
  if (states > most) {
    throw LimitError(
        fmt::format("{} have more than {} free probabilities; ask for a smaller vocabulary{}",
                    every_gamma() ? text() : fmt::format("{} and draft length {}", text(), gamma),
                    kMostParameters, every_gamma() ? "" : " or draft length"));
  }
  states_ = static_cast<State>(states);
}

std::string AllPairs::text() const {
  return fmt::format("all {}pairs of {} tokens",
                     every_gamma() ? "" : std::string(contexts_name(contexts_)) + " ", vocabulary_);
}

std::vector<ProofRun> AllPairs::runs() const {
  if (contexts_ == Contexts::step) return {{kNode, 1}, {kForced, kStepGamma}};
  return {{State{0}, gamma_}};
}

State AllPairs::next(State state, Token token) const {
  if (contexts_ == Contexts::iid) return 0;
  if (contexts_ == Contexts::step) {
    if (state == kForced) return token + 1 == vocabulary_ ? kNode : kOther;
    if (state == kNode) return kLater;
    return state == kLater ? states_ : state;  // after kLater none, as after the longest of a tree
  }
  return state * static_cast<State>(vocabulary_) + static_cast<State>(token) + 1;
}

std::size_t AllPairs::parameter(State state, bool target, Token token) const {
  return (std::size_t{2} * state + (target ? 1 : 0)) * free() + static_cast<std::size_t>(token);
}

std::string AllPairs::prefix(State state) const {
  if (contexts_ == Contexts::step) {
    if (state == kForced) return "";
    return state == kNode ? std::to_string(vocabulary_ - 1) : state == kLater ? "later" : "other";
  }
  std::string text;
  while (state > 0) {
    if (!text.empty()) text.insert(0, ",");
    text.insert(0, std::to_string((state - 1) % static_cast<State>(vocabulary_)));
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
  if (token + 1 < vocabulary_) {
    const std::size_t index = parameter(state, target, token);
    return absent(index) ? Polynomial() : Polynomial::parameter(index);
  }
  Polynomial left = Polynomial::constant(Integer(1));
  for (Token x = 0; x + 1 < vocabulary_; ++x) {
    left = left - probability(state, target, x);
  }
  return left;
}

namespace {

/// Adds the condition that a polynomial is at least 0, but of one that always is.
void add_at_least_zero(Polynomial polynomial, Factors& factors, Conditions& to) {
  if (polynomial.is_constant()) return;
  const Integer content = polynomial.content();
  polynomial.divide_by(content);
  to.push_back({factors.enter(polynomial), content < 0 ? kNotPositive : kNotNegative});
}

}  // namespace

Conditions AllPairs::domain(Factors& factors) const {
  Conditions conditions;
  for (State state = 0; state < states_; ++state) {
    for (const bool target : {false, true}) {
      for (Token x = 0; x < vocabulary_; ++x) {
        add_at_least_zero(probability(state, target, x), factors, conditions);
      }
    }
  }
  Conditions signs_of_gaps;  // only entered
  for (State state = 0; state < states_; ++state) {
    for (Token x = 0; x < vocabulary_; ++x) {
      add_at_least_zero(gap(state, x), factors, signs_of_gaps);
    }
  }
  return conditions;
}

Conditions AllPairs::ordered(Factors& factors) const {
  Conditions conditions;
  for (State state = 0; state < states_; ++state) {
    for (Token x = 0; x + 1 < vocabulary_; ++x) {
      add_at_least_zero(gap(state, x) - gap(state, x + 1), factors, conditions);
    }
    // Follows from the order: the gaps sum to 0.
    add_at_least_zero(gap(state, 0), factors, conditions);
    add_at_least_zero(Integer(-1) * gap(state, vocabulary_ - 1), factors, conditions);
  }
  return conditions;
}

Conditions AllPairs::with_domain(std::span<const Condition> conditions,
                                 std::span<const Condition> always, const Factors& factors) const {
  std::vector<char> wanted(states_);
  for (const Condition& condition : conditions) {
    for (std::size_t i = 0; i < parameters(); ++i) {
      if (factors[condition.factor].contains(i)) wanted[state_of(i)] = 1;
    }
  }
  Conditions result;
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
    const std::size_t index = parameter(state, target, x);
    row.push_back(absent(index) ? Rational(0) : point[index]);
    left -= row.back();
  }
  row.push_back(std::move(left));
  return row;
}

std::vector<AutomatonState> AllPairs::automaton(std::span<const Rational> point) const {
  std::vector<AutomatonState> states(states_);
  for (State state = 0; state < states_; ++state) {
    states[state].draft = law(point, state, false);
    states[state].target = law(point, state, true);
    for (Token x = 0; x < vocabulary_; ++x) {
      const State child = next(state, x);
      states[state].next.push_back(child < states_ ? child : state);
    }
  }
  return states;
}

std::string AllPairs::pair_object(std::span<const Rational> point, State start) const {
  const auto texts = [&](State state, bool target) {
    Json row = Json::array();
    for (const Rational& share : law(point, state, target)) row.push_back(to_text(share));
    return row;
  };
  const auto laws = [&](bool target) {
    if (contexts_ == Contexts::iid) return texts(0, target);
    if (contexts_ == Contexts::step) {
      Json rows = Json::array();
      for (State state = 0; state < states_; ++state) rows.push_back(texts(state, target));
      return rows;
    }
    Json all = Json::object();
    for (State state = 0; state < states_; ++state) all[prefix(state)] = texts(state, target);
    return all;
  };
  Json object{{"vocabulary", vocabulary_},
              {"kind", contexts_name(contexts_)},
              {"draft", laws(false)},
              {"target", laws(true)}};
  if (contexts_ == Contexts::step) {
    object["kind"] = "automaton";
    object["next"] = Json::array();
    for (const AutomatonState& state : automaton(point)) object["next"].push_back(state.next);
    object["start"] = start;
  }
  return object.dump();
}

std::string AllPairs::pair_text(std::span<const Rational> point, State start) const {
  const std::vector<AutomatonState> states = automaton(point);
  if (contexts_ != Contexts::iid) return automaton_text(states, start);
  return fmt::format("iid(draft=[{}],target=[{}])", list_text(states[0].draft),
                     list_text(states[0].target));
}

Rows<Number>::Rows(const AllPairs& family) : family_(&family) {
  CellRun& run = current_run();
  for (State state = 0; state < family.states(); ++state) {
    for (const bool target : {false, true}) {
      Number left(1);
      for (Token x = 0; x + 1 < family.vocabulary(); ++x) {
        const std::size_t index = family.parameter(state, target, x);
        rows_.push_back(family.absent(index) ? Number(0) : Number::of(run.parameter(index)));
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
