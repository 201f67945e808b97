#include "audit/parity/parity.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace speclab {
namespace {

/// Whether greedy decoding is compared: stated, or every prompt has one output on each side.
bool is_greedy(const ServedSamples& samples, const ParityOptions& options) {
  if (options.decoding != ParityOptions::Decoding::automatic) {
    return options.decoding == ParityOptions::Decoding::greedy;
  }
  return std::all_of(samples.prompts.begin(), samples.prompts.end(), [](const ServedPrompt& each) {
    return each.on.size() <= 1 && each.off.size() <= 1;
  });
}

void compare_sampled(const ServedSamples& samples, const ParityOptions& options,
                     ParityReport& report, const std::function<void(const std::string&)>& say) {
  report.level = options.false_alarm / options.looks;
  const OutputStatistics statistics(both_sides(samples), options.prefix);
  report.statistics = statistics.names();
  say("permutations");
  report.test = test_outputs(statistics, report.level, options.seed, options.threads);
  report.passed = report.test.adjusted > report.level;
  say("checks");
  report.checks = check_served(samples, options);
  say("power");
  report.powers = parity_powers(statistics, options, report.level);
}

}  // namespace

ParityReport compare_served(const ServedSamples& samples, const ParityOptions& options,
                            const std::function<void(const std::string&)>& progress) {
  ParityReport report;
  report.greedy = is_greedy(samples, options);
  for (const ServedPrompt& prompt : samples.prompts) {
    if (prompt.on.empty() || prompt.off.empty()) continue;
    ++report.prompts;
    report.on += prompt.on.size();
    report.off += prompt.off.size();
  }
  if (report.prompts == 0) {
    throw InputError("no prompt has outputs in both files; give the same prompts in both");
  }
  const auto say = [&progress](const std::string& what) {
    if (progress) progress(what);
  };
  if (report.greedy) {
    compare_greedy(samples, options, report);
  } else {
    compare_sampled(samples, options, report, say);
  }
  return report;
}

}  // namespace speclab
