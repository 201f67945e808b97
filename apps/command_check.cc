#include <fmt/format.h>

#include <fstream>
#include <utility>

#include "answer/registration.h"
#include "base/text.h"
#include "claims/rule/rule_document.h"
#include "command.h"
#include "model/registry.h"
#include "option_values.h"
#include "print_note.h"
#include "progress.h"
#include "python_program.h"
#include "report/output.h"
#include "report/partial.h"
#include "system/read_file.h"

namespace speclab {
namespace {

/// "rule(file=F)" with the path in the quotes of spec texts.
std::string table_rule(const std::string& path) {
  std::string quoted;
  for (const char c : path) quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return "rule(file=\"" + quoted + "\")";
}

/// The rules that are asked about, as spec texts.
std::vector<std::string> read_rules(const Arguments& arguments) {
  std::vector<std::string> rules = read_each(arguments, "verifier");
  for (const std::string& path : arguments.all("rule-table")) rules.push_back(table_rule(path));
  if (rules.empty() && arguments.has("plugin")) {
    for (const VerifierInfo& row : all_verifier_rows()) {
      if (!plugin_digest(row.name).empty()) rules.emplace_back(row.example);
    }
  }
  if (rules.empty()) {
    throw UsageError(
        "name a rule: --verifier SPEC, --plugin FILE.so, --python FILE.py:NAME or --rule-table "
        "FILE");
  }
  return rules;
}

/// Lengths on the pairs given: finite ones.
std::vector<int> read_check_gammas(const Arguments& arguments) {
  if (!arguments.has("gamma")) return RuleRequest().gammas;
  if (!arguments.has("pair")) {
    throw UsageError("--gamma is of the pairs given; add --pair, or leave it out");
  }
  return read_gammas(arguments, {.unbounded = false});
}

/// The command that prints the law of a counterexample.
std::string counterexample_command(const Arguments& arguments, const RuleReport& report) {
  if (!report.counterexample) return "";
  const RuleCounterexample& found = *report.counterexample;
  std::string text = "speclab exact";
  for (const std::string& file : arguments.all("plugin")) text += " --plugin " + shell_word(file);
  return fmt::format("{} --pair {} --verifier {} --gamma {} --horizon {} --law", text,
                     shell_word(found.pair), shell_word(report.verifier), found.gamma,
                     found.horizon);
}

/// `python3 -m speclab check` with the same options.
[[noreturn]] void check_in_python(const Arguments& arguments) {
  refuse_any(arguments, {"verifier", "rule-table", "plugin"},
             "--python names the rule; leave out --{}");
  const std::string named = *arguments.text("python");
  const auto colon = named.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == named.size()) {
    throw UsageError(fmt::format("--python takes FILE.py:NAME, such as mine.py:my_rule, not '{}'",
                                 abbreviate(named)));
  }
  read_file(named.substr(0, colon));
  read_check_gammas(arguments);
  std::string folder = program_folder() + "/python";
  if (!std::ifstream(folder + "/speclab/__init__.py")) folder.clear();
  const std::string python = find_python({{"speclab._core", "numpy"},
                                          folder,
                                          "check of Python's rules needs",
                                          "the package of speclab, docs/python.md"});
  // Without -P a token.py in the folder of the call would stand for Python's own module.
  std::vector<std::string> words{"-P", "-m", "speclab", "check"};
  for (const char* option : {"python", "pair", "gamma", "expect", "format", "output"}) {
    for (const std::string& value : arguments.all(option)) {
      words.push_back(fmt::format("--{}={}", option, value));
    }
  }
  become_python(python, std::move(words), folder);
}

ExitCode run_check(const Arguments& arguments) {
  enum Expect { lossless, nothing, as_declared };
  const auto expect =
      static_cast<Expect>(read_choice(arguments, "expect", {"lossless", "nothing"}, as_declared));
  const Format format = read_format(arguments);
  const Output output(arguments.text("output"));
  if (arguments.has("python")) check_in_python(arguments);
  RuleRequest request;
  request.gammas = read_check_gammas(arguments);
  const std::vector<std::string> rules = read_rules(arguments);
  for (const std::string& rule : rules) make_verifier(rule);
  for (const std::string& text : read_each(arguments, "pair")) {
    request.pairs.push_back(make_pair(text));
  }
  std::vector<CheckedRule> checked;
  const auto check_all = [&] {
    ProgressBar bar(0, "pairs");
    for (const std::string& rule : rules) {
      request.verifier = rule;
      RuleReport report =
          check_rule(request, [&](std::string_view doing) { bar.show(0, std::string(doing)); });
      std::string command = counterexample_command(arguments, report);
      checked.push_back({std::move(report), std::move(command)});
    }
  };
  write_whole_or_part(output, format, checked, check_all, rules_document);
  bool differs = false;
  for (const CheckedRule& each : checked) {
    const bool wanted =
        expect == lossless || (expect == as_declared && each.report.declared_lossless);
    if (!wanted || each.report.lossless()) continue;
    differs = true;
    print_note(fmt::format("{} is not lossless{}", each.report.verifier,
                           expect == as_declared ? ", as it declares itself" : ""));
  }
  return differs ? ExitCode::verdict_differs : ExitCode::done;
}

}  // namespace

Command check_command() {
  return {"check",
          "a rule of your own: lossless or the smallest counterexample, what is undefined, what it "
          "accepts against other rules and the optimum, and a proof where possible",
          "--verifier SPEC | --plugin FILE.so | --python FILE.py:NAME | --rule-table FILE "
          "[--pair SPEC ...] [options]",
          "",
          {{"verifier", "SPEC", "the rule (speclab list verifiers)", true},
           {"python", "FILE.py:NAME",
            "a function or a speclab.verifier of Python (docs/python.md); needs the package"},
           {"rule-table", "FILE",
            "acceptance probabilities and correction laws, as rule(file=FILE) reads them; they are "
            "made for one pair: add --pair",
            true},
           {"pair", "SPEC",
            "check on this pair as well, and compare what is accepted there (speclab list pairs)",
            true},
           {"gamma", "G", "draft lengths on these pairs (default 1 and 2)", true},
           {"expect", "E",
            "lossless: exit code 1 where the rule is not (the default of a rule that declares "
            "itself so); nothing: exit code 0 whatever is found"},
           kFormatOption,
           output_option()},
          {"speclab check --verifier block",
           "speclab check --verifier 'wrong-greedy-draft' --pair "
           "'iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])' --expect nothing"},
          &run_check};
}

}  // namespace speclab
