#include "prove/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "model/families/json_law.h"
#include "prove/equalities.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

constexpr std::array<std::pair<Signs, std::string_view>, 6> kRelations{{{kNegative, "<"},
                                                                        {kZero, "="},
                                                                        {kPositive, ">"},
                                                                        {kNotPositive, "<="},
                                                                        {kNotNegative, ">="},
                                                                        {kNonzero, "!="}}};
constexpr std::array<std::string_view, kBases> kBasisNames{"identity", "identity_on_equalities",
                                                           "signs", "solver"};

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
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, '*');) {
    if (!part.empty() && part.find_first_not_of("0123456789") == std::string::npos) {
      term.coefficient *= Integer(part);
      continue;
    }
    const auto power = part.find('^');
    const auto name = std::find(names.begin(), names.end(), part.substr(0, power));
    const int exponent = power == std::string::npos ? 1 : std::atoi(part.c_str() + power + 1);
    if (name == names.end() || exponent < 1 || exponent > 255) {
      throw InputError("'" + abbreviate(text) + "' is not a product of probabilities");
    }
    term.exponents[static_cast<std::size_t>(name - names.begin())] =
        static_cast<std::uint8_t>(exponent);
  }
  return term;
}

Json conditions_json(const AllPairs& family, const Factors& factors,
                     const std::vector<Condition>& conditions) {
  Json list = Json::array();
  for (const Condition& condition : conditions) {
    list.push_back(condition_text(family, factors, condition));
  }
  return list;
}

std::vector<Condition> read_conditions(const AllPairs& family, Factors& factors, const Json& list) {
  std::vector<Condition> conditions;
  for (const auto& text : list) {
    conditions.push_back(parse_condition(family, factors, text.get<std::string>()));
  }
  return conditions;
}

Theorem read_theorem(const Json& object) {
  const auto contexts = object.at("models") == "iid" ? Contexts::iid : Contexts::tree;
  Theorem theorem{
      make_verifier(object.at("verifier").get<std::string>()), TheoremProperty::lossless,
      std::nullopt,
      AllPairs(contexts, object.at("vocabulary").get<Token>(), object.at("gamma").get<int>())};
  read_property(object.at("property").get<std::string>(), theorem);
  check_provable(theorem);
  return theorem;
}

ProofState read_state(const Json& object, const AllPairs& family, Factors& factors) {
  ProofState state;
  for (const auto& cell : object.at("cells")) {
    state.cells.push_back({read_conditions(family, factors, cell.at("conditions")), {}});
    if (cell.at("sample").is_null()) continue;
    for (const auto& share : cell.at("sample")) {
      state.cells.back().sample.push_back(parse_rational(share.get<std::string>()));
    }
    if (state.cells.back().sample.size() != family.parameters()) {
      throw InputError("a sample must have one number per probability");
    }
  }
  for (const auto& list : object.at("pending")) {
    state.pending.push_back(read_conditions(family, factors, list));
  }
  for (const auto& list : object.at("undecided")) {
    state.undecided.push_back(read_conditions(family, factors, list));
  }
  for (std::size_t i = 0; i < kBases; ++i) {
    state.by_basis[i] = object.at("by").at(std::string(kBasisNames[i])).get<std::uint64_t>();
  }
  state.queries = object.at("queries").get<std::uint64_t>();
  return state;
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
  for (const auto& [signs, relation] : kRelations) {
    if (signs == condition.signs) return fmt::format("{} {} 0", text, relation);
  }
  throw std::logic_error("a condition without a relation");
}

Condition parse_condition(const AllPairs& family, Factors& factors, const std::string& text) {
  const auto names = names_of(family);
  std::istringstream words(text);
  Polynomial::Terms terms;
  bool minus = false;
  for (std::string word; words >> word;) {
    for (const auto& [signs, relation] : kRelations) {
      if (word != relation) continue;
      Polynomial polynomial(std::move(terms));
      if (polynomial.is_zero() || polynomial.content() != 1) {
        throw InputError("'" + abbreviate(text) + "' is not a condition in lowest terms");
      }
      return {factors.enter(polynomial), signs};
    }
    if (word == "+" || word == "-") {
      minus = word == "-";
      continue;
    }
    terms.push_back(parse_term(word, names));
    if (minus) terms.back().coefficient = -terms.back().coefficient;
    minus = false;
  }
  throw InputError("'" + abbreviate(text) + "' is not a condition such as 2*draft[0] - 1 >= 0");
}

std::string certificate_text(const Prover& prover) {
  return certificate_text(prover, prover.state());
}

std::string certificate_text(const Prover& prover, const ProofState& state) {
  const Theorem& theorem = prover.theorem();
  const AllPairs& family = theorem.family;
  const Factors& factors = prover.functions().factors();
  Json parameters = Json::array();
  for (const std::string& name : names_of(family)) parameters.push_back(name);
  Json cells = Json::array();
  for (const Cell& cell : state.cells) {
    Json sample = Json::array();
    for (const Rational& share : cell.sample) sample.push_back(to_text(share));
    cells.push_back({{"conditions", conditions_json(family, factors, cell.conditions)},
                     {"sample", cell.sample.empty() ? Json(nullptr) : std::move(sample)}});
  }
  const auto lists = [&](const std::vector<std::vector<Condition>>& all) {
    Json result = Json::array();
    for (const auto& list : all) result.push_back(conditions_json(family, factors, list));
    return result;
  };
  Json by = Json::object();
  for (std::size_t i = 0; i < kBases; ++i) by[std::string(kBasisNames[i])] = state.by_basis[i];
  const Json document{{"schema", 2},
                      {"verifier", theorem.verifier.name},
                      {"vocabulary", family.vocabulary()},
                      {"gamma", family.gamma()},
                      {"models", contexts_name(family.contexts())},
                      {"property", theorem.property_text()},
                      {"ordered", prover.ordered()},
                      {"parameters", std::move(parameters)},
                      {"cells", std::move(cells)},
                      {"pending", lists(state.pending)},
                      {"undecided", lists(state.undecided)},
                      {"by", std::move(by)},
                      {"queries", state.queries}};
  return json_text(document);
}

ProofCertificate read_certificate(const std::string& text, const std::string& where) {
  const Json object = parse_json(text, where);
  try {
    Theorem theorem = read_theorem(object);
    auto functions = std::make_unique<Functions>(theorem.family.parameters(), 1);
    static_cast<void>(
        theorem.family.domain(functions->factors()));  // the first factors of the table
    ProofState state = read_state(object, theorem.family, functions->factors());
    const bool ordered = object.at("ordered").get<bool>();
    return {std::move(theorem), ordered, std::move(state), std::move(functions)};
  } catch (const JsonError&) {
    throw InputError(where +
                     ": is not a certificate of a proof; one is written by the command that " +
                     "proves");
  } catch (const InputError& error) {
    throw InputError(where + ": " + error.what());
  }
}

ProofState state_for(Prover& prover, const ProofCertificate& certificate) {
  const Factors& from = certificate.functions->factors();
  Factors& to = prover.functions().factors();
  ProofState state = certificate.state;
  const auto renumber = [&](std::vector<Condition>& conditions) {
    for (Condition& condition : conditions) condition.factor = to.enter(from[condition.factor]);
  };
  for (Cell& cell : state.cells) renumber(cell.conditions);
  for (auto& conditions : state.pending) renumber(conditions);
  for (auto& conditions : state.undecided) renumber(conditions);
  return state;
}

void resume(Prover& prover, const ProofCertificate& certificate) {
  prover.resume(state_for(prover, certificate));
}

CertificateCheck check_certificate(ProofCertificate& certificate) {
  const Theorem& theorem = certificate.theorem;
  Functions& functions = *certificate.functions;
  std::vector<Condition> always = theorem.family.domain(functions.factors());
  if (certificate.ordered) {
    const auto order = theorem.family.ordered(functions.factors());
    always.insert(always.end(), order.begin(), order.end());
  }
  std::mt19937_64 engine(1);
  CertificateCheck result;
  for (const Cell& cell : certificate.state.cells) {
    check_interrupted();
    const auto fail = [&](const std::string& reason) {
      result.fault = fmt::format("cell {}: {}", result.cells + 1, reason);
      return result;
    };
    std::vector<Condition> known = always;
    known.insert(known.end(), cell.conditions.begin(), cell.conditions.end());
    Sample sample{cell.sample};
    if (cell.sample.empty()) {
      ++result.without_sample;
      sample.point.resize(theorem.family.parameters());
      sample.signs = [](Factor) { return kAnySign; };
    } else if (!meets(known, functions.factors(), cell.sample)) {
      return fail("the sample does not meet its conditions");
    }
    CellRun run(functions, sample, known);
    const CurrentRun current(run);
    bool by_solver = false;
    try {
      const std::vector<Goal> goals = goals_of(theorem);
      Judge judge(theorem, run, always, cell.conditions, engine);
      for (const Goal& goal : goals) {
        Basis basis = Basis::field;
        const Truth truth = judge.check(goal, basis);
        if (truth == Truth::no) return fail(goal.what + " is wrong at the sample");
        by_solver = by_solver || truth == Truth::unknown;
      }
    } catch (const DividedByZero&) {
      return fail("the verifier divides by 0 at the sample");
    } catch (const NoSign&) {
      return fail("its conditions do not decide every comparison");
    }
    if (!run.records().empty()) {
      return fail("its conditions do not decide the comparison of " +
                  condition_text(theorem.family, functions.factors(), run.records().front().taken));
    }
    ++result.cells;
    result.by_solver += by_solver ? 1 : 0;
  }
  if (result.by_solver > certificate.state.by_basis[static_cast<std::size_t>(Basis::solver)]) {
    result.fault = "more cells need the solver than the certificate declares";
  }
  return result;
}

}  // namespace speclab
