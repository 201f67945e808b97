#include "questions.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answer/advice.h"
#include "answer/documents/advice.h"
#include "answer/documents/optimum.h"
#include "answer/documents/proof.h"
#include "answer/documents/score.h"
#include "answer/optima.h"
#include "answer/proofs.h"
#include "base/error.h"
#include "claims/document.h"
#include "claims/rule/rule_document.h"
#include "long_run.h"
#include "model/lengths.h"
#include "report/output.h"
#include "report/report.h"

namespace py = pybind11;

namespace speclab::python {
namespace {

using Pairs = std::vector<std::shared_ptr<Pair>>;

/// What was found, in text.
struct Report {
  std::string json, table;
};

Report report_of(const Document& document) {
  return {render(document, Format::json), render(document, Format::table)};
}

VerifierClass read_class(const std::string& name) {
  std::string known;
  for (const VerifierClass one : kVerifierClasses) {
    if (name == class_name(one)) return one;
    known += (known.empty() ? "" : ", ") + std::string(class_name(one));
  }
  throw InputError("'" + name + "' is no class of verifiers; give one of " + known);
}

Report optimum(const Pairs& pairs, const std::vector<int>& gammas, const std::vector<int>& drafts,
               const std::string& of_class, bool rational, bool certificate, bool plan) {
  const VerifierClass verifiers = read_class(of_class);
  return long_run([&] {
    Bench bench;
    std::vector<PairOptimum> optima;
    for (const auto& pair : pairs) {
      for (const int gamma : gammas) {
        for (const int count : drafts) {
          const OptimumRequest request{{verifiers, gamma, count}, rational, plan};
          optima.push_back(
              {pair, find_optimum(*bench.rationals(pair), request), certificate, plan});
        }
      }
    }
    return report_of(optima_document(optima));
  });
}

Report advise_on(const Pairs& pairs, const std::vector<std::string>& verifiers,
                 const std::vector<int>& gammas, const std::string& latency,
                 const std::vector<int>& batches, int horizon, std::uint64_t trials,
                 std::uint64_t seed, int threads) {
  AdviceRequest request;
  request.costs = read_costs(latency);
  request.loads = usual_loads(request.costs, batches);
  request.most_trials = trials;
  request.seed = seed;
  request.threads = threads;
  return long_run([&] {
    Bench bench;
    std::vector<PairAdvice> all;
    for (const auto& pair : pairs) {
      request.questions.clear();
      const int longest = pair->length().value_or(horizon);
      const Lengths lengths{1, std::min(horizon, longest), 0};
      for (const std::string& text : verifiers) {
        Question question{pair, make_verifier(text), lengths, false, Arithmetic::floating};
        for (const int gamma : gammas) {
          question.lengths.gamma = gamma;
          request.questions.push_back(question);
          if (question.verifier.info->drafting == Drafting::none) break;
        }
      }
      all.push_back({pair, lengths.horizon, latency, advise(bench, request)});
    }
    return report_of(advice_document(all));
  });
}

Report prove_for_all(const std::string& verifier, int vocabulary, std::optional<int> gamma,
                     bool tree, const std::string& property, double seconds, int threads) {
  return long_run([&] {
    const Contexts contexts = !gamma ? Contexts::step : tree ? Contexts::tree : Contexts::iid;
    Prover prover(theorem_of({make_verifier(verifier), property, contexts, vocabulary,
                              gamma.value_or(AllPairs::kStepGamma)}),
                  {});
    if (explore(prover, {.seconds = seconds, .threads = threads}) == ProofEnd::interrupted)
      check_interrupted();
    return report_of(proof_document(report_on(prover)));
  });
}

/// @param on  claims are checked on this pair alone, where it is given
Report verify_claims(const std::vector<std::string>& ids, int effort, std::uint64_t seed,
                     int threads, const std::shared_ptr<Pair>& on) {
  ClaimContext context{seed, static_cast<Effort>(effort), threads};
  const auto rows = select_claims(ids);
  return long_run([&] {
    if (on) {
      std::vector<OwnPairOutcome> outcomes;
      for (const ClaimRow* row : rows) {
        check_interrupted();
        outcomes.push_back(check_on_pair(*row, on, context));
      }
      return report_of(own_pair_document(on, outcomes));
    }
    VerdictReport report;
    report.claims = run_claims(rows, context);
    check_interrupted();
    return report_of(verdict_document(report));
  });
}

/// @param gammas  ascending; those that the texts do not answer for are left out
Report score_files(const std::vector<std::string>& files, const std::vector<std::string>& verifiers,
                   std::vector<int> gammas, const std::string& by, bool drawn, int threads) {
  if (gammas.empty()) throw InputError("gamma is empty; give draft lengths");
  if (gammas.back() > kMostScored) {
    throw InputError(fmt::format("gamma of score is 1 to {}, not {}", kMostScored, gammas.back()));
  }
  ScoredQuestion asked{scored_verifiers(verifiers), std::move(gammas)};
  ScoreRequest request;
  for (const Verifier& verifier : asked.verifiers) {
    request.verifiers.push_back(*text_verifier(verifier));
  }
  request.fields = {by, false};
  request.drawn = drawn;
  request.threads = threads;
  return long_run([&] {
    ScoreReport report;
    report.by = by;
    report.drawn = drawn;
    report.pair = scored_pair(files);
    report.result = score_texts(files, request);
    std::erase_if(asked.gammas, [&](int gamma) { return gamma > report.result.longest; });
    report.scores = scores_of(report.result, asked);
    report.gains = gains_of(report.result, asked);
    return report_of(score_document(report));
  });
}

/// Rules that were checked, kept so that their commands may be added.
struct CheckedRules {
  std::vector<CheckedRule> rules;

  [[nodiscard]] std::string text(int format) const {
    return render(rules_document(rules), static_cast<Format>(format));
  }
};

CheckedRules check_rules(const std::vector<std::string>& verifiers, const Pairs& pairs,
                         const std::vector<int>& gammas) {
  return long_run([&] {
    CheckedRules checked;
    for (const std::string& verifier : verifiers) {
      RuleRequest request;
      request.verifier = verifier;
      request.pairs.assign(pairs.begin(), pairs.end());
      request.gammas = gammas;
      checked.rules.push_back({check_rule(request), ""});
    }
    return checked;
  });
}

/// The pair, gamma and horizon of each counterexample; None of a lossless rule.
py::list counterexamples(const CheckedRules& checked) {
  py::list all;
  for (const CheckedRule& rule : checked.rules) {
    const auto& found = rule.report.counterexample;
    if (found) {
      all.append(py::make_tuple(found->pair, found->gamma, found->horizon));
    } else {
      all.append(py::none());
    }
  }
  return all;
}

}  // namespace

void bind_questions(py::module_& module) {
  py::class_<Report>(module, "Report")
      .def_readonly("json", &Report::json)
      .def_readonly("table", &Report::table);
  py::class_<CheckedRules>(module, "CheckedRules")
      .def("text", &CheckedRules::text, py::arg("format"))
      .def("counterexamples", &counterexamples)
      .def("declared",
           [](const CheckedRules& checked) {
             std::vector<bool> all;
             for (const CheckedRule& rule : checked.rules)
               all.push_back(rule.report.declared_lossless);
             return all;
           })
      .def("set_command", [](CheckedRules& checked, std::size_t rule, std::string command) {
        checked.rules.at(rule).command = std::move(command);
      });
  module.def("optimum", &optimum);
  module.def("advise", &advise_on);
  module.def("prove", &prove_for_all);
  module.def("verify", &verify_claims);
  module.def("score", &score_files);
  module.def("check_rules", &check_rules);
  module.def("broken_declaration", [](const std::string& verifier) {
    return long_run([&] { return broken_declaration(make_verifier(verifier)); });
  });
  module.def("write", [](const std::optional<std::string>& path, const std::string& text) {
    Output(path).write(text);
  });
}

}  // namespace speclab::python
