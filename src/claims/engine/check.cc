#include "claims/engine/check.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "base/types.h"
#include "claims/engine/ingredient.h"
#include "claims/engine/outcomes.h"
#include "claims/engine/vocabulary.h"
#include "theory/measure.h"

namespace speclab {
namespace {

/// "K", "K-1", "V", "gamma" or "2-1" on an instance.
std::string brace_text(std::string_view name, const Instance& instance) {
  if (name == "K") return std::to_string(instance.drafts);
  if (name == "K+1") return std::to_string(instance.drafts + 1);
  if (name == "K-1") return std::to_string(instance.drafts - 1);
  if (name == "V") return std::to_string(instance.pair().vocabulary());
  if (name == "gamma") return std::to_string(instance.gamma);
  const std::size_t dash = name.find('-');
  if (dash == name.npos) throw std::logic_error(fmt::format("unknown name {{{}}}", name));
  std::string text(name.substr(0, dash));
  for (int depth = 1; depth < instance.gamma; ++depth) text += name.substr(dash);
  return text;
}

/// What the clauses of one check ask on one instance: each question once.
class Answers {
 public:
  explicit Answers(const Instance& instance) : instance_(instance), longer_(instance) {
    if (instance.gamma != kUnbounded) ++longer_.gamma;
  }

  [[nodiscard]] const Instance& at(const Term& term) const {
    return term.longer ? longer_ : instance_;
  }
  [[nodiscard]] std::string verifier(const Term& term) const {
    return verifier_text(term.verifier, at(term));
  }
  [[nodiscard]] std::optional<int> horizon(const Term& term) const {
    const auto [gammas, tokens] = term.horizon;
    if (gammas == 0 && tokens == 0) return std::nullopt;
    if (gammas != 0 && at(term).gamma == kUnbounded) {
      throw std::logic_error("a horizon in draft lengths is unbounded at gamma = inf");
    }
    return gammas * at(term).gamma + tokens;
  }

  /// The numbers of a term that is no law of paths.
  std::vector<Rational> values(const Term& term) {
    switch (term.kind) {
      case Term::Kind::number:
        return {Rational(term.number)};
      case Term::Kind::formula:
        return term.formula->values(instance_);
      case Term::Kind::rejected_and_tv: {
        const Answer& decode = answer(term);
        return {Rational(decode.fraction(QuantityId::rejections) +
                         decode.fraction(QuantityId::tv_to_target))};
      }
      default:
        return answer(term).fractions(term.quantity);
    }
  }

 private:
  using Key = std::tuple<std::string, std::optional<int>, int, bool>;

  const Answer& answer(const Term& term) {
    const int iterations = term.iterations == kDepth ? instance_.depth : term.iterations;
    const Key key{verifier(term), horizon(term), iterations, term.longer};
    const auto known = answers_.find(key);
    if (known != answers_.end()) return known->second;
    const Answer found = exact_answer(std::get<0>(key), at(term), std::get<1>(key), iterations);
    return answers_.emplace(key, found).first->second;
  }

  const Instance& instance_;
  Instance longer_;
  std::map<Key, Answer> answers_;
};

/// Whether a term is compared element by element.
bool listed(const Term& term) {
  return term.kind == Term::Kind::quantity && quantity(term.quantity).shape == QuantityShape::list;
}

/// "E[N(2)]": a term's quantity, `index` its index.
std::string quantity_text(const Term& term, const std::string& index, const Answers& answers) {
  if (term.kind == Term::Kind::rejected_and_tv) return "P(reject) + TV";
  if (term.kind == Term::Kind::emitted) return fmt::format("P(X^tau, Y = {})", index);
  if (term.kind == Term::Kind::reached) return fmt::format("P(X = {} is accepted)", index);
  const int horizon = answers.horizon(term).value_or(0);
  switch (term.quantity) {
    case QuantityId::expected_accepted:
      return "E[tau]";
    case QuantityId::accepted_law:
      return fmt::format("P(tau = {})", index);
    case QuantityId::expected_tokens:
      return fmt::format("E[N({})]", index);
    case QuantityId::iteration_undefined:
      return "mass of 0/0";
    case QuantityId::output_undefined:
      return fmt::format("mass of 0/0 in {} tokens", horizon);
    case QuantityId::tv_to_target:
      return fmt::format("TV of {} tokens", horizon);
    case QuantityId::rejections:
      return fmt::format("E[N_rej] of {} tokens", horizon);
    case QuantityId::target_calls:
      return fmt::format("E[target calls] of {} tokens", horizon);
    default:
      return std::string(quantity(term.quantity).name);
  }
}

std::string term_text(const Term& term, const std::string& index, const Answers& answers) {
  if (term.kind == Term::Kind::number) return std::to_string(term.number);
  if (term.kind == Term::Kind::formula) return std::string(term.formula->text);
  return quantity_text(term, index, answers) + " of " + answers.verifier(term);
}

/// "E[tau] of block against token".
std::string clause_text(const Clause& clause, const std::string& index, const Answers& answers) {
  const auto& [left, order, right, where] = clause;
  std::string text = term_text(left, index, answers);
  if (left.quantity == QuantityId::tv_to_target) text += " to the target's";
  if (right.kind == Term::Kind::number) return text;
  const bool alike = left.kind == right.kind && left.kind != Term::Kind::formula &&
                     left.quantity == right.quantity && left.longer == right.longer;
  if (left.longer != right.longer) return text + " at gamma + 1 against gamma";
  return text + " against " + (alike ? answers.verifier(right) : term_text(right, index, answers));
}

/// The law of a term's paths from a start.
std::map<TokenPath, Rational> law_of(const Term& term, const Answers& answers, State start) {
  const Instance& instance = answers.at(term);
  if (term.kind == Term::Kind::reached) return reach_of(answers.verifier(term), instance, start);
  const std::string verifier = answers.verifier(term);
  return Decoding(verifier, instance).emitted(start);
}

void compare_laws(const Clause& clause, const Instance& instance, const Answers& answers,
                  Comparisons& comparisons) {
  const auto add = [&](const TokenPath& path, const Rational& left, const Rational& right) {
    comparisons.add(left, clause.order, right, "{}", clause_text(clause, path_text(path), answers));
  };
  for (const Start& start : instance.pair().start()) {
    auto left = law_of(clause.left, answers, start.state);
    if (clause.right.kind == Term::Kind::formula) {
      for (const PathLaws& path : drafted_paths(instance, start.state)) {
        add(path.tokens, left[path.tokens],
            clause.right.formula->along(instance, start.state, path));
      }
      continue;
    }
    auto right = law_of(clause.right, answers, start.state);
    for (const auto& [path, mass] : right) left.try_emplace(path, 0);
    for (const auto& [path, mass] : left) add(path, mass, right[path]);
  }
}

void compare_numbers(const Clause& clause, const Instance& instance, Answers& answers,
                     Comparisons& comparisons) {
  const bool list = listed(clause.left) || listed(clause.right);
  const auto side = [&](const Term& term) {
    if (!list && term.kind == Term::Kind::formula) return std::vector{(*term.formula)(instance)};
    return answers.values(term);
  };
  const auto left = side(clause.left);
  const auto right = side(clause.right);
  if (left.size() != right.size()) throw std::logic_error("lists of different lengths");
  int index = clause.left.kind == Term::Kind::quantity ? quantity(clause.left.quantity).first : 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    comparisons.add(left[i], clause.order, right[i], "{}",
                    clause_text(clause, std::to_string(index++), answers));
  }
}

}  // namespace

const NamedForm kLine{"TV(d, t)", "yin2024.line", [](const Instance& instance) {
                        return total_variation<Rational>(instance.draft(), instance.target());
                      }};

Rational NamedForm::operator()(const Instance& instance) const {
  const auto all = values(instance);
  if (list == nullptr) return all.front();
  Rational sum(0);
  for (std::size_t i = 1; i < all.size(); ++i) sum += all[i];
  return sum;
}

std::vector<Rational> NamedForm::values(const Instance& instance) const {
  if (list != nullptr) return ingredient(name, list(instance));
  return {ingredient(name, number(instance))};
}

Rational NamedForm::along(const Instance& instance, State start, const PathLaws& path) const {
  return ingredient(name, of_path(instance, start, path));
}

std::string verifier_text(std::string_view verifier, const Instance& instance) {
  std::string text;
  for (std::size_t open; (open = verifier.find('{')) != verifier.npos;) {
    const std::size_t close = verifier.find('}', open);
    text += verifier.substr(0, open);
    text += brace_text(verifier.substr(open + 1, close - open - 1), instance);
    verifier.remove_prefix(close + 1);
  }
  return text.append(verifier);
}

Comparisons Check::operator()(const Instance& instance) const {
  if (function_ != nullptr) return function_(instance);
  Comparisons comparisons;
  Answers answers(instance);
  for (const Clause& clause : std::span(clauses_).first(size_)) {
    if (clause.where != nullptr && !clause.where(instance)) continue;
    const bool of_paths =
        clause.left.kind == Term::Kind::reached || clause.left.kind == Term::Kind::emitted;
    if (of_paths) {
      compare_laws(clause, instance, answers, comparisons);
    } else {
      compare_numbers(clause, instance, answers, comparisons);
    }
  }
  return comparisons;
}

}  // namespace speclab
