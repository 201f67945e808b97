#include "report/report.h"

#include "report/csv.h"
#include "report/json.h"
#include "report/overview.h"
#include "report/table.h"

namespace speclab {

std::string Quantity::path(std::size_t element) const {
  if (shape == Shape::single) return path();
  return path() + "[" + std::to_string(element) + "]";
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
    if (!path.starts_with(quantity.path())) continue;
    for (std::size_t i = 0; i < quantity.values.size(); ++i) {
      if (quantity.path(i) == path) return &quantity.values[i];
    }
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
