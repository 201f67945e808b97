#include "simulate/tally_text.h"

#include <algorithm>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "simulate/simulate.h"

namespace speclab {
namespace {

std::string wide_text(WideCount value) {
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value > 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

WideCount wide_count(const std::string& digits) {
  constexpr std::size_t kMostDigits = 38;  // all such numbers fit
  if (digits.empty() || digits.size() > kMostDigits) throw InputError("a count is of no length");
  WideCount value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') throw InputError("a count is not of digits");
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  return value;
}

/// Writes each part of a tally that it is called with.
struct Writer {
  Json node = Json::object();

  static Json part(std::uint64_t value) { return value; }
  static Json part(const WideCount& value) { return wide_text(value); }
  static Json part(const Moments& value) {
    return Json::array({wide_text(value.sum), wide_text(value.squares)});
  }
  template <class Part>
  static Json part(const std::vector<Part>& values) {
    Json list = Json::array();
    for (const Part& value : values) list.push_back(part(value));
    return list;
  }
  template <class Part>
  void operator()(const char* name, const Part& value) {
    node[name] = part(value);
  }
  /// Of many cells most are empty.
  void sparse(const char* name, const std::vector<std::uint64_t>& cells) {
    Json list = Json::array();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i] > 0) list.push_back(Json::array({i, cells[i]}));
    }
    node[name] = Json{{"cells", cells.size()}, {"counts", std::move(list)}};
  }
};

/// Reads each part of a tally that it is called with.
struct Reader {
  const Json& node;

  static void part(const Json& from, std::uint64_t& value) {
    if (!from.is_number_unsigned()) throw InputError("a count is no whole number from 0 on");
    value = from.get<std::uint64_t>();
  }
  static void part(const Json& from, WideCount& value) { value = wide_count(from.string()); }
  static void part(const Json& from, Moments& value) {
    part(from.at(0), value.sum);
    part(from.at(1), value.squares);
  }
  template <class Part>
  static void part(const Json& from, std::vector<Part>& values) {
    values.resize(from.size());
    for (std::size_t i = 0; i < values.size(); ++i) part(from.at(i), values[i]);
  }
  template <class Part>
  void operator()(const char* name, Part& value) const {
    part(node.at(name), value);
  }
  void sparse(const char* name, std::vector<std::uint64_t>& cells) const {
    std::uint64_t size = 0, at = 0;
    part(node.at(name).at("cells"), size);
    if (static_cast<double>(size) > kMaxOutputCells) throw InputError("there are too many outputs");
    cells.assign(size, 0);
    for (const Json& cell : node.at(name).at("counts")) {
      part(cell.at(0), at);
      part(cell.at(1), cells.at(at));
    }
  }
};

/// Shows every field to `visit`. Whoever adds one to Tally finds this size changed.
template <class AnyTally, class Visit>
void each_field(AnyTally& tally, Visit& visit) {
  static_assert(sizeof(Tally) == 480, "a field of Tally that is not kept is lost on resuming");
  visit("trials", tally.trials);
  visit("undefined_trials", tally.undefined_trials);
  visit("undefined_iterations", tally.undefined_iterations);
  visit("accepted", tally.accepted);
  visit("emitted", tally.emitted);
  visit("tokens", tally.tokens);
  visit("iterations", tally.iterations);
  visit("target_calls", tally.target_calls);
  visit("rejections", tally.rejections);
  visit("draft_steps", tally.draft_steps);
  visit("tokens_times_calls", tally.tokens_times_calls);
  visit("tokens_times_steps", tally.tokens_times_steps);
  visit("calls_times_steps", tally.calls_times_steps);
  visit("positions", tally.positions);
  visit("positions_times_iterations", tally.positions_times_iterations);
  visit("emitted_counts", tally.emitted_counts);
  visit.sparse("outputs", tally.outputs);
  visit("conditional_law", tally.conditional_law);
  visit("conditional_accepted", tally.conditional_accepted);
  visit("conditional_undefined", tally.conditional_undefined);
}

}  // namespace

std::string tally_text(const Tally& tally) {
  Writer writer;
  each_field(tally, writer);
  return writer.node.dump();
}

Tally read_tally(const std::string& text) {
  try {
    const Json node = read_json(text);
    Tally tally;
    Reader reader{node};
    each_field(tally, reader);
    return tally;
  } catch (const std::exception& error) {
    throw InputError("the text is no tally: " + abbreviate(error.what(), 200));
  }
}

}  // namespace speclab
