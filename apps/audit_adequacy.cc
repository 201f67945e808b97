#include "audit_adequacy.h"

#include <fmt/format.h>

#include "audit/adequacy/document.h"
#include "option_values.h"
#include "progress.h"
#include "report/output.h"
#include "report/report.h"

namespace speclab {

ExitCode run_adequacy(const Arguments& arguments) {
  refuse_any(arguments,
             {"mode", "drafts", "decisions", "minutes", "battery", "case", "cases",
              "known-failures", "logits", "timeout"},
             "--adequacy judges a file of test cases; leave out --{}");
  if (!arguments.program().empty()) {
    throw UsageError("--adequacy starts no program; leave out what follows --");
  }
  const Format format = read_test_format(arguments);
  AdequacyOptions options;
  options.power = read_probability(arguments, "power", options.power);
  options.false_alarm = read_probability(arguments, "false-alarm", options.false_alarm);
  options.most_samples =
      read_count(arguments, "trials", 1, 1'000'000'000'000, options.most_samples);
  options.seed = read_seed(arguments);
  const Output output(arguments.text("output"));
  AdequacyReport report;
  {
    auto cases = read_adequacy_cases(*arguments.text("adequacy"), arguments.text("rule"));
    ProgressBar bar(static_cast<double>(cases.size()), "tests");
    report = adequacy(std::move(cases), options, [&bar](std::size_t done, std::size_t) {
      bar.show(static_cast<double>(done), "adequacy");
    });
  }
  output.write(render(adequacy_document(report), format));
  return report.adequate() ? ExitCode::done : ExitCode::verdict_differs;
}

}  // namespace speclab
