#include "option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "base/integer.h"
#include "base/split.h"
#include "base/text.h"
#include "guards.h"
#include "model/lengths.h"
#include "question_options.h"

namespace speclab {
namespace {

/// The exact value of an option's number, or nothing.
std::optional<Rational> number(const std::string& text) {
  try {
    return parse_rational(text);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// A whole number in a range, or nothing.
std::optional<std::uint64_t> whole(const std::string& text, std::uint64_t low, std::uint64_t high) {
  const auto value = number(text);
  if (!value || denominator(*value) != 1 || *value < low || *value > high) return std::nullopt;
  return numerator(*value).unsigned_value();
}

[[noreturn]] void refuse_gamma(const std::string& text, const GammaRange& taken) {
  throw UsageError(fmt::format("--gamma takes a whole number from 1 to {}, {}, not '{}'",
                               taken.longest,
                               taken.unbounded ? "a range such as 1:12 or 1:8:2, or inf"
                                               : "or a range such as 1:12 or 1:8:2",
                               abbreviate(text)));
}

/// "1:12" or "1:8:2".
void add_range(const std::string& text, const GammaRange& taken, std::vector<int>& gammas) {
  std::vector<std::uint64_t> parts;
  for (const std::string_view number : split(text, ":")) {
    const auto part = whole(std::string(number), 1, static_cast<std::uint64_t>(taken.longest));
    if (!part) refuse_gamma(text, taken);
    parts.push_back(*part);
  }
  if (parts.size() > 3) refuse_gamma(text, taken);
  const std::uint64_t step = parts.size() == 3 ? parts[2] : 1;
  if (parts[0] > parts[1]) {
    throw UsageError(fmt::format("--gamma {} is empty; write {}:{}{}", text, parts[1], parts[0],
                                 parts.size() == 3 ? fmt::format(":{}", step) : ""));
  }
  if ((parts[1] - parts[0]) / step >= kMostCombinations) {
    throw UsageError(fmt::format("--gamma {} is more than {} lengths; shorten the range", text,
                                 kMostCombinations));
  }
  for (std::uint64_t gamma = parts[0]; gamma <= parts[1]; gamma += step) {
    gammas.push_back(static_cast<int>(gamma));
  }
}

}  // namespace

std::vector<std::string> at_commas(const std::string& text) {
  std::vector<std::string> parts{""};
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted) depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0 && !quoted) {
      parts.emplace_back();
    } else if (c != ' ' || !parts.back().empty()) {
      parts.back() += c;
    }
  }
  return parts;
}

void require(const Arguments& arguments, std::string_view option, std::string_view example) {
  if (!arguments.has(option)) {
    throw UsageError(fmt::format("--{0} is missing; for example --{0} {1}", option, example));
  }
}

void refuse_any(const Arguments& arguments, std::initializer_list<const char*> options,
                std::string_view message) {
  for (const char* option : options) {
    if (arguments.has(option)) throw UsageError(fmt::format(fmt::runtime(message), option));
  }
}

void refuse_with(const Arguments& arguments, std::string_view with,
                 std::initializer_list<const char*> options) {
  refuse_any(arguments, options, fmt::format("--{} takes no --{{}}; leave it out", with));
}

std::vector<int> read_numbers(const Arguments& arguments, std::string_view option, int most) {
  std::vector<int> numbers;
  for (const std::string& text : read_each(arguments, option)) {
    const bool digits =
        !text.empty() && text.size() <= 7 &&
        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    const int number = digits ? std::stoi(text) : 0;
    if (number < 1 || number > most) {
      throw UsageError(fmt::format("--{} takes a whole number from 1 to {}, not '{}'", option, most,
                                   abbreviate(text)));
    }
    numbers.push_back(number);
  }
  return numbers;
}

std::optional<CostModel> read_latency(const Arguments& arguments) {
  const auto text = arguments.text("latency");
  if (!text) return std::nullopt;
  try {
    return read_costs(*text);
  } catch (const InputError& error) {
    // What a file says is bad input, whoever names the file.
    const bool of_table = dynamic_cast<const TableError*>(&error) != nullptr;
    if (of_table) throw;
    throw UsageError(std::string("--latency: ") + error.what());
  }
}

const std::vector<std::string>& read_each(const Arguments& arguments, std::string_view option) {
  const std::vector<std::string>& all = arguments.all(option);
  for (const std::string& text : all) {
    const std::vector<std::string> parts = at_commas(text);
    if (parts.size() < 2) continue;
    throw UsageError(fmt::format(
        "--{0} takes one at a time, not '{1}'; repeat it: --{0} {2} --{0} {3}", option,
        abbreviate(text), abbreviate(shell_word(parts[0])), abbreviate(shell_word(parts[1]))));
  }
  return all;
}

std::uint64_t read_count(const Arguments& arguments, std::string_view option, std::uint64_t low,
                         std::uint64_t high, std::uint64_t fallback) {
  const auto text = arguments.text(option);
  if (!text) return fallback;
  const auto value = whole(*text, low, high);
  if (!value) {
    throw UsageError(fmt::format("--{} takes a whole number from {} to {}, not '{}'", option, low,
                                 high, abbreviate(*text)));
  }
  return *value;
}

std::size_t read_choice(const Arguments& arguments, std::string_view option,
                        const std::vector<std::string>& names, std::size_t fallback) {
  const auto text = arguments.text(option);
  return text ? choice_of(option, *text, names) : fallback;
}

std::size_t choice_of(std::string_view option, const std::string& text,
                      const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) {
    throw UsageError(fmt::format("--{} takes {}, not '{}'{}", option, join(names), abbreviate(text),
                                 suggestion(text, names)));
  }
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<int> read_gammas(const Arguments& arguments, const GammaRange& taken) {
  std::vector<int> gammas;
  for (const std::string& text : read_each(arguments, "gamma")) {
    const auto value = whole(text, 1, static_cast<std::uint64_t>(taken.longest));
    if (value) {
      gammas.push_back(static_cast<int>(*value));
    } else if (text == "inf" && taken.unbounded) {
      gammas.push_back(kUnbounded);
    } else if (text.find(':') != std::string::npos) {
      add_range(text, taken, gammas);
    } else {
      refuse_gamma(text, taken);
    }
  }
  return gammas;
}

std::vector<int> read_ascending_gammas(const Arguments& arguments, int usual,
                                       const GammaRange& taken) {
  std::vector<int> gammas(static_cast<std::size_t>(usual));
  std::iota(gammas.begin(), gammas.end(), 1);
  if (!arguments.has("gamma")) return gammas;
  gammas = read_gammas(arguments, taken);
  std::sort(gammas.begin(), gammas.end());
  gammas.erase(std::unique(gammas.begin(), gammas.end()), gammas.end());
  return gammas;
}

int read_threads(const Arguments& arguments) {
  return static_cast<int>(read_count(arguments, "threads", 1, kMostThreads, 0));
}

std::optional<Rational> read_rational(const Arguments& arguments, std::string_view option,
                                      std::string_view wanted,
                                      const std::function<bool(const Rational&)>& fits) {
  const auto text = arguments.text(option);
  if (!text) return std::nullopt;
  auto value = number(*text);
  if (value && fits(*value)) return value;
  throw UsageError(fmt::format("--{} takes {}, not '{}'", option, wanted, abbreviate(*text)));
}

double read_probability(const Arguments& arguments, std::string_view option, double fallback) {
  const auto value = read_rational(
      arguments, option, "a probability above 0 and below 1",
      [](const Rational& each) { return to_double(each) > 0 && to_double(each) < 1; });
  return value ? to_double(*value) : fallback;
}

std::uint64_t read_seed(const Arguments& arguments) {
  return read_count(arguments, "seed", 0, std::numeric_limits<std::uint64_t>::max(), 1);
}

Option output_option(std::string_view prose) {
  return {"output", "FILE", prose, /*repeated=*/false, /*written=*/true};
}

std::optional<std::uint64_t> read_max_memory(const Arguments& arguments) {
  constexpr std::string_view kUnits = "KMGT";
  constexpr std::uint64_t kMost = std::uint64_t{1} << 60;
  const auto text = arguments.text("max-memory");
  if (!text) return std::nullopt;
  const std::size_t unit = text->empty() ? std::string_view::npos : kUnits.find(text->back());
  const bool bare = unit == std::string_view::npos;
  const std::uint64_t scale = bare ? 1 : std::uint64_t{1} << (10 * (unit + 1));
  const auto count = whole(bare ? *text : text->substr(0, text->size() - 1), 1, kMost / scale);
  if (!count) {
    throw UsageError(
        fmt::format("--max-memory takes bytes from 1 to 2^60, such as 500M or 2G, not '{}'",
                    abbreviate(*text)));
  }
  return *count * scale;
}

Format read_format(const Arguments& arguments) {
  return static_cast<Format>(
      read_choice(arguments, "format", {"table", "json", "csv", "markdown"}, 0));
}

Format read_test_format(const Arguments& arguments) {
  constexpr Format kFormats[] = {Format::table, Format::json, Format::csv, Format::junit,
                                 Format::markdown};
  return kFormats[read_choice(arguments, "format", {"table", "json", "csv", "junit", "markdown"},
                              0)];
}

}  // namespace speclab
