#include "report/overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "report/listing.h"
#include "report/number.h"
#include "report/text_table.h"

namespace speclab {
namespace {

/// A value in one cell: a fraction of up to `longest` letters, a number, or a mean with the
/// half-width of its interval; with the interval itself where the mean is not near its middle, as
/// of an estimate that is biased.
std::string cell(const Value* value, std::size_t longest) {
  if (value == nullptr) return "";
  if (value->fraction) {
    const std::string text = to_text(*value->fraction);
    if (text.size() <= longest) return text;
  }
  if (!value->estimate) return readable(value->number);
  const auto& [low, high] = std::pair(value->estimate->low, value->estimate->high);
  const double half = (high - low) / 2;
  constexpr double kNear = 0.25;
  if (std::abs(value->number - low - half) > kNear * half) {
    return fmt::format("{} [{:.6f}, {:.6f}]", readable(value->number), low, high);
  }
  return fmt::format("{} +-{:.6f}", readable(value->number), half);
}

/// One row a combination, a listing a pair.
std::vector<Listing> overview(std::span<const Answer> answers, std::size_t longest) {
  static constexpr QuantityId kColumns[] = {
      QuantityId::expected_accepted, QuantityId::share_of_optimum,
      QuantityId::acceptance_length, QuantityId::rejections,
      QuantityId::tv_to_target,      QuantityId::first_tokens_per_call,
      QuantityId::decode_speedup};
  std::vector<std::string> header{"verifier", "gamma"};
  std::vector<QuantityId> shown;
  for (const QuantityId id : kColumns) {
    if (std::any_of(answers.begin(), answers.end(),
                    [&](const Answer& answer) { return answer.find(id) != nullptr; })) {
      header.emplace_back(quantity(id).label);
      shown.push_back(id);
    }
  }
  std::vector<Listing> listings;
  for (const Answer& answer : answers) {
    const Question& question = answer.question;
    if (listings.empty() || listings.back().name != question.pair->name()) {
      listings.push_back({question.pair->name(), header, {}});
    }
    std::vector<std::string> row{question.verifier.name, gamma_text(question.lengths.gamma)};
    for (const QuantityId id : shown) row.push_back(cell(answer.find(id), longest));
    listings.back().rows.push_back(std::move(row));
  }
  return listings;
}

}  // namespace

std::string overview_table(std::span<const Answer> answers) {
  std::string text = "all combinations";
  text += answers.front().run ? " (mean +-half-width of the 95% interval)\n" : "\n";
  for (Listing& listing : overview(answers, kLongestInline)) {
    TextTable table("l" + std::string(listing.columns.size() - 1, 'r'), 2);
    listing.columns.front().clear();
    table.head(listing.columns);
    for (auto& row : listing.rows) table.add(std::move(row));
    text += listing.name + "\n" + table.text("  ");
  }
  return text;
}

std::string answers_markdown(std::span<const Answer> answers) {
  constexpr std::size_t kLongest = 30;
  std::string text;
  for (const Listing& listing : overview(answers, kLongest)) {
    if (!text.empty()) text += "\n";
    text += markdown_code(listing.name) + "\n\n" + render(listing, Format::markdown);
  }
  return text;
}

}  // namespace speclab
