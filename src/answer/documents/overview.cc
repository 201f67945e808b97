#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "answer/documents/answers.h"
#include "base/error.h"
#include "base/text.h"
#include "document/number.h"

namespace speclab {
namespace {

/// Longest fraction of a cell in Markdown, in characters.
constexpr std::size_t kLongestInMarkdown = 30;
/// More columns of numbers than this have no room for fractions beside decimals.
constexpr std::size_t kMostWithFractions = 2;

/// A mean with the half-width of its interval; with the interval itself where the mean is not near
/// its middle, as of an estimate that is biased.
std::string mean_cell(const Value& value) {
  const auto& [low, high] = std::pair(value.estimate->low, value.estimate->high);
  const double half = (high - low) / 2;
  constexpr double kNear = 0.25;
  if (std::abs(value.number - low - half) > kNear * half) {
    return fmt::format("{} [{:.6f}, {:.6f}]", readable(value.number), low, high);
  }
  return fmt::format("{} +-{:.6f}", readable(value.number), half);
}

/// A value in one cell: an estimate, a fraction of up to `longest` letters alone (in Markdown) or
/// behind its decimals, or a number.
std::string overview_cell(const Value* value, std::size_t longest, bool markdown) {
  if (value == nullptr) return "";
  if (value->estimate) return mean_cell(*value);
  return markdown ? fraction_or_number(value->number, value->fraction, longest)
                  : number_text(value->number, value->fraction, longest);
}

std::size_t longest_fraction(const TableLook& look, bool markdown, std::size_t columns) {
  if (look.fractions) return kLongestFraction;
  if (markdown) return kLongestInMarkdown;
  return columns <= kMostWithFractions ? kLongestInline : 0;
}

/// The quantities that are shown.
std::vector<QuantityId> shown_columns(std::span<const Answer> answers, const TableLook& look) {
  if (!look.columns.empty()) return look.columns;
  std::vector<QuantityId> shown;
  for (const QuantityId id :
       {QuantityId::expected_accepted, QuantityId::share_of_optimum, QuantityId::acceptance_length,
        QuantityId::rejections, QuantityId::tv_to_target, QuantityId::first_tokens_per_call,
        QuantityId::decode_speedup}) {
    if (std::any_of(answers.begin(), answers.end(),
                    [id](const Answer& answer) { return answer.find(id) != nullptr; })) {
      shown.push_back(id);
    }
  }
  return shown;
}

/// The answers of a pair in the order of the table: numbers from the largest on, names and draft
/// lengths from the first.
std::vector<const Answer*> sorted(std::vector<const Answer*> answers, const std::string& by) {
  const auto before = [&](const Answer* a, const Answer* b) {
    if (by == "verifier") return a->question.verifier.name < b->question.verifier.name;
    if (by == "gamma") return a->question.lengths.gamma < b->question.lengths.gamma;
    const QuantityId id = single_quantity(by);
    const Value* first = a->find(id);
    const Value* second = b->find(id);
    if (first == nullptr || second == nullptr) return first != nullptr && second == nullptr;
    return first->number > second->number;
  };
  if (!by.empty()) std::stable_sort(answers.begin(), answers.end(), before);
  return answers;
}

/// Whether a verifier's name is a letter in the first column, and in full on a line below.
bool is_long(const std::string& name) {
  constexpr std::size_t kLongest = 26;
  return name.size() > kLongest;
}

using OfPair = std::pair<std::string, std::vector<const Answer*>>;

/// The answers by their pairs, in the order of the question.
std::vector<OfPair> by_pair(std::span<const Answer> answers) {
  std::vector<OfPair> pairs;
  for (const Answer& answer : answers) {
    const std::string name = answer.question.pair->name();
    if (pairs.empty() || pairs.back().first != name)
      pairs.emplace_back(name, OfPair::second_type{});
    pairs.back().second.push_back(&answer);
  }
  return pairs;
}

/// What a gain is counted in, and the words around it: "block WORD 1.10 times BEHIND token".
struct Gain {
  QuantityId id;
  const char *verb, *of;
};
constexpr Gain kGains[] = {{QuantityId::decode_speedup, "is", "as fast as"},
                           {QuantityId::acceptance_length, "emits", "the tokens a call of"},
                           {QuantityId::expected_accepted, "accepts", ""}};

/// "1.10", or "1.10 +- 0.01" of estimates: as if their trials were independent, so that the true
/// half-width, of trials in common, is as a rule smaller.
std::string ratio_text(const Value& more, const Value& less) {
  const double ratio = more.number / less.number;
  if (!more.estimate || !less.estimate) return fmt::format("{:.3f}", ratio);
  const auto relative = [](const Value& value) {
    return (value.estimate->high - value.estimate->low) / 2 / value.number;
  };
  const double half = ratio * std::hypot(relative(more), relative(less));
  constexpr double kCoarse = 0.005;
  return half >= kCoarse ? fmt::format("{:.2f} +- {:.2f}", ratio, half)
                         : fmt::format("{:.4f} +- {:.4f}", ratio, half);
}

/// The sentence of a pair, or "".
std::string gain_text(const std::vector<const Answer*>& answers) {
  const auto has = [&](const Gain& gain) {
    return std::all_of(answers.begin(), answers.end(), [&](const Answer* answer) {
      const Value* value = answer->find(gain.id);
      return value != nullptr && value->number > 0;
    });
  };
  const auto* const gain = std::find_if(std::begin(kGains), std::end(kGains), has);
  if (gain == std::end(kGains)) return "";
  const auto number = [&](const Answer* answer) { return answer->find(gain->id)->number; };
  const Answer* most =
      *std::max_element(answers.begin(), answers.end(),
                        [&](const Answer* a, const Answer* b) { return number(a) < number(b); });
  std::vector<const Answer*> rest;
  bool one_gamma = true;
  for (const Answer* answer : answers) {
    const bool same = answer->question.lengths.gamma == most->question.lengths.gamma;
    one_gamma = one_gamma && same;
    if (same && answer != most) rest.push_back(answer);
  }
  if (rest.empty()) return "";
  std::stable_sort(rest.begin(), rest.end(),
                   [&](const Answer* a, const Answer* b) { return number(a) > number(b); });
  constexpr std::size_t kMostNamed = 4;
  std::string text = most->question.verifier.name;
  if (!one_gamma) text += ", gamma " + gamma_text(most->question.lengths.gamma) + ",";
  text += fmt::format(" {} ", gain->verb);
  for (std::size_t i = 0; i < std::min(rest.size(), kMostNamed); ++i) {
    if (i > 0) text += ", ";
    text += ratio_text(*most->find(gain->id), *rest[i]->find(gain->id)) + " times ";
    if (gain->of[0] != '\0') text += std::string(gain->of) + " ";
    text += rest[i]->question.verifier.name;
  }
  if (rest.size() > kMostNamed) {
    text += fmt::format(", and more of {} others", rest.size() - kMostNamed);
  }
  return text + "\n";
}

}  // namespace

QuantityId single_quantity(const std::string& name) {
  std::vector<std::string> names;
  std::optional<QuantityId> ending;
  for (const QuantityInfo& row : quantities()) {
    if (row.shape != QuantityShape::single || row.scope == QuantityScope::formula ||
        row.scope == QuantityScope::training) {
      continue;
    }
    names.push_back(row.path());
    names.emplace_back(row.name);
    if (row.path() == name || (!row.kept_as.empty() && row.kept_as == name)) return row.id;
    if (row.name == name && !ending) ending = row.id;
  }
  if (ending) return *ending;
  const bool several =
      std::any_of(quantities().begin(), quantities().end(), [&](const QuantityInfo& row) {
        return row.shape != QuantityShape::single && (row.path() == name || row.name == name);
      });
  throw UsageError(several
                       ? "'" + name + "' has several numbers, and a column one; CSV has them all"
                       : "there is no column '" + abbreviate(name) + "'" + suggestion(name, names) +
                             "; `speclab list quantities` has them");
}

Page overview_page(std::span<const Answer> answers, const TableLook& look, bool markdown) {
  const std::vector<QuantityId> shown = shown_columns(answers, look);
  const std::size_t longest = longest_fraction(look, markdown, shown.size());
  std::vector<std::string> header{markdown ? "verifier" : "", "gamma"};
  for (const QuantityId id : shown) header.emplace_back(quantity(id).label);
  Marks marks('A');
  const auto mark = [&](const Answer& answer) {
    const std::string& name = answer.question.verifier.name;
    return !markdown && is_long(name) ? marks.of(name) : name;
  };
  // In the order of the question, whatever the tables are sorted by.
  for (const Answer& answer : answers) mark(answer);
  Page page;
  for (const auto& [name, all] : by_pair(answers)) {
    TextTable table{"c" + std::string(header.size() - 1, markdown ? 'l' : 'r'), header, 2, name};
    for (const Answer* answer : sorted(all, look.sort)) {
      const Question& question = answer->question;
      Cells row{mark(*answer), gamma_text(question.lengths.gamma)};
      for (const QuantityId id : shown) {
        row.emplace_back(overview_cell(answer->find(id), longest, markdown));
      }
      table.add(row);
    }
    if (markdown && !page.empty()) page += "\n";
    page += std::move(table);
  }
  page += marks.key();
  return page;
}

Page gains_page(std::span<const Answer> answers) {
  Page page;
  const std::vector<OfPair> pairs = by_pair(answers);
  for (const auto& [name, all] : pairs) {
    const std::string text = gain_text(all);
    if (text.empty()) continue;
    std::string line = page.empty() ? "\n" : "";
    if (pairs.size() > 1) line.append(name).append(": ");
    page += line.append(text);
  }
  return page;
}

}  // namespace speclab
