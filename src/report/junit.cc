#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "report/formats.h"

namespace speclab {
namespace {

/// Text between tags or in an attribute: the signs of markup are escaped, and control characters,
/// which XML does not allow, are '?'; line feeds and tabs stay.
std::string xml_text(std::string_view text) {
  static constexpr std::pair<char, const char*> kSigns[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  std::string escaped;
  for (const char c : printable(text, true)) {
    const auto* sign = std::find_if(std::begin(kSigns), std::end(kSigns),
                                    [c](const auto& each) { return each.first == c; });
    escaped += sign == std::end(kSigns) ? std::string(1, c) : sign->second;
  }
  return escaped;
}

std::string time_attribute(const std::optional<double>& seconds) {
  return seconds ? fmt::format(" time=\"{:.3f}\"", *seconds) : "";
}

std::string test_case(const CaseResult& result) {
  std::string text =
      fmt::format("  <testcase classname=\"{}\" name=\"{}\"{}>\n", xml_text(result.group),
                  xml_text(result.name), time_attribute(result.seconds));
  if (result.failure) {
    text += fmt::format("   <failure message=\"{}\"", xml_text(*result.failure));
    text += result.failures.empty() ? "/>\n" : ">" + xml_text(result.failures) + "</failure>\n";
  }
  return text +
         fmt::format("   <system-out>{}</system-out>\n  </testcase>\n", xml_text(result.output));
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
        xml_text(document.name), xml_text(document.partial));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n <testsuite name=\"{}\" "
      "tests=\"{}\" failures=\"{}\"{}{}>\n{} </testsuite>\n</testsuites>\n",
      xml_text(suite.name), tests, failures, errors, time_attribute(suite.seconds), cases);
}

}  // namespace speclab
