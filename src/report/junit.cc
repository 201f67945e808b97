#include <fmt/format.h>

#include "base/printable.h"
#include "report/formats.h"

namespace speclab {
namespace {

std::string time_attribute(const std::optional<double>& seconds) {
  return seconds ? fmt::format(" time=\"{:.3f}\"", *seconds) : "";
}

std::string test_case(const CaseResult& result) {
  std::string text =
      fmt::format("  <testcase classname=\"{}\" name=\"{}\"{}>\n", markup(result.group),
                  markup(result.name), time_attribute(result.seconds));
  if (result.failure) {
    text += fmt::format("   <failure message=\"{}\"", markup(*result.failure));
    text += result.failures.empty() ? "/>\n" : ">" + markup(result.failures) + "</failure>\n";
  }
  return text +
         fmt::format("   <system-out>{}</system-out>\n  </testcase>\n", markup(result.output));
}

}  // namespace

std::string junit_text(const Document& document) {
  const SuiteResult suite = document.suite();
  const auto failures =
      std::count_if(suite.cases.begin(), suite.cases.end(),
                    [](const CaseResult& result) { return result.failure.has_value(); });
  std::size_t tests = suite.cases.size();
  std::string cases, errors;
  for (const CaseResult& result : suite.cases) cases += test_case(result);
  if (!document.partial.empty()) {
    ++tests;
    errors = " errors=\"1\"";
    cases += fmt::format(
        "  <testcase classname=\"{}\" name=\"all checks\">\n   <error message=\"partial: "
        "{}\"/>\n  </testcase>\n",
        markup(document.name), markup(document.partial));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n <testsuite name=\"{}\" "
      "tests=\"{}\" failures=\"{}\"{}{}>\n{} </testsuite>\n</testsuites>\n",
      markup(suite.name), tests, failures, errors, time_attribute(suite.seconds), cases);
}

}  // namespace speclab
