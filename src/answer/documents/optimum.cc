#include "answer/documents/optimum.h"

#include <fmt/format.h>

#include "document/number.h"

namespace speclab {
namespace {

/// A number, with its fraction unless it was found in doubles.
Json number_json(const Rational& value, bool exact = true) {
  return exact_json(to_double(value), exact ? std::optional(value) : std::nullopt);
}

std::string number_words(const Rational& value, bool exact) {
  return number_text(to_double(value), exact ? std::optional(value) : std::nullopt,
                     2 * kLongestInline);
}

std::string arithmetic_of(const Optimum& optimum) {
  return std::string(optimum.request.exact ? arithmetic_name<Rational>()
                                           : arithmetic_name<double>());
}

std::string drafts_text(const std::vector<Prefix>& drafts) {
  std::string text;
  for (const Prefix& draft : drafts) text += (text.empty() ? "" : " ") + prefix_text(draft);
  return text;
}

/// Whether the optimum is one number, and not two that it lies between.
bool is_known(const Optimum& optimum) { return !optimum.request.exact || optimum.certified; }

/// One price of a certificate, or what bounds a block of it.
struct PriceLine {
  const char* kind;  ///< "inherited", "ceiling", "share", "weight", "claims"
  int block = 0;     ///< 0: of no block
  const Prefix* prefix = nullptr;
  const Rational& value;
};

/// Calls `see` for every number of a certificate, in order.
template <class See>
void each_price(const AcceptanceProof& proof, const See& see) {
  const auto prices = [&](const char* kind, int block, const std::map<Prefix, Rational>& all) {
    for (const auto& [prefix, price] : all) see(PriceLine{kind, block, &prefix, price});
  };
  prices("inherited", 0, proof.inherited);
  prices("ceiling", 0, proof.ceiling);
  int number = 0;
  for (const AcceptanceProof::Block& block : proof.blocks) {
    see(PriceLine{"share", ++number, nullptr, block.share});
    see(PriceLine{"weight", number, nullptr, block.weight});
    prices("claims", number, block.claims);
  }
}

/// "2 (0,1)": of what a price is.
std::string price_index(const PriceLine& line) {
  std::string index = line.block > 0 ? std::to_string(line.block) : "";
  if (line.prefix != nullptr) index += (index.empty() ? "" : " ") + prefix_text(*line.prefix);
  return index;
}

Json prices_json(const std::map<Prefix, Rational>& prices) {
  return json_of(prices, [](const auto& price) -> Json {
    return {{"prefix", price.first}, {"price", number_json(price.second)}};
  });
}

Json proof_json(const AcceptanceProof& proof) {
  const auto block_json = [](const AcceptanceProof::Block& block) -> Json {
    return {{"share", number_json(block.share)},
            {"weight", number_json(block.weight)},
            {"claims", prices_json(block.claims)}};
  };
  return {{"inherited", prices_json(proof.inherited)},
          {"ceiling", prices_json(proof.ceiling)},
          {"blocks", json_of(proof.blocks, block_json)}};
}

Json plan_json(const AcceptancePlan& plan) {
  const auto choice_json = [](const AcceptancePlan::Choice& choice) -> Json {
    return {{"drafts", choice.drafts},
            {"accepted", choice.accepted},
            {"probability", number_json(choice.probability)}};
  };
  const auto correction_json = [](const auto& correction) -> Json {
    const auto mass_json = [](const Rational& mass) { return number_json(mass); };
    return {{"after", correction.first}, {"law", json_of(correction.second, mass_json)}};
  };
  return {{"choices", json_of(plan.choices, choice_json)},
          {"corrections", json_of(plan.corrections, correction_json)}};
}

Json optimum_json(const PairOptimum& of) {
  const Optimum& optimum = of.optimum;
  const bool exact = optimum.request.exact;
  const AcceptanceProblem& problem = optimum.request.problem;
  const auto start_json = [&](const StartOptimum& start) {
    Json datum{{"state", start.start.state},
               {"probability", number_json(start.start.probability)},
               {"at_least", number_json(start.worth, exact)}};
    if (of.certificate && start.proof) datum["certificate"] = proof_json(*start.proof);
    if (of.plan && start.plan) datum["plan"] = plan_json(*start.plan);
    return datum;
  };
  return {{"pair", of.pair->name()},
          {"gamma", problem.gamma},
          {"drafts", problem.drafts},
          {"class", class_name(problem.verifiers)},
          {"arithmetic", arithmetic_of(optimum)},
          {"optimum", is_known(optimum) ? number_json(optimum.worth, exact) : Json()},
          {"at_least", number_json(optimum.worth, exact)},
          {"at_most", exact ? number_json(optimum.bound) : Json()},
          {"certified", optimum.certified},
          {"program",
           {{"prefixes", optimum.size.prefixes},
            {"rows", optimum.size.rows},
            {"columns", optimum.size.columns},
            {"blocks", optimum.size.blocks},
            {"rounds", optimum.size.rounds},
            {"seconds", optimum.seconds}}},
          {"starts", json_of(optimum.starts, start_json)},
          {"notes", optimum.notes}};
}

/// A row a number.
void add_numbers(const PairOptimum& of, const AddRow& add_row) {
  const Optimum& optimum = of.optimum;
  const AcceptanceProblem& problem = optimum.request.problem;
  const auto add = [&](const std::string& quantity, const std::string& index, const Rational& value,
                       bool exact = true) {
    add_row({of.pair->name(), problem.gamma, problem.drafts, class_name(problem.verifiers),
             arithmetic_of(optimum), quantity, index, to_double(value),
             fraction_text(exact ? std::optional(value) : std::nullopt)});
  };
  add(is_known(optimum) ? "optimum" : "at_least", "", optimum.worth, optimum.request.exact);
  if (!is_known(optimum)) add("at_most", "", optimum.bound);
  add("certified", "", Rational(optimum.certified ? 1 : 0));
  const ProgramSize& size = optimum.size;
  for (const auto& [name, count] : {std::pair{"prefixes", size.prefixes},
                                    {"rows", size.rows},
                                    {"columns", size.columns},
                                    {"blocks", size.blocks}}) {
    add(fmt::format("program.{}", name), "", Rational(static_cast<long>(count)));
  }
  for (const StartOptimum& start : optimum.starts) {
    const auto at = [&](const std::string& index) {
      return fmt::format("{} {}", start.start.state, index);
    };
    if (of.certificate && start.proof) {
      each_price(*start.proof, [&](const PriceLine& line) {
        add(fmt::format("certificate.{}", line.kind), at(price_index(line)), line.value);
      });
    }
    if (!of.plan || !start.plan) continue;
    for (const AcceptancePlan::Choice& choice : start.plan->choices) {
      add("plan.choice", at(drafts_text(choice.drafts) + " accept " + prefix_text(choice.accepted)),
          choice.probability);
    }
    for (const auto& [after, law] : start.plan->corrections) {
      for (std::size_t x = 0; x < law.size(); ++x) {
        add("plan.correction", at(fmt::format("{} {}", prefix_text(after), x)), law[x]);
      }
    }
  }
}

std::string value_words(const Optimum& optimum) {
  if (is_known(optimum)) return number_words(optimum.worth, optimum.request.exact);
  return fmt::format("between {} and {}", number_words(optimum.worth, true),
                     number_words(optimum.bound, true));
}

/// What a verifier of the class inherits from the prefix before: acceptance_proof.h.
const char* inheritance(VerifierClass verifiers) {
  switch (verifiers) {
    case VerifierClass::coupling:
      return "sum over x of B(vx) <= B(v)";
    case VerifierClass::plug_and_play:
    case VerifierClass::conditionally_independent:
      return "B(ux) <= t(x|u) B(u), v = ux";
    case VerifierClass::algorithm2:
      return "B(ux) <= min(d, t)(x|u) B(u), v = ux";
  }
  return "";
}

/// A line a bound that every verifier of the class keeps, with the prefix v that it is of.
TextTable proof_table(const AcceptanceProof& proof, VerifierClass verifiers) {
  TextTable table{"lllr", {"certificate", "bound", "v", "price"}, 3};
  std::string tight;
  each_price(proof, [&](const PriceLine& line) {
    const std::string kind = line.kind;
    if (kind == "share") {
      tight = fmt::format("sum of B over cuts, tight at {}", to_text(line.value));
      return;
    }
    const std::string bound = kind == "inherited" ? inheritance(verifiers)
                              : kind == "ceiling" ? "B(v) <= T(v)"
                              : kind == "weight"  ? tight
                                                  : "share in the cuts";
    table.add({line.block > 0 ? fmt::format("block {}", line.block) : kind, bound,
               line.prefix != nullptr ? prefix_text(*line.prefix) : "",
               number_words(line.value, true)});
  });
  return table;
}

void add_plan(Page& page, const AcceptancePlan& plan) {
  TextTable choices{"llr", {"drafts", "accepted", "probability"}};
  for (const AcceptancePlan::Choice& choice : plan.choices) {
    choices.add({drafts_text(choice.drafts), prefix_text(choice.accepted),
                 number_words(choice.probability, true)});
  }
  TextTable corrections{"ll", {"after", "law of the correction"}};
  for (const auto& [after, law] : plan.corrections) {
    std::vector<std::string> masses;
    for (const Rational& mass : law) masses.push_back(to_text(mass));
    corrections.add({prefix_text(after), fmt::format("({})", fmt::join(masses, ", "))});
  }
  page += std::move(choices);
  page += std::move(corrections);
}

void add_optimum(Page& page, const PairOptimum& of) {
  const Optimum& optimum = of.optimum;
  const AcceptanceProblem& problem = optimum.request.problem;
  page += fmt::format(
      "{}\n{}, gamma {}, {} draft{}\n  largest E[accepted]  {}\n"
      "  certified            {}\n"
      "  program              {} prefixes, {} rows, {} columns, {} blocks of cuts\n"
      "  time                 {:.3g} s\n",
      of.pair->name(), class_name(problem.verifiers), problem.gamma, problem.drafts,
      problem.drafts == 1 ? "" : "s", value_words(optimum), optimum.certified ? "yes" : "no",
      optimum.size.prefixes, optimum.size.rows, optimum.size.columns, optimum.size.blocks,
      optimum.seconds);
  for (const std::string& note : optimum.notes) page += "  note: " + note + "\n";
  for (const StartOptimum& start : optimum.starts) {
    const bool proof = of.certificate && start.proof;
    const bool plan = of.plan && start.plan;
    if (optimum.starts.size() > 1 && (proof || plan)) {
      page += fmt::format("  from state {}, probability {}: {}\n", start.start.state,
                          to_text(start.start.probability), number_words(start.worth, true));
    }
    if (proof) {
      page += proof_table(*start.proof, problem.verifiers);
      page +=
          "  B(v): the probability that the accepted tokens begin with v; T: the target's. The "
          "prices add the bounds up to one of E[accepted].\n";
    }
    if (plan) add_plan(page, *start.plan);
  }
}

/// A row an optimum.
Page optima_markdown(const std::vector<PairOptimum>& optima) {
  TextTable table{"clllll", {"pair", "class", "gamma", "drafts", "optimum", "certified"}};
  for (const PairOptimum& of : optima) {
    const AcceptanceProblem& problem = of.optimum.request.problem;
    table.add({of.pair->name(), class_name(problem.verifiers), problem.gamma, problem.drafts,
               value_words(of.optimum), of.optimum.certified ? "yes" : "no"});
  }
  return Page() += std::move(table);
}

void add_iterations(const PairIterations& of, bool certificate, const AddRow& add_row) {
  const auto add = [&](int iterations, const std::string& state, const std::string& quantity,
                       const std::string& index, const Rational& value) {
    add_row({of.pair->name(), of.gamma, of.drafts, iterations, state, quantity, index,
             to_double(value), fraction_text(value)});
  };
  int iterations = 0;
  for (const Rational& tokens : of.optimum.tokens) add(++iterations, "", "tokens", "", tokens);
  if (!certificate) return;
  for (const auto& [at, step] : of.optimum.steps) {
    const int left = at.first;
    const std::string state = std::to_string(at.second);
    add(left, state, "tokens", "", step.tokens);
    each_price(step.proof, [&, left](const PriceLine& line) {
      add(left, state, line.kind, price_index(line), line.value);
    });
  }
}

}  // namespace

Document optima_document(const std::vector<PairOptimum>& optima) {
  Document document = document_of(
      {"pair", "gamma", "drafts", "class", "arithmetic", "quantity", "index", "value", "exact"},
      optima, add_numbers, optimum_json, add_optimum);
  document.page = [&optima] { return optima_markdown(optima); };
  return document;
}

Document iterations_document(const std::vector<PairIterations>& optima, bool certificate) {
  return {.name = "iterations",
          .columns = {"pair", "gamma", "drafts", "iterations", "state", "quantity", "index",
                      "value", "exact"},
          .rows = [&optima, certificate](const AddRow& add) {
            for (const PairIterations& of : optima) add_iterations(of, certificate, add);
          }};
}

}  // namespace speclab
