#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "answer/documents/answers.h"
#include "document/number.h"

namespace speclab {
namespace {

/// Longest fraction of a cell in Markdown, in characters.
constexpr std::size_t kLongestInMarkdown = 30;

/// A value in one cell: a fraction of up to `longest` letters, a number, or a mean with the
/// half-width of its interval; with the interval itself where the mean is not near its middle, as
/// of an estimate that is biased.
std::string overview_cell(const Value* value, std::size_t longest) {
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

}  // namespace

Page overview_page(std::span<const Answer> answers, bool markdown) {
  const std::size_t longest = markdown ? kLongestInMarkdown : kLongestInline;
  static constexpr QuantityId kColumns[] = {
      QuantityId::expected_accepted, QuantityId::share_of_optimum,
      QuantityId::acceptance_length, QuantityId::rejections,
      QuantityId::tv_to_target,      QuantityId::first_tokens_per_call,
      QuantityId::decode_speedup};
  std::vector<std::string> header{markdown ? "verifier" : "", "gamma"};
  std::vector<QuantityId> shown;
  for (const QuantityId id : kColumns) {
    if (std::any_of(answers.begin(), answers.end(),
                    [&](const Answer& answer) { return answer.find(id) != nullptr; })) {
      header.emplace_back(quantity(id).label);
      shown.push_back(id);
    }
  }
  std::vector<TextTable> tables;
  for (const Answer& answer : answers) {
    const Question& question = answer.question;
    if (tables.empty() || tables.back().title != question.pair->name()) {
      tables.push_back({"c" + std::string(header.size() - 1, markdown ? 'l' : 'r'), header, 2,
                        question.pair->name()});
    }
    Cells row{question.verifier.name, gamma_text(question.lengths.gamma)};
    for (const QuantityId id : shown) row.emplace_back(overview_cell(answer.find(id), longest));
    tables.back().add(row);
  }
  Page page;
  for (TextTable& table : tables) {
    if (markdown && !page.empty()) page += "\n";
    page += std::move(table);
  }
  return page;
}

}  // namespace speclab
