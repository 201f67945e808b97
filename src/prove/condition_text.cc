#include "prove/condition_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/split.h"
#include "base/text.h"

namespace speclab {
namespace {

constexpr std::array<std::pair<Signs, std::string_view>, 6> kRelations{{{kNegative, "<"},
                                                                        {kZero, "="},
                                                                        {kPositive, ">"},
                                                                        {kNotPositive, "<="},
                                                                        {kNotNegative, ">="},
                                                                        {kNonzero, "!="}}};

constexpr int kMostExponent = std::numeric_limits<Exponents::value_type>::max();

std::string_view relation_of(Signs signs) {
  for (const auto& [known, relation] : kRelations) {
    if (known == signs) return relation;
  }
  throw std::logic_error("a condition without a relation");
}

/// The name of each parameter.
std::vector<std::string> names_of(const AllPairs& family) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < family.parameters(); ++i) names.push_back(family.parameter_name(i));
  return names;
}

std::string term_text(const Polynomial::Term& term, const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (term.exponents[i] == 0) continue;
    text += (text.empty() ? "" : "*") + names[i];
    if (term.exponents[i] > 1) text += fmt::format("^{}", term.exponents[i]);
  }
  const Integer size = abs(term.coefficient);
  if (text.empty()) return size.str();
  return size == 1 ? text : size.str() + "*" + text;
}

Polynomial::Term parse_term(const std::string& text, const std::vector<std::string>& names) {
  Polynomial::Term term{{}, Integer(1)};
  for (const std::string_view part : split(text, "*")) {
    if (all_digits(part)) {
      term.coefficient *= Integer(part);
      continue;
    }
    const auto power = part.find('^');
    const auto name = std::find(names.begin(), names.end(), part.substr(0, power));
    const std::string_view digits = power == part.npos ? "1" : part.substr(power + 1);
    // At most three digits, so that the sum of exponents is no number beyond int.
    const int exponent =
        all_digits(digits) && digits.size() <= 3 ? std::stoi(std::string(digits)) : 0;
    if (name == names.end() || exponent < 1) {
      throw InputError("'" + abbreviate(text) + "' is not a product of probabilities");
    }
    std::uint8_t& sum = term.exponents[static_cast<std::size_t>(name - names.begin())];
    if (sum + exponent > kMostExponent) {
      throw InputError(
          fmt::format("'{}' has an exponent above {}", abbreviate(text), kMostExponent));
    }
    sum = static_cast<std::uint8_t>(sum + exponent);
  }
  return term;
}

/// "(* 2 |draft[0]| |draft[0]|)", "(- 1)".
std::string smt_term(const Polynomial::Term& term, const std::vector<std::string>& names) {
  const Integer size = abs(term.coefficient);
  const std::string whole = term.coefficient < 0 ? fmt::format("(- {})", size.str()) : size.str();
  std::string factors;
  int count = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (int k = 0; k < term.exponents[i]; ++k, ++count) factors += fmt::format(" |{}|", names[i]);
  }
  if (count == 0) return whole;
  if (term.coefficient != 1) return fmt::format("(* {}{})", whole, factors);
  return count == 1 ? factors.substr(1) : fmt::format("(*{})", factors);
}

std::string smt_condition(const Polynomial& polynomial, Signs signs,
                          const std::vector<std::string>& names) {
  std::string sum;
  for (const Polynomial::Term& term : polynomial.terms()) {
    sum += (sum.empty() ? "" : " ") + smt_term(term, names);
  }
  if (polynomial.terms().size() > 1) sum = fmt::format("(+ {})", sum);
  if (signs == kNonzero) return fmt::format("(not (= {} 0))", sum);
  return fmt::format("({} {} 0)", relation_of(signs), sum);
}

}  // namespace

std::string condition_text(const AllPairs& family, const Factors& factors,
                           const Condition& condition) {
  const auto names = names_of(family);
  std::string text;
  for (const Polynomial::Term& term : factors[condition.factor].terms()) {
    const bool minus = term.coefficient < 0;
    text += text.empty() ? (minus ? "-" : "") : (minus ? " - " : " + ");
    text += term_text(term, names);
  }
  return fmt::format("{} {} 0", text, relation_of(condition.signs));
}

Condition parse_condition(const AllPairs& family, Factors& factors, const std::string& text) {
  const auto names = names_of(family);
  std::istringstream stream(text);
  const std::vector<std::string> words(std::istream_iterator<std::string>(stream), {});
  const auto check = [&text](bool right) {
    if (right) return;
    throw InputError("'" + abbreviate(text) + "' is not a condition such as 2*draft[0] - 1 >= 0");
  };
  // Terms with a sign between each two, the relation, and 0.
  check(words.size() % 2 == 1 && words.size() >= 3 && words.back() == "0");
  const std::size_t end = words.size() - 2;
  const auto relation = std::find_if(kRelations.begin(), kRelations.end(),
                                     [&](const auto& known) { return known.second == words[end]; });
  check(relation != kRelations.end());
  Polynomial::Terms terms;
  for (std::size_t i = 0; i < end; i += 2) {
    const bool minus = i > 0 && words[i - 1] == "-";
    check(i == 0 || minus || words[i - 1] == "+");
    terms.push_back(parse_term(words[i], names));
    if (minus) terms.back().coefficient = -terms.back().coefficient;
  }
  Polynomial polynomial(std::move(terms));
  if (polynomial.is_constant() || polynomial.content() != 1) {
    throw InputError("'" + abbreviate(text) + "' is not a condition in lowest terms");
  }
  return {factors.enter(polynomial), relation->first};
}

std::string smt_query(const AllPairs& family, const Factors& factors,
                      std::span<const Condition> conditions) {
  const auto names = names_of(family);
  std::string script = "(set-logic QF_NRA)\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto has = [&](const Condition& each) { return factors[each.factor].contains(i); };
    if (std::any_of(conditions.begin(), conditions.end(), has)) {
      script += fmt::format("(declare-const |{}| Real)\n", names[i]);
    }
  }
  for (const Condition& condition : conditions) {
    script += fmt::format("(assert {})\n",
                          smt_condition(factors[condition.factor], condition.signs, names));
  }
  return script + "(check-sat)\n";
}

}  // namespace speclab
