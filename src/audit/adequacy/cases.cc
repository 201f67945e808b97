#include "audit/adequacy/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "audit/adequacy/case_place.h"
#include "audit/protocol.h"
#include "audit/verify_cases.h"
#include "base/error.h"
#include "base/text.h"
#include "system/read_file.h"
#include "system/text_lines.h"

namespace speclab {
namespace {

/// Bytes of a name that are shown.
constexpr std::size_t kNameBytes = 200;

const std::vector<std::string>& statistic_names() {
  static const std::vector<std::string> names{"chi-square",    "tv",       "max-deviation", "kl",
                                              "kl-difference", "binomial", "order"};
  return names;
}

/// One line of a file of cases.
class CaseLine {
 public:
  CaseLine(const std::string& text, std::string where) : where_(std::move(where)) {
    try {
      object_ = read_json(text);
    } catch (const JsonError& error) {
      refuse(std::string("it is not one JSON object (") + error.what() + "); give one case a line");
    }
    if (!object_.is_object()) refuse("it is not one JSON object; give one case a line");
    static const std::vector<std::string> keys{
        "suite",     "name",   "rule",  "draft_probs", "target_probs",   "draft_tokens", "samples",
        "statistic", "counts", "level", "threshold",   "least_expected", "sigmas",       "order"};
    for (const auto& [key, value] : object_.items()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
        refuse(
            fmt::format("'{}' is not a key of a case{}", abbreviate(key), suggestion(key, keys)));
      }
    }
  }

  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError(where_ + ": " + message);
  }

  AdequacyCase read(const std::optional<std::string>& rule, const std::string& line) const {
    AdequacyCase made;
    made.suite = abbreviate(word("suite").value_or("cases"), kNameBytes);
    made.name = abbreviate(word("name").value_or(line), kNameBytes);
    const Verifier verifier = read_rule(word("rule").value_or(rule.value_or("token")));
    made.rule = verifier.name;
    made.samples = whole("samples", 1, kMostSamples);
    made.place = read_case_place(object_, where_, verifier);
    made.counted = read_counted(made.place.gamma);
    made.test = read_test(made.place.rows->vocabulary());
    const bool of_tokens = made.counted.kind == CountedPart::Kind::position ||
                           made.counted.kind == CountedPart::Kind::last;
    if (made.test.kind == HistogramTest::Kind::order && !of_tokens) {
      refuse("statistic order compares counts of tokens; let counts be a position, or last");
    }
    return made;
  }

 private:
  std::optional<std::string> word(const char* key) const {
    const Json* value = object_.find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string() || value->string().empty()) refuse(fmt::format("{} is no word", key));
    return value->string();
  }

  const Json& needed(const char* key) const {
    const Json* value = object_.find(key);
    if (value == nullptr) refuse(fmt::format("it lacks the key \"{}\"", key));
    return *value;
  }

  std::uint64_t whole(const char* key, std::uint64_t low, std::uint64_t high) const {
    const Json& value = needed(key);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < low ||
        value.get<std::uint64_t>() > high) {
      refuse(fmt::format("{} is {}; give a whole number from {} to {}", key,
                         abbreviate(value.dump()), low, high));
    }
    return value.get<std::uint64_t>();
  }

  /// A number below `high` and above `low`, or, where it is one of them, `low`.
  std::optional<double> number(const char* key, double low, double high,
                               bool with_low = false) const {
    const Json* value = object_.find(key);
    if (value == nullptr) return std::nullopt;
    const double given = value->is_number() ? value->get<double>() : high;
    if (!(given > low || (with_low && given == low)) || !(given < high)) {
      refuse(fmt::format("{} is {}; give a number {} {} and below {}", key,
                         abbreviate(value->dump()), with_low ? "of at least" : "above", low, high));
    }
    return given;
  }

  Verifier read_rule(const std::string& text) const {
    std::optional<Verifier> verifier;
    try {
      verifier = make_verifier(text);
    } catch (const InputError& error) {
      refuse(error.what());
    }
    if (verifier->info->small_pairs || verifier->info->drafting != Drafting::window) {
      refuse(fmt::format("rule '{}' has no law of one iteration on given rows; name another one",
                         verifier->name));
    }
    return *verifier;
  }

  CountedPart read_counted(int gamma) const {
    const Json* value = object_.find("counts");
    if (value == nullptr) return {};
    if (value->is_number_unsigned() && value->get<std::uint64_t>() >= 1 &&
        value->get<std::uint64_t>() <= static_cast<std::uint64_t>(gamma) + 1) {
      return {CountedPart::Kind::position, value->get<int>()};
    }
    const std::string text = value->is_string() ? value->string() : "";
    if (text == "last") return {CountedPart::Kind::last};
    if (text == "accepted") return {CountedPart::Kind::accepted};
    if (text == "tokens") return {CountedPart::Kind::tokens};
    refuse(
        fmt::format("counts is {}; give a position from 1 to {}, or one of last, accepted, "
                    "tokens",
                    abbreviate(value->dump()), gamma + 1));
  }

  HistogramTest read_test(Token vocabulary) const {
    HistogramTest test;
    const std::string text = word("statistic").value_or("chi-square");
    const auto& names = statistic_names();
    const auto at = std::find(names.begin(), names.end(), text);
    if (at == names.end()) {
      refuse(fmt::format("statistic '{}' is none of {}{}", abbreviate(text), join(names),
                         suggestion(text, names)));
    }
    test.kind = static_cast<HistogramTest::Kind>(at - names.begin());
    test.threshold = number("threshold", 0, 1e300);
    test.sigmas = number("sigmas", 0, 1e6);
    test.level = number("level", 0, 1);
    test.least_expected = number("least_expected", 0, 1e300, true).value_or(test.least_expected);
    check_bound(test, text);
    if (test.kind == HistogramTest::Kind::order) read_order(test, vocabulary);
    return test;
  }

  void check_bound(const HistogramTest& test, const std::string& text) const {
    struct Bounds {
      bool threshold, sigmas, level;
      const char* wanted;
    };
    constexpr std::array<Bounds, 7> kBounds{{{true, true, true, "threshold, sigmas or level"},
                                             {true, false, false, "threshold"},
                                             {true, true, false, "threshold or sigmas"},
                                             {true, false, false, "threshold"},
                                             {true, false, false, "threshold"},
                                             {false, false, true, "level"},
                                             {false, false, false, "order alone"}}};
    const Bounds& bounds = kBounds[static_cast<std::size_t>(test.kind)];
    const int given = int{test.threshold.has_value()} + int{test.sigmas.has_value()} +
                      int{test.level.has_value()};
    const bool fits = (!test.threshold || bounds.threshold) && (!test.sigmas || bounds.sigmas) &&
                      (!test.level || bounds.level);
    if (fits && given == (test.kind == HistogramTest::Kind::order ? 0 : 1)) return;
    refuse(fmt::format("statistic {} takes {}; give it, and no other bound", text, bounds.wanted));
  }

  void read_order(HistogramTest& test, Token vocabulary) const {
    const Json& order = needed("order");
    const auto token_of = [&](const Json& json) -> int {
      if (json.is_number_unsigned() &&
          json.get<std::uint64_t>() < static_cast<std::uint64_t>(vocabulary)) {
        return json.get<int>();
      }
      refuse(fmt::format("order has {}; give pairs of tokens from 0 to {}", abbreviate(json.dump()),
                         vocabulary - 1));
    };
    if (!order.is_array() || order.empty()) refuse("order is no list of pairs of tokens");
    for (const Json& pair : order) {
      if (!pair.is_array() || pair.size() != 2) refuse("order is no list of pairs of tokens");
      test.order.emplace_back(token_of(pair[0]), token_of(pair[1]));
    }
  }

  std::string where_;
  Json object_;
};

}  // namespace

std::vector<AdequacyCase> read_adequacy_cases(const std::string& path,
                                              const std::optional<std::string>& rule) {
  std::vector<AdequacyCase> cases;
  each_text_line(path, [&](const std::string& line, int number) {
    const std::string name = fmt::format("line {}", number);
    cases.push_back(CaseLine(line, quoted_path(path) + ": " + name).read(rule, name));
  });
  if (cases.empty()) throw InputError(quoted_path(path) + " is empty; give one case a line");
  return cases;
}

std::string adequacy_line(const std::string& suite, const std::string& rule,
                          const AuditPlace& place, std::uint64_t samples, double level) {
  const VerifyRequest request = request_at(place);
  return Json{{"suite", suite},
              {"rule", rule},
              {"draft_tokens", of_drafts(request.drafts)},
              {"draft_probs", of_drafts(request.draft_rows)},
              {"target_probs", of_drafts(request.target_rows)},
              {"samples", samples},
              {"statistic", "binomial"},
              {"counts", "tokens"},
              {"level", level}}
      .dump();
}

}  // namespace speclab
