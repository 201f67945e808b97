#include "report/partial.h"

#include <algorithm>

#include "base/json.h"
#include "report/csv.h"

namespace speclab {

std::string mark_partial(std::string text, Format format, const std::string& why) {
  if (why.empty()) return text;
  switch (format) {
    case Format::table:
      return text + "\npartial: " + why + "\n";
    case Format::json: {
      auto document = read_json(text);
      document["partial"] = why;
      return json_text(document);
    }
    case Format::csv: {
      // No name of a column has a comma.
      const auto header = text.begin() + static_cast<std::ptrdiff_t>(text.find('\n'));
      const auto others = std::count(text.begin(), header, ',');
      return text + csv_field("partial: " + why) +
             std::string(static_cast<std::size_t>(others), ',') + "\n";
    }
    case Format::markdown:
      return text + "\n**Partial: " + why + ".**\n";
  }
  return text;
}

}  // namespace speclab
