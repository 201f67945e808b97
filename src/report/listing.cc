#include "report/listing.h"

#include <algorithm>

#include "base/json.h"
#include "report/csv.h"
#include "report/page.h"

namespace speclab {
namespace {

std::string table(const Listing& listing) {
  if (listing.rows.empty()) return "no " + listing.name + " yet\n";
  std::string text;
  for (const auto& row : listing.rows) {
    text += row.front() + "\n";
    for (std::size_t i = 1; i < row.size(); ++i) {
      if (!row[i].empty()) text += folded("    " + listing.columns[i] + ": " + row[i] + "\n", 2);
    }
  }
  return text;
}

std::string json(const Listing& listing) {
  Json rows = Json::array();
  for (const auto& row : listing.rows) {
    Json object;
    for (std::size_t i = 0; i < row.size(); ++i) object[listing.columns[i]] = row[i];
    rows.push_back(std::move(object));
  }
  return json_text(Json{{listing.name, std::move(rows)}});
}

std::string csv(const Listing& listing) {
  std::string text = csv_line(listing.columns);
  for (const auto& row : listing.rows) text += csv_line(row);
  return text;
}

std::string markdown(const Listing& listing) {
  std::string text = "|";
  for (const std::string& column : listing.columns) text += " " + column + " |";
  text += "\n|";
  for (std::size_t i = 0; i < listing.columns.size(); ++i) text += "---|";
  text += "\n";
  for (const auto& row : listing.rows) {
    text += "|";
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += " " + (i == 0 ? markdown_code(row[i]) : markdown_cell(row[i])) + " |";
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

std::string markdown_code(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const std::string space = longest > 0 ? " " : "";
  return fence + space + markdown_cell(text) + space + fence;
}

std::string render(const Listing& listing, Format format) {
  switch (format) {
    case Format::table:
      return table(listing);
    case Format::json:
      return json(listing);
    case Format::csv:
      return csv(listing);
    case Format::markdown:
      return markdown(listing);
  }
  return "";
}

}  // namespace speclab
