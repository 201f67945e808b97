#include "model/json_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "model/pair.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

using nlohmann::json;

// Strides between polls for cancellation. Small documents are not interrupted: results found before
// the signal are reported with pairs that are made after it.
constexpr std::size_t kParts = 4096;  ///< values of a document
constexpr std::size_t kEntries = 64;  ///< entries of a law

/// Deepest nesting accepted; laws need four levels.
constexpr int kMaxNesting = 16;

/// Divides a law by its sum when that is within 1e-9 of 1.
void renormalise(std::vector<Rational>& law, const std::string& where) {
  Rational total(0);
  std::size_t done = 0;
  const auto look = [&done] {
    if (++done % kEntries == 0) check_interrupted();
  };
  for (const Rational& entry : law) {
    look();
    total += entry;
  }
  if (abs(total - 1) > Rational(1, 1'000'000'000)) {
    throw InputError(
        fmt::format("{} sums to {}, not to 1; correct an entry", where, to_double(total)));
  }
  for (Rational& entry : law) {
    look();
    entry /= total;
  }
}

}  // namespace

Rational read_json_number(const json& entry, const std::string& where) {
  if (entry.is_number_unsigned()) return Rational(entry.get<std::uint64_t>());
  if (entry.is_number_integer()) return Rational(entry.get<std::int64_t>());
  if (entry.is_number_float()) return exact(entry.get<double>());
  if (!entry.is_string()) {
    throw InputError(where + ": " + abbreviate(entry.dump()) +
                     " is not a number; write a number or a string such as \"3/8\"");
  }
  try {
    return parse_rational(entry.get_ref<const std::string&>());
  } catch (const InputError& error) {
    throw InputError(where + ": " + error.what());
  }
}

json parse_json(const std::string& text, const std::string& where) {
  std::vector<std::set<std::string>> keys;
  std::size_t parts = 0;
  const auto watch = [&](int depth, json::parse_event_t event, json& parsed) {
    if (++parts % kParts == 0) check_interrupted();
    if (depth > kMaxNesting) {
      throw InputError(where + " nests deeper than " + std::to_string(kMaxNesting) +
                       " levels; laws need four at most");
    }
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key &&
        !keys.back().insert(parsed.get<std::string>()).second) {
      throw InputError(where + ": the key '" + abbreviate(parsed.get<std::string>()) +
                       "' is given twice; keep one");
    }
    return true;
  };
  try {
    return json::parse(text, watch);
  } catch (const json::exception& error) {
    std::string message = error.what();
    if (const auto end = message.find("] "); end != std::string::npos) message.erase(0, end + 2);
    throw InputError(where + " is not valid JSON: " + abbreviate(message, 200));
  }
}

std::vector<Rational> read_json_law(const json& row, Token vocabulary, const std::string& where) {
  if (!row.is_array()) {
    throw InputError(where + " is not a list; give " + std::to_string(vocabulary) +
                     " probabilities");
  }
  if (row.size() != static_cast<std::size_t>(vocabulary)) {
    throw InputError(where + " has " + std::to_string(row.size()) + " entries; the vocabulary is " +
                     std::to_string(vocabulary) + ", so give " + std::to_string(vocabulary));
  }
  std::vector<Rational> law;
  for (const json& entry : row) {
    if (law.size() % kEntries == kEntries - 1) check_interrupted();
    law.push_back(read_json_number(entry, where + ", token " + std::to_string(law.size())));
    if (law.back() < 0) check_law(law, where);
  }
  const bool inexact =
      std::any_of(row.begin(), row.end(), [](const json& entry) { return entry.is_number(); });
  if (inexact) renormalise(law, where);
  check_law(law, where);
  return law;
}

}  // namespace speclab
