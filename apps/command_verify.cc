#include <fmt/format.h>

#include "claims/document.h"
#include "command.h"
#include "model/registry.h"
#include "option_values.h"
#include "print_note.h"
#include "progress.h"
#include "report/output.h"
#include "report/report.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// Holds the claims on one pair alone.
ExitCode run_on_pair(const Arguments& arguments, const ClaimContext& context) {
  if (arguments.has("controls")) {
    throw UsageError("--pair asks claims of a pair, --controls asks none; give one of them");
  }
  const Format format = read_format(arguments);
  const Output output(arguments.text("output"));
  const auto rows = select_claims(read_each(arguments, "claim"));
  const PairPointer pair = make_pair(*arguments.text("pair"));
  std::vector<OwnPairOutcome> outcomes;
  {
    ProgressBar bar(static_cast<double>(rows.size()), "claims");
    for (const ClaimRow* row : rows) {
      if (!finished([&] { outcomes.push_back(check_on_pair(*row, pair, context)); })) break;
      bar.show(static_cast<double>(outcomes.size()));
    }
  }
  const std::string stopped =
      outcomes.size() < rows.size()
          ? fmt::format("interrupted after {} of {} claims", outcomes.size(), rows.size())
          : "";
  Document document = own_pair_document(pair, outcomes);
  document.partial = stopped;
  output.write(render(document, format));
  bool differs = false;
  for (const OwnPairOutcome& outcome : outcomes) {
    if (!outcome.differs()) continue;
    differs = true;
    print_note(fmt::format("{}: the pair says {}, the record {}", outcome.row->id,
                           claim_verdict_name(outcome.result->verdict),
                           claim_verdict_name(outcome.row->recorded)));
  }
  if (!stopped.empty()) throw Error(ExitCode::interrupted, stopped);
  return differs ? ExitCode::verdict_differs : ExitCode::done;
}

ExitCode run_verify(const Arguments& arguments) {
  const bool quick = arguments.has("quick");
  const bool thorough = arguments.has("thorough");
  if (quick && thorough) throw UsageError("give --quick or --thorough, not both");
  ClaimContext context;
  context.effort = quick ? Effort::quick : thorough ? Effort::thorough : Effort::standard;
  context.seed = read_seed(arguments);
  context.threads = read_threads(arguments);
  if (arguments.has("pair")) return run_on_pair(arguments, context);
  const Format format = read_test_format(arguments);
  const Output output(arguments.text("output"));
  const std::vector<std::string>& ids = read_each(arguments, "claim");
  std::vector<const ClaimRow*> rows;
  if (!ids.empty() || !arguments.has("controls")) rows = select_claims(ids);

  VerdictReport report;
  report.with_controls = arguments.has("controls") || ids.empty();
  const Controls which =
      arguments.has("controls") && arguments.has("plugin") ? Controls::plugins : Controls::all;
  const std::size_t controls = report.with_controls ? control_count(which) : 0;
  if (report.with_controls && controls == 0) {
    throw UsageError(
        "the plugin has no verifier that declares itself lossless; leave out --plugin");
  }
  {
    ProgressBar bar(static_cast<double>(rows.size() + controls), "checks");
    report.claims = run_claims(rows, context, [&](const ClaimOutcome&, std::size_t done) {
      bar.show(static_cast<double>(done));
    });
    if (report.with_controls) {
      report.controls = run_controls(
          context, [&](std::size_t done) { bar.show(static_cast<double>(rows.size() + done)); },
          which);
    }
  }
  const std::size_t done = report.claims.size() + report.controls.size();
  if (done < rows.size() + controls) {
    report.partial = fmt::format("interrupted after {} of {} checks", done, rows.size() + controls);
  }
  output.write(render(verdict_document(report), format));
  const std::vector<std::string> lines = surprises(report);
  for (const std::string& line : lines) print_note(line);
  if (!report.partial.empty()) throw Error(ExitCode::interrupted, report.partial);
  return lines.empty() ? ExitCode::done : ExitCode::verdict_differs;
}

}  // namespace

Command verify_command() {
  return {
      "verify",
      "check the papers' claims, and the checks themselves against faulty verifiers",
      "[--claim ID ...] [options]",
      "",
      {{"claim", "ID", "a claim, or all whose id begins with it (lin2026); default: all", true},
       {"pair", "SPEC",
        "run the claims' checks on this pair alone; a check that cannot take it gives the reason"},
       {"controls", "",
        "the negative controls; alone: no claims (the default run has both); with --plugin: its "
        "verifiers alone"},
       {"quick", "", "fewer random instances and shorter simulations (under 30 seconds)"},
       {"thorough", "", "more of both, with a progress bar"},
       {"seed", "S", "of random instances and simulations (default 1)"},
       kThreadsOption,
       kTestFormatOption,
       output_option()},
      {"speclab verify --claim sun2025.theorem1 --quick",
       "speclab verify --claim sun2024 --quick --format markdown"},
      &run_verify};
}

}  // namespace speclab
