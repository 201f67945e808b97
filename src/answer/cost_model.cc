#include "answer/cost_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>
#include <string_view>

#include "base/error.h"
#include "base/split.h"
#include "base/text.h"
#include "system/read_file.h"
#include "verifiers/window.h"

namespace speclab {
namespace {

constexpr std::size_t kMostTableBytes = std::size_t{1} << 20;

/// 0, or a number of 1e-18 to 1e18: FLOPs of a call are times too, and squares of times that are
/// 1e36 apart are numbers still. @throws InputError
double read_time(const std::string& text) {
  static const Rational most(1'000'000'000'000'000'000);
  const Rational value = parse_rational(text);
  if (value < 0 || value > most || (value > 0 && value * most < 1)) {
    throw InputError("a time is 0 or a number from 1e-18 to 1e18");
  }
  return to_double(value);
}

std::vector<std::pair<double, double>> read_table(const std::string& path) {
  std::istringstream lines(read_file(path, kMostTableBytes));
  std::vector<std::pair<double, double>> table;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (number == 1) {
      if (line.find_first_not_of("0123456789.,+-eE/ ") == std::string::npos && !line.empty()) {
        throw InputError(quoted_path(path) + ": the first line names the columns, `n,time`");
      }
      continue;
    }
    if (line.empty()) continue;
    const auto wrong = [&](const std::string& message) {
      return InputError(fmt::format("{} line {}: {}", quoted_path(path), number, message));
    };
    const auto comma = line.find(',');
    if (comma == std::string::npos) throw wrong("expected `n,time`");
    try {
      const Rational n = parse_rational(line.substr(0, comma));
      if (n < 1) throw InputError("n is at least 1");
      table.emplace_back(to_double(n), read_time(line.substr(comma + 1)));
    } catch (const InputError& error) {
      throw wrong(error.what());
    }
    if (table.size() > 1 && table.back().first <= table[table.size() - 2].first) {
      throw wrong("n must ascend");
    }
  }
  if (table.empty()) {
    throw InputError(quoted_path(path) + ": no line `n,time` after the first, which names them");
  }
  return table;
}

/// The first comma from `at` on that is in no brackets, or the text's end.
std::size_t end_of_part(const std::string& text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')') --depth;
    if (text[at] == ',' && depth <= 0) break;
  }
  return at;
}

/// The first plus sign from `at` on that is not of an exponent, as in 1e+3, or the text's end.
std::size_t end_of_term(const std::string& text, std::size_t at) {
  for (; at < text.size(); ++at) {
    if (text[at] == '+' && (at == 0 || (text[at - 1] != 'e' && text[at - 1] != 'E'))) break;
  }
  return at;
}

/// 1|2|4|8: in ascending order, each at least 1.
std::vector<double> read_sizes(const std::string& text) {
  std::vector<double> sizes;
  for (const std::string_view size : split(text, "|")) {
    sizes.push_back(read_time(std::string(size)));
    if (sizes.back() < 1 || (sizes.size() > 1 && sizes.back() <= sizes[sizes.size() - 2])) {
      throw InputError("sizes ascend from 1 or more");
    }
  }
  return sizes;
}

[[noreturn]] void refuse_costs(const std::string& text) {
  throw InputError(
      "costs are times such as draft=0.1,verifier=0.02,target=1 (target above 0, the others 0 or "
      "more, none above 1e18 or, but for 0, below 1e-18), of draft and target also 20+0.1n, "
      "20+0.1n+0.002c with context=4096, max(20,0.5n) or @FILE, and rule=0.001, sizes=1|2|4|8; "
      "not '" +
      abbreviate(text) + "'");
}

}  // namespace

TimeCurve TimeCurve::read(const std::string& text) {
  if (!text.empty() && text.front() == '@') {
    TimeCurve curve(0);
    curve.source_ = text.substr(1);
    try {
      curve.measured_ = read_table(curve.source_);
    } catch (const InputError& error) {
      throw TableError(error.what());
    }
    return curve;
  }
  TimeCurve curve(0);
  const std::string_view largest = "max(";
  if (!text.starts_with(largest) || text.back() != ')') {
    curve.lines_ = {read_line(text)};
    return curve;
  }
  curve.lines_.clear();
  const std::string inside = text.substr(largest.size(), text.size() - largest.size() - 1);
  for (const std::string_view line : split(inside, ",")) {
    curve.lines_.push_back(read_line(std::string(line)));
  }
  return curve;
}

TimeCurve::Line TimeCurve::read_line(const std::string& text) {
  Line line;
  double* const places[] = {&line.start, &line.slope, &line.context};
  bool seen[3] = {};
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = end_of_term(text, at);
    std::string term = text.substr(at, end - at);
    at = end + 1;
    const std::size_t place = term.ends_with('n') ? 1 : term.ends_with('c') ? 2 : 0;
    if (place > 0) term.pop_back();
    if (seen[place]) throw InputError("a time has one term of each kind");
    seen[place] = true;
    *places[place] = place > 0 && term.empty() ? 1 : read_time(term);
  }
  return line;
}

void TimeCurve::set_setting(double context, const std::vector<double>& sizes) {
  for (Line& line : lines_) line.context *= context;
  sizes_ = sizes;
}

bool TimeCurve::reads_context() const {
  return std::any_of(lines_.begin(), lines_.end(),
                     [](const Line& line) { return line.context > 0; });
}

double TimeCurve::at(double n, double sequences) const {
  const auto size = std::lower_bound(sizes_.begin(), sizes_.end(), n);
  if (size != sizes_.end()) n = *size;
  if (measured_.empty()) {
    double largest = 0;
    for (const Line& line : lines_) {
      largest = std::max(largest, line.start + line.slope * n + line.context * sequences);
    }
    return largest;
  }
  const auto above = std::lower_bound(
      measured_.begin(), measured_.end(), n,
      [](const std::pair<double, double>& point, double wanted) { return point.first < wanted; });
  if (above != measured_.end() && above->first == n) return above->second;
  if (above == measured_.begin() || above == measured_.end()) {
    throw InputError(fmt::format("{}: no time is measured for n = {}, only for {} to {}",
                                 quoted_path(source_), n, measured_.front().first,
                                 measured_.back().first));
  }
  const auto below = above - 1;
  return std::lerp(below->second, above->second,
                   (n - below->first) / (above->first - below->first));
}

bool TimeCurve::positive() const {
  if (measured_.empty()) return at(1) > 0;
  return std::all_of(measured_.begin(), measured_.end(),
                     [](const auto& point) { return point.second > 0; });
}

bool TimeCurve::constant() const {
  return measured_.empty() && std::all_of(lines_.begin(), lines_.end(),
                                          [](const Line& line) { return line.slope == 0; });
}

CostModel read_costs(const std::string& text) {
  CostModel costs;
  std::vector<std::string> seen;
  double context = 0;
  std::vector<double> sizes;
  const auto number = [](double& place) {
    return [&place](const std::string& value) { place = read_time(value); };
  };
  const auto curve = [](TimeCurve& place) {
    return [&place](const std::string& value) { place = TimeCurve::read(value); };
  };
  const std::pair<std::string, std::function<void(const std::string&)>> keys[] = {
      {"draft", curve(costs.draft)},
      {"verifier", number(costs.verifier)},
      {"target", curve(costs.target)},
      {"rule", number(costs.rule)},
      {"context", number(context)},
      {"sizes", [&sizes](const std::string& value) { sizes = read_sizes(value); }}};
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = end_of_part(text, at);
    const std::string part = text.substr(at, end - at);
    at = end + 1;
    const auto equals = part.find('=');
    if (equals == std::string::npos) refuse_costs(text);
    const std::string key = part.substr(0, equals);
    const auto* known = std::find_if(std::begin(keys), std::end(keys),
                                     [&](const auto& row) { return row.first == key; });
    if (known == std::end(keys) || std::find(seen.begin(), seen.end(), key) != seen.end()) {
      refuse_costs(text);
    }
    seen.push_back(key);
    const std::string value = part.substr(equals + 1);
    try {
      known->second(value);
    } catch (const InputError&) {
      if (!value.empty() && value.front() == '@') throw;
      refuse_costs(text);
    }
  }
  if ((costs.draft.reads_context() || costs.target.reads_context()) && context == 0) {
    throw InputError("costs with a term of c need the context's length, such as context=4096");
  }
  costs.draft.set_setting(context, sizes);
  costs.target.set_setting(context, sizes);
  if (!costs.target.positive()) refuse_costs(text);
  return costs;
}

DraftShape draft_shape(const Verifier& verifier, int drafts) {
  DraftShape shape;
  if (verifier.info->drafting == Drafting::none) return shape;
  shape.roots = verifier.drafts;
  shape.nodes = shape.roots * drafts;
  if (verifier.grown.nodes > 0) {
    shape.roots = 1;
    shape.nodes = verifier.grown.nodes;
    shape.levels.assign(static_cast<std::size_t>(drafts),
                        std::min(verifier.grown.nodes, verifier.grown.width));
    return shape;
  }
  if (verifier.tree.empty()) return shape;
  shape.roots = 1;
  shape.nodes = 0;
  double level = 1;
  for (int depth = 0; depth < drafts; ++depth) {
    level *= verifier.tree.at(static_cast<std::size_t>(depth));
    shape.levels.push_back(level);
    shape.nodes += level;
  }
  return shape;
}

double step_time(const Verifier& verifier, const Latency& latency) {
  return latency.draft + (verifier.info->drafting == Drafting::run ? latency.verifier : 0.0);
}

Latencies::Latencies(const CostModel& costs, const Load& load) : costs_(costs), load_(load) {}

double Latencies::drafted(double width) const {
  return load_.draft * (costs_.draft.constant()
                            ? width * costs_.draft.at(1)
                            : costs_.draft.at(load_.batch * width, load_.batch));
}

double Latencies::steps_of(double width, std::size_t count) {
  std::vector<double>& sums = steps_[width];
  if (sums.empty()) sums.push_back(0);
  if (sums.size() <= count) {
    const double step = drafted(width);
    while (sums.size() <= count) sums.push_back(sums.back() + step);
  }
  return sums[count];
}

Latency Latencies::of(const Question& question) {
  const bool drafts_grow = !costs_.draft.constant() || costs_.draft.at(1) == 0;
  if (load_.batch != 1 && (costs_.target.constant() || !drafts_grow)) {
    throw InputError("a batch needs costs by width: target=20+0.1n or @FILE, and draft likewise");
  }
  Latency latency;
  latency.draft = drafted(1);
  latency.verifier = costs_.verifier;
  latency.single = costs_.target.at(load_.batch, load_.batch);
  latency.target = latency.single;
  const bool window = question.verifier.info->drafting == Drafting::window;
  const int drafts = full_window(*question.pair, question.lengths).drafts;
  if (!window || drafts == kUnbounded || drafts == 0) return latency;
  const DraftShape shape = draft_shape(question.verifier, drafts);
  // A step drafts a level from the nodes of the one before it.
  double steps = drafted(shape.roots);
  if (shape.levels.empty()) {
    steps = steps_of(shape.roots, static_cast<std::size_t>(drafts));
  } else {
    for (int depth = 0; depth + 1 < drafts; ++depth) {
      steps += drafted(shape.levels[static_cast<std::size_t>(depth)]);
    }
  }
  latency.draft = steps / drafts;
  const double grown =
      costs_.target.at(load_.batch * shape.positions(), load_.batch) - latency.single;
  latency.target += load_.growth * grown;
  latency.rule = costs_.rule * load_.batch * shape.nodes;
  return latency;
}

}  // namespace speclab
