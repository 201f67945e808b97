#include "report/report.h"

#include <charconv>
#include <system_error>

#include "report/csv.h"
#include "report/json.h"
#include "report/overview.h"
#include "report/table.h"

namespace speclab {

std::string Quantity::path(std::size_t element) const {
  if (shape == Shape::single) return path();
  return path() + "[" + std::to_string(element) + "]";
}

std::optional<std::size_t> Quantity::element(std::string_view wanted) const {
  const std::string own = path();
  if (!wanted.starts_with(own)) return std::nullopt;
  wanted.remove_prefix(own.size());
  std::size_t at = 0;
  if (shape != Shape::single) {
    if (!wanted.starts_with('[') || !wanted.ends_with(']')) return std::nullopt;
    const char* const end = wanted.data() + wanted.size() - 1;
    const auto read = std::from_chars(wanted.data() + 1, end, at);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  } else if (!wanted.empty()) {
    return std::nullopt;
  }
  return at < values.size() ? std::optional(at) : std::nullopt;
}

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::differs:
      return "differs";
    case Verdict::bound_holds:
      return "bound holds";
    case Verdict::bound_missed:
      return "bound missed";
    case Verdict::not_compared:
      return "not compared";
  }
  return "";
}

std::string_view relation_name(Relation relation) {
  switch (relation) {
    case Relation::equals:
      return "equals";
    case Relation::at_most:
      return "at_most";
    case Relation::at_least:
      return "at_least";
  }
  return "";
}

const Value* Record::find(std::string_view path) const {
  for (const Quantity& quantity : quantities) {
    if (const auto at = quantity.element(path)) return &quantity.values[*at];
  }
  return nullptr;
}

std::string gamma_text(int gamma) { return gamma == kUnbounded ? "inf" : std::to_string(gamma); }

std::string render(const Report& report, Format format) {
  switch (format) {
    case Format::table:
      return report_table(report);
    case Format::json:
      return report_json(report);
    case Format::csv:
      return report_csv(report);
    case Format::markdown:
      return report_markdown(report);
  }
  return "";
}

}  // namespace speclab
