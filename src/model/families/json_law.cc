#include "model/families/json_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "model/pair.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// Entries of a law between two polls for cancellation. Small documents are not interrupted:
/// results found before the signal are reported with pairs that are made after it.
constexpr std::size_t kEntries = 64;

/// Deepest nesting accepted; laws need four levels.
constexpr std::size_t kMaxNesting = 16;

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

/// The token that the key of a sparse law names, "0" to the vocabulary's last.
std::size_t token_of(const std::string& key, Token vocabulary, const std::string& where) {
  std::size_t token = 0;
  const char* end = key.data() + key.size();
  const auto [rest, fault] = std::from_chars(key.data(), end, token);
  const bool written_once = key == std::to_string(token);
  if (fault != std::errc() || rest != end || !written_once ||
      token >= static_cast<std::size_t>(vocabulary)) {
    throw InputError(fmt::format("{} has the key '{}'; a law by tokens has keys from 0 to {}",
                                 where, abbreviate(key), vocabulary - 1));
  }
  return token;
}

}  // namespace

void refuse_unknown_keys(const Json& object, const std::vector<std::string>& known,
                         const std::string& where) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    throw InputError(where + " has the unknown key '" + abbreviate(key) + "'; the keys are " +
                     join(known) + suggestion(key, known));
  }
}

Rational read_json_number(const Json& entry, const std::string& where) {
  if (entry.is_number_unsigned()) return Rational(entry.get<std::uint64_t>());
  if (entry.is_number_integer()) return Rational(entry.get<std::int64_t>());
  if (entry.is_number_float()) return exact(entry.get<double>());
  if (!entry.is_string()) {
    throw InputError(where + ": " + abbreviate(entry.dump()) +
                     " is not a number; write a number or a string such as \"3/8\"");
  }
  try {
    return parse_rational(entry.string());
  } catch (const InputError& error) {
    throw InputError(where + ": " + error.what());
  }
}

Json parse_json(const std::string& text, const std::string& where,
                const std::function<void()>& poll) {
  try {
    return read_json(text, {kMaxNesting, poll});
  } catch (const JsonError& error) {
    if (error.position() == 0) throw InputError(where + ": " + error.what());
    throw InputError(where + " is not valid JSON: " + abbreviate(error.what(), 200));
  }
}

std::vector<Rational> read_json_law(const Json& row, Token vocabulary, const std::string& where) {
  if (!row.is_array() && !row.is_object()) {
    throw InputError(where + " is not a list; give " + std::to_string(vocabulary) +
                     " probabilities");
  }
  if (row.is_array() && row.size() != static_cast<std::size_t>(vocabulary)) {
    throw InputError(where + " has " + std::to_string(row.size()) + " entries; the vocabulary is " +
                     std::to_string(vocabulary) + ", so give " + std::to_string(vocabulary));
  }
  bool inexact = false;
  std::vector<Rational> law(row.is_array() ? 0 : static_cast<std::size_t>(vocabulary));
  const auto read = [&](const Json& entry, std::size_t token) {
    inexact = inexact || entry.is_number();
    return read_json_number(entry, fmt::format("{}, token {}", where, token));
  };
  if (row.is_array()) {
    for (const Json& entry : row) {
      if (law.size() % kEntries == kEntries - 1) check_interrupted();
      law.push_back(read(entry, law.size()));
      if (law.back() < 0) check_law(law, where);
    }
  } else {
    for (const auto& [key, entry] : row.items()) {
      const std::size_t token = token_of(key, vocabulary, where);
      law[token] = read(entry, token);
    }
  }
  if (inexact) renormalise(law, where);
  check_law(law, where);
  return law;
}

}  // namespace speclab
