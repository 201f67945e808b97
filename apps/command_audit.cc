#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "answer/question.h"
#include "audit/child.h"
#include "audit/document.h"
#include "audit/plan.h"
#include "audit_adequacy.h"
#include "base/rational.h"
#include "base/text.h"
#include "command.h"
#include "model/families/json_law.h"
#include "option_values.h"
#include "print_note.h"
#include "progress.h"
#include "report/output.h"
#include "report/report.h"
#include "system/read_file.h"
#include "system/stopwatch.h"

namespace speclab {
namespace {

constexpr int kMostDrafts = 64;

/// A time above 0 and up to `most`, for which `unit` stands in the message.
std::optional<double> read_time(const Arguments& arguments, std::string_view option,
                                std::string_view unit, int most) {
  const auto time = read_rational(
      arguments, option, fmt::format("{} above 0 and up to {}", unit, most),
      [most](const Rational& value) { return to_double(value) > 0 && value <= most; });
  return time ? std::optional(to_double(*time)) : std::nullopt;
}

std::optional<double> read_minutes(const Arguments& arguments) {
  return read_time(arguments, "minutes", "a number", 10'000);
}

AuditOptions audit_options(const Arguments& arguments) {
  AuditOptions options;
  if (const auto rule = arguments.text("rule"); rule && *rule != options.rule) {
    options.rule = make_verifier(*rule).name;
  }
  options.mode =
      static_cast<AuditMode>(read_choice(arguments, "mode", {"verify", "generate", "uniforms"}, 0));
  if (options.mode == AuditMode::uniforms && options.rule == kLosslessRule) {
    throw UsageError(
        "--mode uniforms compares every decision with a known rule; name it with --rule");
  }
  options.drafts = static_cast<int>(read_count(arguments, "drafts", 1, kMostDrafts, 1));
  if (arguments.has("drafts") && arguments.text("rule").value_or(options.rule) != kLosslessRule) {
    throw UsageError("--drafts goes with --rule lossless; other rules say their own");
  }
  options.false_alarm = read_probability(arguments, "false-alarm", options.false_alarm);
  options.power = read_probability(arguments, "power", options.power);
  options.seed = read_seed(arguments);
  options.most_trials = read_count(arguments, "trials", 1, 1'000'000'000'000, options.most_trials);
  options.decisions = read_count(arguments, "decisions", 1, 1'000'000'000'000, 0);
  if (options.decisions > 0) {
    if (options.mode == AuditMode::uniforms) {
      throw UsageError("--mode uniforms has as many decisions as it needs; leave out --decisions");
    }
    options.most_trials = std::max(options.most_trials, 2 * options.decisions);
  }
  options.only = read_numbers(arguments, "case", 100'000);
  options.large = read_choice(arguments, "battery", {"small", "large"}, 0) == 1;
  if (options.large && (options.mode != AuditMode::verify || options.rule == kLosslessRule)) {
    throw UsageError("--battery large goes with a named --rule and --mode verify");
  }
  if (arguments.has("minutes")) {
    refuse_any(arguments, {"decisions", "case", "cases"},
               "--minutes chooses the decisions; leave out --{}");
    read_minutes(arguments);
    if (options.mode == AuditMode::uniforms) {
      throw UsageError("--mode uniforms has as many decisions as it needs; leave out --minutes");
    }
  }
  return options;
}

ExitCode show_cases(const Arguments& arguments, const AuditOptions& options, const Output& output) {
  if (!arguments.program().empty()) {
    throw UsageError("--cases starts no program; leave out what follows --");
  }
  const Format format = read_test_format(arguments);
  if (format != Format::table && format != Format::json) {
    throw UsageError("--cases is printed as table or json");
  }
  const std::vector<AuditCase> cases = audit_cases(options);
  output.write(render(cases_document(cases), format));
  return ExitCode::done;
}

ChildOptions child_options(const Arguments& arguments, const AuditOptions& options) {
  ChildOptions child;
  child.command = arguments.program();
  if (child.command.empty()) {
    throw UsageError(
        "the program to be audited is missing; for example speclab audit --rule block -- python3 "
        "mine.py");
  }
  child.rule = options.rule;
  child.mode = options.mode;
  child.timeout_seconds =
      read_time(arguments, "timeout", "seconds", 1'000'000).value_or(child.timeout_seconds);
  if (arguments.has("logits")) {
    if (options.mode != AuditMode::verify) {
      throw UsageError("--logits goes with --mode verify; leave it out");
    }
    child.scale = RowScale::logits;
  }
  return child;
}

/// The command that asks one case of this audit again.
std::string rerun_command(const Arguments& arguments, const AuditOptions& options, int number) {
  std::string text = fmt::format("speclab audit --rule {} --case {} --seed {}",
                                 shell_word(options.rule), number, options.seed);
  if (options.decisions > 0) text += fmt::format(" --decisions {}", options.decisions);
  // Each audit of --minutes has its own part of the false alarm, on which its trials depend.
  if (arguments.has("minutes")) text += fmt::format(" --false-alarm {}", options.false_alarm);
  for (const std::string_view option :
       {"mode", "battery", "drafts", "power", "false-alarm", "trials"}) {
    if (option == "false-alarm" && arguments.has("minutes")) continue;
    if (const auto value = arguments.text(option)) {
      text += fmt::format(" --{} {}", option, shell_word(*value));
    }
  }
  if (arguments.has("logits")) text += " --logits";
  text += " --";
  for (const std::string& word : arguments.program()) text += " " + shell_word(word);
  return text;
}

/// A finding by its case and decision.
using FindingName = std::pair<std::string, std::string>;

/// The findings of an audit's JSON, which this audit may have.
std::set<FindingName> read_known(const std::string& path) {
  const std::string where = quoted_path(path);
  const Json known = parse_json(read_file(path), where);
  if (!known.is_object() || !known.contains("findings") || !known["findings"].is_array()) {
    throw InputError(where + ": no findings; write the file with audit --format json --output");
  }
  std::set<FindingName> names;
  for (const Json& finding : known["findings"]) {
    if (!finding.is_object() || !finding.contains("case") || !finding.contains("decision")) {
      throw InputError(where +
                       ": a finding without case and decision; write the file with audit "
                       "--format json --output");
    }
    names.emplace(cell_text(finding["case"]), cell_text(finding["decision"]));
  }
  return names;
}

/// Compares the findings with those that are known: new ones and missing ones differ.
ExitCode compare_known(const AuditReport& report, const std::set<FindingName>& known) {
  std::set<FindingName> found;
  for (const AuditFinding& finding : report.findings) {
    found.emplace(finding.case_name, finding.decision);
  }
  std::size_t added = 0, gone = 0;
  for (const auto& [name, decision] : found) {
    if (known.contains({name, decision})) continue;
    ++added;
    print_note(fmt::format("new failure: {}, {}", name, decision));
  }
  for (const auto& [name, decision] : known) {
    if (found.contains({name, decision})) continue;
    ++gone;
    print_note(
        fmt::format("known failure that is fixed: {}, {}; write the file again", name, decision));
  }
  if (added == 0 && gone == 0) return ExitCode::done;
  return ExitCode::verdict_differs;
}

/// Words that are no options are the program without its dashes.
void refuse_words(const Arguments& arguments) {
  if (arguments.words().empty()) return;
  std::string program;
  for (const std::string& word : arguments.words()) program += " " + shell_word(word);
  throw UsageError(fmt::format("'{}' is no option; the program is written behind --, as in -- {}",
                               abbreviate(arguments.words().front()),
                               abbreviate(program.substr(1))));
}

/// The audit, and one after it where it passes before the time is over, of as many more decisions
/// as then fill it. A correct program fails either with half the probability.
AuditReport audit_for(double seconds, AuditOptions& options, Implementation& child,
                      const AuditProgress& progress) {
  const double false_alarm = options.false_alarm;
  options.false_alarm /= 2;
  const Stopwatch watch;
  AuditReport report = audit(options, child, progress);
  const double spent = watch.seconds();
  const double factor = std::floor((seconds - spent) / std::max(spent, 1e-3));
  if (report.passed() && factor > 1) {
    options.decisions =
        static_cast<std::uint64_t>(std::min(1e12, factor * static_cast<double>(report.trials)));
    options.most_trials = std::max(options.most_trials, 2 * options.decisions);
    report = audit(options, child, progress);
  }
  report.false_alarm = false_alarm;
  return report;
}

ExitCode run_audit(const Arguments& arguments) {
  refuse_words(arguments);
  if (arguments.has("adequacy")) return run_adequacy(arguments);
  const Format format = read_test_format(arguments);
  AuditOptions options = audit_options(arguments);
  const Output output(arguments.text("output"));
  if (arguments.has("cases")) return show_cases(arguments, options, output);
  const ChildOptions started = child_options(arguments, options);
  std::optional<std::set<FindingName>> known;
  if (const auto path = arguments.text("known-failures")) known = read_known(*path);
  std::optional<ProgressBar> bar(std::in_place, 0, "decisions");
  bar->show(0, "choosing pairs and trials");
  const Stopwatch watch;
  ChildProcess child(started);
  const AuditProgress progress = [&bar, &options](std::uint64_t done, std::uint64_t wanted) {
    bar->expect(static_cast<double>(wanted));
    bar->show(static_cast<double>(done), options.rule);
  };
  constexpr double kMinute = 60;
  const auto minutes = read_minutes(arguments);
  const AuditReport report = minutes ? audit_for(kMinute * *minutes, options, child, progress)
                                     : audit(options, child, progress);
  child.finish();
  bar.reset();
  const double seconds = watch.seconds();
  const auto rerun = [&](int number) { return rerun_command(arguments, options, number); };
  output.write(render(audit_document(report, seconds, rerun), format));
  if (known) return compare_known(report, *known);
  return report.passed() ? ExitCode::done : ExitCode::verdict_differs;
}

}  // namespace

Command audit_command() {
  const AuditOptions defaults;
  static const std::string trials = fmt::format(
      "refuse an audit that needs more decisions (default {}; exit code 4)", defaults.most_trials);
  return {
      "audit",
      "check a program of any language against the exact law of a rule, through JSON lines on its "
      "standard input and output (docs/audit.md)",
      "[--rule SPEC] [options] -- COMMAND [ARGUMENTS]",
      "",
      {{"rule", "SPEC",
        "the rule to test against (speclab list verifiers), or lossless (default): any "
        "rule whose iteration keeps the target's law by itself; one with a carry goes with "
        "--mode generate"},
       {"mode", "M",
        "verify (default): rows and drafts of one iteration; generate: whole decodes of a "
        "pair; uniforms: it uses the random numbers that it is given"},
       {"drafts", "K", "drafts of a decision, of the rule lossless (default 1)"},
       {"power", "X",
        "find each known fault with at least this probability (default 0.999999; of --adequacy "
        "0.99)"},
       {"false-alarm", "X", "fail a right program with at most this probability (default 1e-9)"},
       {"trials", "N", trials},
       {"decisions", "N",
        "ask at least so many decisions, for smaller faults: of each case the same multiple"},
       {"minutes", "M",
        "where the audit passes, ask as many more decisions as this time allows, for smaller "
        "faults"},
       {"battery", "small|large",
        "small (default), or large: rows of 1,000, 32,000 and 128,256 tokens with their mass at "
        "the ends of blocks, drafts of 7 tokens (of several drafts: 2), for kernels"},
       {"case", "N", "ask these cases alone, with the seeds that they have in the whole audit",
        true},
       {"known-failures", "FILE",
        "findings that may be there, the JSON of an earlier audit: exit code 1 for new ones and "
        "for those that are gone"},
       {"adequacy", "FILE",
        "which known faults a test suite of your own finds, a test a line (docs/formats.md), and "
        "the smallest cases to add; no program is started"},
       {"seed", "S", "of the drafts and of the seeds that are sent (default 1)"},
       {"logits", "", "send logarithms of the rows (draft_logits, target_logits)"},
       {"timeout", "S", "seconds that an answer may take (default 60; exit code 3)"},
       {"cases", "", "print the cases and stop; no program is started"},
       kTestFormatOption,
       output_option()},
      {"speclab audit --rule token --cases",
       "speclab audit --rule 'rrs(K=2)' --cases --format json"},
      &run_audit,
      /*many_words=*/false,
      /*starts_program=*/true};
}

}  // namespace speclab
