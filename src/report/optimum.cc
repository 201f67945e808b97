#include "report/optimum.h"

#include <fmt/format.h>

#include "base/json.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/listing.h"
#include "report/number.h"
#include "report/page.h"
#include "report/text_table.h"

namespace speclab {
namespace {

/// A number, exact unless it was found in doubles.
std::string fraction_of(const Rational& value, bool exact) {
  return exact ? fraction_text(value).value_or("") : "";
}

Json number_json(const Rational& value, bool exact) {
  const std::string text = fraction_of(value, exact);
  return {{"value", to_double(value)}, {"exact", text.empty() ? Json(nullptr) : Json(text)}};
}

/// "11/9 = 1.222222", "2", "1.222222".
std::string number_words(const Rational& value, bool exact) {
  const std::string decimal = readable(to_double(value));
  const std::string text = fraction_of(value, exact);
  if (text.empty() || text.size() > 2 * kLongestInline) return decimal;
  return text.find('/') == std::string::npos ? text : text + " = " + decimal;
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

// --- JSON

Json prices_json(const std::map<Prefix, Rational>& prices) {
  Json list = Json::array();
  for (const auto& [prefix, price] : prices) {
    list.push_back({{"prefix", prefix}, {"price", number_json(price, true)}});
  }
  return list;
}

Json proof_json(const AcceptanceProof& proof) {
  Json blocks = Json::array();
  for (const AcceptanceProof::Block& block : proof.blocks) {
    blocks.push_back({{"share", number_json(block.share, true)},
                      {"weight", number_json(block.weight, true)},
                      {"claims", prices_json(block.claims)}});
  }
  return {{"inherited", prices_json(proof.inherited)},
          {"ceiling", prices_json(proof.ceiling)},
          {"blocks", blocks}};
}

Json plan_json(const AcceptancePlan& plan) {
  Json choices = Json::array();
  for (const AcceptancePlan::Choice& choice : plan.choices) {
    choices.push_back({{"drafts", choice.drafts},
                       {"accepted", choice.accepted},
                       {"probability", number_json(choice.probability, true)}});
  }
  Json corrections = Json::array();
  for (const auto& [after, law] : plan.corrections) {
    Json masses = Json::array();
    for (const Rational& mass : law) masses.push_back(number_json(mass, true));
    corrections.push_back({{"after", after}, {"law", masses}});
  }
  return {{"choices", choices}, {"corrections", corrections}};
}

Json optimum_json(const PairOptimum& of) {
  const Optimum& optimum = of.optimum;
  const bool exact = optimum.request.exact;
  const AcceptanceProblem& problem = optimum.request.problem;
  Json starts = Json::array();
  for (const StartOptimum& start : optimum.starts) {
    Json json{{"state", start.start.state},
              {"probability", number_json(start.start.probability, true)},
              {"at_least", number_json(start.worth, exact)}};
    if (of.certificate && start.proof) json["certificate"] = proof_json(*start.proof);
    if (of.plan && start.plan) json["plan"] = plan_json(*start.plan);
    starts.push_back(std::move(json));
  }
  const bool known = !exact || optimum.certified;
  return {{"pair", of.pair->name()},
          {"gamma", problem.gamma},
          {"drafts", problem.drafts},
          {"class", class_name(problem.verifiers)},
          {"arithmetic", arithmetic_of(optimum)},
          {"optimum", known ? number_json(optimum.worth, exact) : Json(nullptr)},
          {"at_least", number_json(optimum.worth, exact)},
          {"at_most", exact ? number_json(optimum.bound, exact) : Json(nullptr)},
          {"certified", optimum.certified},
          {"program",
           {{"prefixes", optimum.size.prefixes},
            {"rows", optimum.size.rows},
            {"columns", optimum.size.columns},
            {"blocks", optimum.size.blocks},
            {"rounds", optimum.size.rounds},
            {"seconds", optimum.seconds}}},
          {"starts", starts},
          {"notes", optimum.notes}};
}

// --- CSV

class Lines {
 public:
  explicit Lines(const PairOptimum& of)
      : optimum_(of.optimum),
        place_{of.pair->name(), std::to_string(optimum_.request.problem.gamma),
               std::to_string(optimum_.request.problem.drafts),
               std::string(class_name(optimum_.request.problem.verifiers)),
               arithmetic_of(optimum_)} {}

  void add(const std::string& quantity, const std::string& index, const Rational& value,
           bool exact) {
    std::vector<std::string> fields = place_;
    fields.insert(fields.end(),
                  {quantity, index, shortest(to_double(value)), fraction_of(value, exact)});
    text_ += csv_line(fields);
  }

  std::string text(const PairOptimum& of) {
    const bool exact = optimum_.request.exact;
    if (!exact || optimum_.certified) {
      add("optimum", "", optimum_.worth, exact);
    } else {
      add("at_least", "", optimum_.worth, exact);
      add("at_most", "", optimum_.bound, exact);
    }
    add("certified", "", Rational(optimum_.certified ? 1 : 0), true);
    const ProgramSize& size = optimum_.size;
    for (const auto& [name, count] : {std::pair{"prefixes", size.prefixes},
                                      {"rows", size.rows},
                                      {"columns", size.columns},
                                      {"blocks", size.blocks}}) {
      add(fmt::format("program.{}", name), "", Rational(static_cast<long>(count)), true);
    }
    for (const StartOptimum& start : optimum_.starts) {
      if (of.certificate && start.proof) proof(start);
      if (of.plan && start.plan) plan(start);
    }
    return std::move(text_);
  }

 private:
  static std::string at(const StartOptimum& start, const std::string& index) {
    return fmt::format("{} {}", start.start.state, index);
  }

  void prices(const char* what, const StartOptimum& start, const std::string& before,
              const std::map<Prefix, Rational>& prices) {
    for (const auto& [prefix, price] : prices) {
      add(fmt::format("certificate.{}", what), at(start, before + prefix_text(prefix)), price,
          true);
    }
  }

  void proof(const StartOptimum& start) {
    prices("inherited", start, "", start.proof->inherited);
    prices("ceiling", start, "", start.proof->ceiling);
    int number = 0;
    for (const AcceptanceProof::Block& block : start.proof->blocks) {
      const std::string name = std::to_string(++number);
      add("certificate.share", at(start, name), block.share, true);
      add("certificate.weight", at(start, name), block.weight, true);
      prices("claims", start, name + " ", block.claims);
    }
  }

  void plan(const StartOptimum& start) {
    for (const AcceptancePlan::Choice& choice : start.plan->choices) {
      add("plan.choice",
          at(start, drafts_text(choice.drafts) + " accept " + prefix_text(choice.accepted)),
          choice.probability, true);
    }
    for (const auto& [after, law] : start.plan->corrections) {
      for (std::size_t x = 0; x < law.size(); ++x) {
        add("plan.correction", at(start, fmt::format("{} {}", prefix_text(after), x)), law[x],
            true);
      }
    }
  }

  const Optimum& optimum_;
  std::vector<std::string> place_;
  std::string text_;
};

// --- Tables

std::string value_words(const Optimum& optimum) {
  const bool exact = optimum.request.exact;
  if (!exact || optimum.certified) return number_words(optimum.worth, exact);
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
std::string proof_text(const AcceptanceProof& proof, VerifierClass verifiers) {
  TextTable table("lllr", 3);
  table.head({"certificate", "bound", "v", "price"});
  const auto add = [&](const char* what, const std::string& bound,
                       const std::map<Prefix, Rational>& prices) {
    for (const auto& [prefix, price] : prices) {
      table.add({what, bound, prefix_text(prefix), number_words(price, true)});
    }
  };
  add("inherited", inheritance(verifiers), proof.inherited);
  add("ceiling", "B(v) <= T(v)", proof.ceiling);
  int number = 0;
  for (const AcceptanceProof::Block& block : proof.blocks) {
    const std::string name = fmt::format("block {}", ++number);
    table.add({name, fmt::format("sum of B over cuts, tight at {}", to_text(block.share)), "",
               number_words(block.weight, true)});
    add(name.c_str(), "share in the cuts", block.claims);
  }
  return table.text("  ") +
         "  B(v): the probability that the accepted tokens begin with v; T: the target's. The "
         "prices add the bounds up to one of E[accepted].\n";
}

std::string plan_text(const AcceptancePlan& plan) {
  TextTable choices("llr");
  choices.head({"drafts", "accepted", "probability"});
  for (const AcceptancePlan::Choice& choice : plan.choices) {
    choices.add({drafts_text(choice.drafts), prefix_text(choice.accepted),
                 number_words(choice.probability, true)});
  }
  TextTable corrections("ll");
  corrections.head({"after", "law of the correction"});
  for (const auto& [after, law] : plan.corrections) {
    std::vector<std::string> masses;
    for (const Rational& mass : law) masses.push_back(to_text(mass));
    corrections.add({prefix_text(after), fmt::format("({})", fmt::join(masses, ", "))});
  }
  return choices.text("  ") + corrections.text("  ");
}

std::string block_text(const PairOptimum& of) {
  const Optimum& optimum = of.optimum;
  const AcceptanceProblem& problem = optimum.request.problem;
  std::string text =
      fmt::format("{}\n{}, gamma {}, {} draft{}\n  largest E[accepted]  {}\n", of.pair->name(),
                  class_name(problem.verifiers), problem.gamma, problem.drafts,
                  problem.drafts == 1 ? "" : "s", value_words(optimum));
  text += fmt::format("  certified            {}\n", optimum.certified ? "yes" : "no");
  text += fmt::format(
      "  program              {} prefixes, {} rows, {} columns, {} blocks of cuts\n"
      "  time                 {:.3g} s\n",
      optimum.size.prefixes, optimum.size.rows, optimum.size.columns, optimum.size.blocks,
      optimum.seconds);
  for (const std::string& note : optimum.notes) text += "  note: " + note + "\n";
  for (const StartOptimum& start : optimum.starts) {
    const bool proof = of.certificate && start.proof;
    const bool plan = of.plan && start.plan;
    if (optimum.starts.size() > 1 && (proof || plan)) {
      text += fmt::format("  from state {}, probability {}: {}\n", start.start.state,
                          to_text(start.start.probability), number_words(start.worth, true));
    }
    if (proof) text += proof_text(*start.proof, problem.verifiers);
    if (plan) text += plan_text(*start.plan);
  }
  return text;
}

std::string markdown(std::span<const PairOptimum> optima) {
  Listing listing{"optima", {"pair", "class", "gamma", "drafts", "optimum", "certified"}, {}};
  for (const PairOptimum& of : optima) {
    const AcceptanceProblem& problem = of.optimum.request.problem;
    listing.rows.push_back({of.pair->name(), std::string(class_name(problem.verifiers)),
                            std::to_string(problem.gamma), std::to_string(problem.drafts),
                            value_words(of.optimum), of.optimum.certified ? "yes" : "no"});
  }
  return render(listing, Format::markdown);
}

}  // namespace

std::string optima_text(std::span<const PairOptimum> optima, Format format) {
  std::string text;
  switch (format) {
    case Format::json: {
      Json root{{"schema", kSchema}, {"results", Json::array()}};
      for (const PairOptimum& of : optima) root["results"].push_back(optimum_json(of));
      return json_text(root);
    }
    case Format::csv:
      text = "pair,gamma,drafts,class,arithmetic,quantity,index,value,exact\n";
      for (const PairOptimum& of : optima) text += Lines(of).text(of);
      return text;
    case Format::markdown:
      return markdown(optima);
    case Format::table:
      break;
  }
  for (const PairOptimum& of : optima) text += (text.empty() ? "" : "\n") + block_text(of);
  return folded(text);
}

}  // namespace speclab
