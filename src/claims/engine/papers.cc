#include "claims/engine/papers.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/split.h"

namespace speclab {
namespace {

constexpr std::string_view kCoverage =
#include "claims/papers/coverage.txt"
    ;

PaperItem read_item(std::string_view line) {
  const auto parts = split(line, " :: ");
  if (parts.size() < 3 || parts.size() > 5) {
    throw std::logic_error("coverage.txt: a row of " + std::to_string(parts.size()) +
                           " parts: " + std::string(line));
  }
  PaperItem item{parts[0], parts[1], parts[2]};
  if (parts.size() > 3 && !parts[3].empty()) item.by = split(parts[3], ", ");
  if (parts.size() > 4) item.lacking = parts[4];
  return item;
}

/// "AUTHORS: NAME (YEAR)", or what has no year.
Paper read_paper(std::string_view key, std::string_view title, bool whole) {
  Paper paper{.key = key, .title = title, .name = title, .whole = whole};
  const std::size_t year = title.rfind(" (");
  if (year == title.npos || !title.ends_with(")")) return paper;
  const std::size_t colon = title.find(": ");
  if (colon > year) throw std::logic_error("coverage.txt: no authors: " + std::string(title));
  paper.authors = title.substr(0, colon);
  paper.name = title.substr(colon + 2, year - colon - 2);
  paper.year = title.substr(year + 2, title.size() - year - 3);
  return paper;
}

std::vector<Paper> read_papers() {
  constexpr std::string_view kPaper = "paper ";
  constexpr std::string_view kWhole = "whole ";
  std::vector<Paper> papers;
  for (std::string_view line : split(kCoverage, "\n")) {
    const bool whole = line.starts_with(kWhole);
    if (whole) line.remove_prefix(kWhole.size());
    if (line.starts_with(kPaper)) {
      line.remove_prefix(kPaper.size());
      const std::size_t colon = line.find(": ");
      papers.push_back(read_paper(line.substr(0, colon), line.substr(colon + 2), whole));
    } else if (!papers.empty() && !line.empty()) {
      papers.back().items.push_back(read_item(line));
    }
  }
  return papers;
}

constexpr std::string_view kSettled = "settled here";

constexpr ItemVerdict kVerdicts[] = {
    {"holds", true},        {"holds-with-correction", true},
    {"refuted", true},      {"not-decidable", true},
    {kSettled, false},      {"defines", false},
    {"measured", false},    {"not a statement", false},
    {"not checked", false},
};

}  // namespace

std::span<const ItemVerdict> item_verdicts() { return kVerdicts; }

std::span<const Paper> papers() {
  static const std::vector<Paper> all = read_papers();
  return all;
}

const Paper* find_paper(std::string_view key) {
  const auto all = papers();
  const auto paper =
      std::find_if(all.begin(), all.end(), [key](const Paper& row) { return row.key == key; });
  return paper == all.end() ? nullptr : &*paper;
}

std::string_view unprinted(std::string_view claim_id) {
  for (const Paper& paper : papers()) {
    for (const PaperItem& item : paper.items) {
      if (item.verdict != kSettled) continue;
      if (std::find(item.by.begin(), item.by.end(), claim_id) == item.by.end()) continue;
      return paper.whole ? "not printed: " : "asked here: ";
    }
  }
  return "";
}

const Paper& paper_of(std::string_view id) {
  const Paper* paper = find_paper(id.substr(0, id.find('.')));
  return paper != nullptr ? *paper : papers().back();
}

}  // namespace speclab
