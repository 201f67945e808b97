#include "prove/certificate.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "model/families/json_law.h"
#include "prove/algebra_limits.h"
#include "prove/condition_text.h"

namespace speclab {
namespace {

/// The version of the format: 2 had the cells' conditions without the tree.
constexpr int kCertificateSchema = 3;

constexpr std::array<std::string_view, kBases> kBasisNames{"identity", "identity_on_equalities",
                                                           "signs", "solver"};

/// Conditions of one certificate as JSON. The paths of a tree repeat them: each is written once,
/// and a list has their places.
class ConditionWriter {
 public:
  ConditionWriter(const AllPairs& family, bool ordered, const Factors& factors, bool queries)
      : family_(family), factors_(factors), queries_(queries) {
    Factors same = factors;  // the conditions of all pairs are its first entries
    always_ = conditions_of_all(family, ordered, same);
  }

  Json list(const Conditions& conditions) {
    Json result = Json::array();
    for (const Condition& condition : conditions) result.push_back(place(condition));
    return result;
  }
  /// With the query whether a pair meets these and the conditions of `branch`.
  void add_query(Json& object, const Conditions& branch) {
    if (queries_) object["query"] = query(branch);
  }
  std::string query(const Conditions& branch) const {
    return smt_query(family_, factors_, family_.with_domain(branch, always_, factors_));
  }
  /// All that were written.
  [[nodiscard]] const Json& texts() const { return texts_; }

 private:
  std::size_t place(const Condition& condition) {
    const auto [known, fresh] = places_.try_emplace(condition, texts_.size());
    if (fresh) texts_.push_back(condition_text(family_, factors_, condition));
    return known->second;
  }

  const AllPairs& family_;
  const Factors& factors_;
  bool queries_;
  Conditions always_;
  std::map<Condition, std::size_t> places_;
  Json texts_ = Json::array();
};

/// Those of `all` at these places.
Conditions read_list(const Json& places, const Conditions& all) {
  Conditions conditions;
  for (const auto& each : places) {
    const auto place = each.get<std::size_t>();
    if (place >= all.size()) {
      throw InputError(fmt::format("it has {} conditions, none at {}", all.size(), place));
    }
    conditions.push_back(all[place]);
  }
  return conditions;
}

Json cell_json(const Cell& cell, ConditionWriter& writer) {
  Json sample = Json::array();
  for (const Rational& share : cell.sample) sample.push_back(to_text(share));
  Json excluded = Json::array();
  for (const Conditions& conditions : cell.excluded) {
    excluded.push_back({{"conditions", writer.list(conditions)}});
    writer.add_query(excluded.back(), joined(cell.path(), conditions));
  }
  return {{"branch", writer.list(cell.branch)},
          {"comparisons", writer.list(cell.taken)},
          {"sample", cell.sample.empty() ? Json(nullptr) : std::move(sample)},
          {"excluded", std::move(excluded)}};
}

Contexts read_contexts(const std::string& text) {
  for (const Contexts contexts : {Contexts::iid, Contexts::tree, Contexts::step}) {
    if (text == contexts_name(contexts)) return contexts;
  }
  throw InputError("the models '" + abbreviate(text) + "' are none of iid, tree and any");
}

Theorem read_theorem(const Json& object) {
  const Contexts contexts = read_contexts(object.at("models").get<std::string>());
  if ((contexts == Contexts::step) != (object.at("gamma") == "all")) {
    throw InputError("the models \"any\" go with the draft length \"all\", and with no other");
  }
  const int gamma =
      contexts == Contexts::step ? AllPairs::kStepGamma : object.at("gamma").get<int>();
  Theorem theorem{make_verifier(object.at("verifier").get<std::string>()),
                  TheoremProperty::lossless, std::nullopt,
                  AllPairs(contexts, object.at("vocabulary").get<Token>(), gamma)};
  read_property(object.at("property").get<std::string>(), theorem);
  check_provable(theorem);
  return theorem;
}

Cell read_split(const Json& object, const Conditions& all) {
  return {read_list(object.at("branch"), all), read_list(object.at("comparisons"), all), {}};
}

Cell read_cell(const Json& object, const AllPairs& family, const Conditions& all) {
  Cell cell = read_split(object, all);
  for (const auto& each : object.at("excluded")) {
    cell.excluded.push_back(read_list(each.at("conditions"), all));
  }
  if (object.at("sample").is_null()) return cell;
  for (const auto& share : object.at("sample")) {
    cell.sample.push_back(parse_rational(share.get<std::string>()));
  }
  if (cell.sample.size() != family.parameters()) {
    throw InputError("a sample must have one number per probability");
  }
  return cell;
}

ProofState read_state(const Json& object, const AllPairs& family, Factors& factors) {
  Conditions all;
  for (const auto& text : object.at("conditions")) {
    all.push_back(parse_condition(family, factors, text.get<std::string>()));
  }
  ProofState state;
  for (const auto& cell : object.at("cells")) state.cells.push_back(read_cell(cell, family, all));
  for (const auto& split : object.at("splits")) state.splits.push_back(read_split(split, all));
  for (const auto& branch : object.at("empty")) {
    state.empty.push_back(read_list(branch.at("branch"), all));
  }
  for (const auto& list : object.at("pending")) state.pending.push_back(read_list(list, all));
  for (const auto& list : object.at("undecided")) state.undecided.push_back(read_list(list, all));
  for (std::size_t i = 0; i < kBases; ++i) {
    state.by_basis[i] = object.at("by").at(std::string(kBasisNames[i])).get<std::uint64_t>();
  }
  state.queries = object.at("queries").get<std::uint64_t>();
  return state;
}

/// The first query of a certificate that is not that of its conditions, or "".
std::string find_wrong_query(const Json& object, const ProofCertificate& read) {
  const ConditionWriter writer(read.theorem.family, read.ordered, read.factors, true);
  const auto wrong = [&](const Json& part, const Conditions& conditions) {
    return part.contains("query") && part.at("query") != writer.query(conditions);
  };
  for (std::size_t i = 0; i < read.state.empty.size(); ++i) {
    if (wrong(object.at("empty").at(i), read.state.empty[i])) {
      return fmt::format("the query of the empty branch {}", i + 1);
    }
  }
  for (std::size_t i = 0; i < read.state.cells.size(); ++i) {
    const Cell& cell = read.state.cells[i];
    for (std::size_t k = 0; k < cell.excluded.size(); ++k) {
      if (wrong(object.at("cells").at(i).at("excluded").at(k),
                joined(cell.path(), cell.excluded[k]))) {
        return fmt::format("a query of cell {}", i + 1);
      }
    }
  }
  return "";
}

}  // namespace

std::string certificate_text(const Prover& prover) {
  return certificate_text(prover, prover.state());
}

std::string certificate_text(const Prover& prover, const ProofState& state, bool queries) {
  const WithoutPolls storing;  // what was found is written after a signal too
  const Theorem& theorem = prover.theorem();
  const AllPairs& family = theorem.family;
  ConditionWriter writer(family, prover.ordered(), prover.factors(), queries);
  Json parameters = Json::array();
  for (std::size_t i = 0; i < family.parameters(); ++i) {
    parameters.push_back(family.parameter_name(i));
  }
  Json cells = Json::array();
  for (const Cell& cell : state.cells) cells.push_back(cell_json(cell, writer));
  Json splits = Json::array();
  for (const Cell& split : state.splits) {
    splits.push_back(
        {{"branch", writer.list(split.branch)}, {"comparisons", writer.list(split.taken)}});
  }
  Json empty = Json::array();
  for (const Conditions& branch : state.empty) {
    empty.push_back({{"branch", writer.list(branch)}});
    writer.add_query(empty.back(), branch);
  }
  const auto lists = [&](const std::vector<Conditions>& all) {
    Json result = Json::array();
    for (const Conditions& list : all) result.push_back(writer.list(list));
    return result;
  };
  Json by = Json::object();
  for (std::size_t i = 0; i < kBases; ++i) by[std::string(kBasisNames[i])] = state.by_basis[i];
  Json pending = lists(state.pending);
  Json undecided = lists(state.undecided);
  const Json document{{"schema", kCertificateSchema},
                      {"verifier", theorem.verifier.name},
                      {"vocabulary", family.vocabulary()},
                      {"gamma", family.every_gamma() ? Json("all") : Json(family.gamma())},
                      {"models", contexts_name(family.contexts())},
                      {"property", theorem.property_text()},
                      {"ordered", prover.ordered()},
                      {"parameters", std::move(parameters)},
                      {"conditions", writer.texts()},
                      {"cells", std::move(cells)},
                      {"splits", std::move(splits)},
                      {"empty", std::move(empty)},
                      {"pending", std::move(pending)},
                      {"undecided", std::move(undecided)},
                      {"by", std::move(by)},
                      {"queries", state.queries}};
  return json_text(document);
}

ProofCertificate read_certificate(const std::string& text, const std::string& where) {
  const Json object = parse_json(text, where, check_algebra);
  try {
    if (object.at("schema") != kCertificateSchema) {
      throw InputError(fmt::format(
          "its format is of version {}, and this build reads {}; prove the theorem again",
          object.at("schema").dump(), kCertificateSchema));
    }
    Theorem theorem = read_theorem(object);
    const bool ordered = object.at("ordered").get<bool>();
    Factors factors;
    conditions_of_all(theorem.family, ordered, factors);  // the first of the table
    ProofState state = read_state(object, theorem.family, factors);
    ProofCertificate read{std::move(theorem), ordered, std::move(state), std::move(factors)};
    read.wrong_query = find_wrong_query(object, read);
    return read;
  } catch (const JsonError&) {
    throw InputError(where +
                     ": is not a certificate of a proof; one is written by the command that " +
                     "proves");
  } catch (const InputError& error) {
    throw InputError(where + ": " + error.what());
  }
}

ProofState state_for(Prover& prover, const ProofCertificate& certificate) {
  ProofState state = certificate.state;
  const auto renumber = [&](Conditions& conditions) {
    conditions = renumbered(conditions, certificate.factors, prover.factors());
  };
  for (std::vector<Cell>* cells : {&state.cells, &state.splits}) {
    for (Cell& cell : *cells) {
      renumber(cell.branch);
      renumber(cell.taken);
      for (Conditions& conditions : cell.excluded) renumber(conditions);
    }
  }
  for (auto* branches : {&state.empty, &state.pending, &state.undecided}) {
    for (Conditions& conditions : *branches) renumber(conditions);
  }
  return state;
}

void resume(Prover& prover, const ProofCertificate& certificate) {
  prover.resume(state_for(prover, certificate));
}

}  // namespace speclab
