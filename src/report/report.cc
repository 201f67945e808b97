#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/overview.h"
#include "report/table.h"

namespace speclab {

namespace {

/// "0,1,1"; long ones shortened.
std::string tokens_text(const QuantityIndex& tokens) {
  constexpr std::size_t kMostTokens = 40;
  std::string text = index_text(tokens);
  std::replace(text.begin(), text.end(), ' ', ',');
  return abbreviate(text, kMostTokens);
}

}  // namespace

std::string label_of(QuantityId id, const QuantityIndex& index) {
  const QuantityInfo& info = quantity(id);
  switch (info.shape) {
    case QuantityShape::single:
      break;
    case QuantityShape::list:
      return fmt::format(fmt::runtime(info.label), index.at(0));
    case QuantityShape::grid:
      return fmt::format(fmt::runtime(info.label), index.at(0), index.at(1));
    case QuantityShape::sequences:
      return fmt::format(fmt::runtime(info.label), tokens_text(index));
    case QuantityShape::laws:
      return fmt::format(fmt::runtime(info.label), index.back(),
                         tokens_text({index.begin(), index.end() - 1}));
  }
  return std::string(info.label);
}

std::string render(std::span<const Answer> answers, Format format) {
  switch (format) {
    case Format::table:
      return answers_table(answers);
    case Format::json:
      return answers_json(answers);
    case Format::csv:
      return answers_csv(answers);
    case Format::markdown:
      return answers_markdown(answers);
  }
  return "";
}

}  // namespace speclab
