#include "report/overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "report/listing.h"
#include "report/number.h"
#include "report/text_table.h"

namespace speclab {
namespace {

/// A value in one cell: a fraction of up to `longest` letters, a number, or a mean with the
/// half-width of its interval.
std::string cell(const Value* value, std::size_t longest) {
  if (value == nullptr) return "";
  if (value->fraction) {
    const std::string text = to_text(*value->fraction);
    if (text.size() <= longest) return text;
  }
  if (!value->estimate) return readable(value->number);
  return fmt::format("{} +-{:.6f}", readable(value->number),
                     (value->estimate->high - value->estimate->low) / 2);
}

/// One row a combination, a listing a pair.
std::vector<Listing> overview(const Report& report, std::size_t longest) {
  static constexpr std::pair<const char*, const char*> kColumns[] = {
      {"E[accepted]", "iteration.expected_accepted"},
      {"block efficiency", "block_efficiency"},
      {"E[rejections]", "rejections.expected"},
      {"TV(output, target)", "output.tv_to_target"},
      {"speedup", "speedup"},
      {"decode speedup", "modelled_time.decode_speedup"}};
  std::vector<std::string> header{"verifier", "gamma"};
  std::vector<const char*> paths;
  for (const auto& [name, path] : kColumns) {
    if (std::any_of(report.begin(), report.end(), [&path = path](const Record& record) {
          return record.find(path) != nullptr;
        })) {
      header.emplace_back(name);
      paths.push_back(path);
    }
  }
  std::vector<Listing> listings;
  for (const Record& record : report) {
    if (listings.empty() || listings.back().name != record.pair) {
      listings.push_back({record.pair, header, {}});
    }
    std::vector<std::string> row{record.verifier, gamma_text(record.gamma)};
    for (const char* path : paths) row.push_back(cell(record.find(path), longest));
    listings.back().rows.push_back(std::move(row));
  }
  return listings;
}

}  // namespace

std::string overview_table(const Report& report) {
  std::string text = "all combinations";
  text += report.front().run ? " (mean +-half-width of the 95% interval)\n" : "\n";
  for (Listing& listing : overview(report, kLongestInline)) {
    TextTable table("l" + std::string(listing.columns.size() - 1, 'r'));
    listing.columns.front().clear();
    table.add(listing.columns);
    for (auto& row : listing.rows) table.add(std::move(row));
    text += listing.name + "\n" + table.text("  ");
  }
  return text;
}

std::string report_markdown(const Report& report) {
  constexpr std::size_t kLongest = 30;
  std::string text;
  for (const Listing& listing : overview(report, kLongest)) {
    if (!text.empty()) text += "\n";
    text += "`" + listing.name + "`\n\n" + render(listing, Format::markdown);
  }
  return text;
}

}  // namespace speclab
