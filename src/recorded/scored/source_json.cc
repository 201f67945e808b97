// Scored texts as JSON lines, one object a text:
//   {"id", "target_logprobs": [n], "draft_logprobs": [n] or [n][g], "tokens", "start"}
// -Infinity (as Python's json writes it), "-inf" and null stand for a token that is never drawn.
#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "recorded/scored/source.h"

namespace speclab {
namespace {

static_assert(LineReader::kPadding >= simdjson::SIMDJSON_PADDING);

namespace od = simdjson::ondemand;

/// A field's key. Some versions of simdjson want a word on characters that are no UTF-8, others
/// take none.
template <class Field>
simdjson::simdjson_result<std::string_view> key_of(Field& field) {
  if constexpr (requires { field.unescaped_key(); }) {
    return field.unescaped_key();
  } else {
    return field.unescaped_key(false);
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

class JsonTexts final : public TextSource {
 public:
  JsonTexts(LineReader lines, TextFields fields)
      : lines_(std::move(lines)), fields_(std::move(fields)) {}

  [[nodiscard]] std::string place() const override { return lines_.place(); }

  bool next(ScoredText& text) override {
    std::string_view line;
    if (!lines_.next(line)) {
      if (!any_) throw InputError(lines_.path() + " is empty; give one text a line");
      return false;
    }
    if (!any_ && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
    any_ = true;
    seen_ = {};
    start_ = 0;
    short_rows_.clear();
    text.clear();
    read(line, text);
    for (const auto& [key, seen] :
         {std::pair("target_logprobs", seen_.target), std::pair("draft_logprobs", seen_.draft)}) {
      if (!seen) refuse(fmt::format("it lacks the key \"{}\"", key));
    }
    if (!fields_.group.empty() && !seen_.group) {
      refuse(fmt::format("it lacks the key \"{}\" that texts are parted by",
                         abbreviate(fields_.group)));
    }
    for (const ShortRow& row : short_rows_) {
      if (row.row + row.entries >= text.size()) continue;
      refuse(
          fmt::format("draft_logprobs[{}] has {} entries and draft_logprobs[0] has {}; give as "
                      "many, or all up to the text's end",
                      row.row, row.entries, text.width));
    }
    settle_text(text, start_, place());
    return true;
  }

 private:
  struct Seen {
    bool id = false, target = false, draft = false, tokens = false, start = false, group = false;
  };

  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError(place() + ": " + message);
  }

  [[noreturn]] void refuse_json(simdjson::error_code error) const {
    refuse(fmt::format("it is not one JSON object ({}); give one text a line",
                       simdjson::error_message(error)));
  }

  template <class T>
  T value_of(simdjson::simdjson_result<T> result) const {
    T value;
    if (const auto error = std::move(result).get(value)) refuse_json(error);
    return value;
  }

  void once(bool& seen, std::string_view key) const {
    if (seen) refuse(fmt::format("it has the key \"{}\" twice", key));
    seen = true;
  }

  void read(std::string_view line, ScoredText& text) {
    od::document document = value_of(
        parser_.iterate(line.data(), line.size(), line.size() + simdjson::SIMDJSON_PADDING));
    od::object object = value_of(document.get_object());
    for (auto result : object) {
      od::field field = value_of(std::move(result));
      const std::string_view key = value_of(key_of(field));
      od::value value = field.value();
      if (key == fields_.group && !fields_.group.empty()) {
        once(seen_.group, key);
        text.group = name_of(value, key);
        if (key == "id") text.id = text.group;
      } else if (key == "target_logprobs") {
        once(seen_.target, key);
        numbers(value, key, text.target, nullptr);
      } else if (key == "draft_logprobs") {
        once(seen_.draft, key);
        numbers(value, key, text.draft, &text.width);
      } else if (key == "tokens") {
        once(seen_.tokens, key);
        tokens(value, text);
      } else if (key == "start") {
        once(seen_.start, key);
        if (value.get_int64().get(start_) != simdjson::SUCCESS) {
          refuse("start is no whole number; give the number of prompt tokens");
        }
      } else if (key == "id") {
        once(seen_.id, key);
        text.id = name_of(value, key);
      }
    }
    const char* more = nullptr;
    if (document.current_location().get(more) == simdjson::SUCCESS) {
      refuse("more follows its JSON object; give one text a line");
    }
  }

  /// A string as it is, any other value as it is written.
  std::string name_of(od::value value, std::string_view key) const {
    std::string_view text;
    if (value.get_string().get(text) == simdjson::SUCCESS) return std::string(text);
    od::json_type type;
    if (value.type().get(type) != simdjson::SUCCESS || type == od::json_type::array ||
        type == od::json_type::object) {
      refuse(fmt::format("{} is a list or an object; give a word or a number", key));
    }
    return std::string(trimmed(value.raw_json_token()));
  }

  /// One log-probability.
  double number(od::value value, std::string_view key, std::size_t entry) const {
    double number;
    if (value.get_double().get(number) == simdjson::SUCCESS) return number;
    od::json_type type;
    if (value.type().get(type) == simdjson::SUCCESS &&
        (type == od::json_type::array || type == od::json_type::object)) {
      refuse(fmt::format("{}[{}] is a list or an object; give a number a token", key, entry));
    }
    const std::string_view raw = trimmed(value.raw_json_token());
    if (raw == "null" || raw == "-Infinity" || raw == "\"-inf\"" || raw == "\"-Infinity\"") {
      return -HUGE_VAL;
    }
    if (raw == "NaN" || raw == "\"nan\"" || raw == "\"NaN\"") return NAN;
    refuse(
        fmt::format("{}[{}] is {}; give a number, or -Infinity or null for a token that is "
                    "never drawn",
                    key, entry, abbreviate(raw)));
  }

  /// A list of numbers, or where `width` is given of lists of as many numbers.
  void numbers(od::value value, std::string_view key, std::vector<double>& list, int* width) {
    od::array array;
    if (value.get_array().get(array) != simdjson::SUCCESS) {
      refuse(fmt::format("{} is no list; give a number a token", key));
    }
    std::size_t rows = 0;
    bool first = true;
    bool lists = false;
    for (auto result : array) {
      od::value entry = value_of(std::move(result));
      if (first && width != nullptr) {
        od::json_type type;
        lists = entry.type().get(type) == simdjson::SUCCESS && type == od::json_type::array;
      }
      first = false;
      if (lists) {
        row(entry, key, rows++, list, *width);
      } else {
        list.push_back(number(entry, key, list.size()));
      }
    }
  }

  void row(od::value value, std::string_view key, std::size_t at, std::vector<double>& list,
           int& width) {
    od::array array;
    if (value.get_array().get(array) != simdjson::SUCCESS) {
      refuse(fmt::format("{}[{}] is no list, as the rows before it are; give a list a token", key,
                         at));
    }
    const std::size_t before = list.size();
    for (auto result : array) {
      list.push_back(number(value_of(std::move(result)), key, list.size() - before));
    }
    const auto entries = static_cast<int>(list.size() - before);
    if (at == 0) width = entries;
    if (entries == 0) {
      refuse(
          fmt::format("{}[{}] is empty; give one entry for each token that is drafted", key, at));
    }
    // The last rows may end with the text.
    if (entries > width) {
      refuse(fmt::format("{}[{}] has {} entries and {}[0] has {}; give as many", key, at, entries,
                         key, width));
    }
    if (entries < width) {
      short_rows_.push_back({at, static_cast<std::size_t>(entries)});
      list.resize(before + static_cast<std::size_t>(width), -HUGE_VAL);
    }
  }

  void tokens(od::value value, ScoredText& text) {
    od::array array;
    if (value.get_array().get(array) != simdjson::SUCCESS) {
      refuse("tokens is no list; give an id or a string a token");
    }
    std::optional<bool> strings;
    for (auto result : array) {
      od::value entry = value_of(std::move(result));
      std::string_view word;
      const bool is_string = entry.get_string().get(word) == simdjson::SUCCESS;
      std::int64_t id = 0;
      if (!is_string && entry.get_int64().get(id) != simdjson::SUCCESS) {
        refuse(fmt::format("tokens[{}] is neither an id nor a string", text.tokens.size()));
      }
      if (strings && *strings != is_string) {
        refuse(fmt::format(
            "tokens[{}] is {} and those before it are {}; give ids alone or strings "
            "alone",
            text.tokens.size(), is_string ? "a string" : "an id", is_string ? "ids" : "strings"));
      }
      strings = is_string;
      text.tokens.emplace_back(!fields_.show_tokens ? std::string()
                               : is_string          ? std::string(word)
                                                    : fmt::format("{} ", id));
    }
  }

  struct ShortRow {
    std::size_t row, entries;
  };

  LineReader lines_;
  TextFields fields_;
  od::parser parser_;
  Seen seen_;
  std::int64_t start_ = 0;
  std::vector<ShortRow> short_rows_;
  bool any_ = false;
};

}  // namespace

std::unique_ptr<TextSource> open_json_texts(LineReader lines, const TextFields& fields) {
  return std::make_unique<JsonTexts>(std::move(lines), fields);
}

}  // namespace speclab
