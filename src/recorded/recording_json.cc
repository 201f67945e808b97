// A recording as JSON lines: the first line has the same content as the attributes of the HDF5
// form,
//   {"format": "speclab-recorded", "version": 1, "vocabulary": V, "rows": "probabilities"}
// then one object a prompt,
//   {"tokens": [..n], "starts": [..n], "draft": [[..V] ..n], "target": [[..V] ..n or n + 1]}
// with the n tokens of its path; "starts" and "emitted" may be left out, and "-inf" stands for that
// logit. Where the first line has "paths": K, each of tokens, draft and target is a list of K such
// lists. Where it has "drafts": "argmax", "draft" may be left out.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "model/families/json_law.h"
#include "recorded/recording.h"

namespace speclab {
namespace {

void check_keys(const Json& object, const std::vector<std::string>& known,
                const std::string& where) {
  if (!object.is_object()) throw InputError(where + " is not a JSON object");
  refuse_unknown_keys(object, known, where);
}

const Json& member(const Json& object, const std::string& key, const std::string& where) {
  const Json* found = object.find(key);
  if (found == nullptr) throw InputError(fmt::format("{} lacks the key \"{}\"", where, key));
  return *found;
}

std::int64_t whole_number(const Json& value, const std::string& what) {
  // Comparing JSON numbers would reinterpret an unsigned number as signed.
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!value.is_number_integer() ||
      (value.is_number_unsigned() && value.get<std::uint64_t>() > kMost)) {
    throw InputError(what + " is " + abbreviate(value.dump()) + "; give a whole number");
  }
  return value.get<std::int64_t>();
}

std::string word(const Json& value, const std::string& what) {
  if (!value.is_string()) {
    throw InputError(what + " is " + abbreviate(value.dump()) + "; give a string");
  }
  return value.get<std::string>();
}

std::vector<std::int64_t> whole_numbers(const Json& list, const std::string& what) {
  if (!list.is_array()) throw InputError(what + " is not a list of whole numbers");
  std::vector<std::int64_t> numbers;
  for (const Json& entry : list) {
    numbers.push_back(whole_number(entry, fmt::format("{}: entry {}", what, numbers.size())));
  }
  return numbers;
}

class JsonRecording final : public Recording {
 public:
  JsonRecording(const std::string& path, std::string bytes)
      : Recording("recorded(" + path + ")", input_file(path, bytes)), bytes_(std::move(bytes)) {
    for (std::size_t at = 0; at < bytes_.size();) {
      const std::size_t end = std::min(bytes_.find('\n', at), bytes_.size());
      if (bytes_.find_first_not_of(" \t\r", at) < end) lines_.emplace_back(at, end - at);
      at = end + 1;
    }
    if (lines_.empty()) refuse("is empty; a recording begins with a line of attributes");
    const std::string where = name_ + ": line 1";
    const Json head = parse_json(line(0), where);
    check_keys(head,
               {"format", "version", "vocabulary", "rows", "draft_model", "target_model",
                "tokenizer", "temperature", "paths", "drafts"},
               where);
    const auto given = [&](const char* name) -> const Json& { return member(head, name, where); };
    const auto what = [&](const char* name) { return where + ": " + name; };
    read_attributes(
        {.has = [&](const char* name) { return head.contains(name); },
         .whole = [&](const char* name) { return whole_number(given(name), what(name)); },
         .word = [&](const char* name) { return word(given(name), what(name)); }},
        where);
    lists_ = head.contains("paths");
    shape_.prompts = static_cast<std::int64_t>(lines_.size()) - 1;
    if (shape_.prompts == 0) refuse("has no prompt; write one a line after the attributes");
  }

  [[nodiscard]] bool has_row(RecordedModel model, PathNumber at, int position) const override {
    return has_rows(model, at) && static_cast<std::size_t>(position) < rows(model, at).size();
  }

 private:
  [[nodiscard]] std::string line(std::size_t i) const {
    return bytes_.substr(lines_[i].first, lines_[i].second);
  }

  [[nodiscard]] std::string where(std::int64_t prompt) const {
    return fmt::format("{}: prompt {}", name_, prompt);
  }

  /// The prompt that a thread parsed last, and its recording.
  struct Parsed {
    std::uint64_t of = 0;
    std::int64_t prompt = -1;
    Json object;
  };

  const Json& object(std::int64_t prompt) const {
    thread_local Parsed parsed;
    if (parsed.of != number_ || parsed.prompt != prompt) {
      parsed.of = 0;
      parsed.object = parse_json(line(static_cast<std::size_t>(prompt) + 1), where(prompt));
      check_keys(parsed.object, {"tokens", "starts", "emitted", "draft", "target"}, where(prompt));
      parsed.of = number_;
      parsed.prompt = prompt;
    }
    return parsed.object;
  }

  /// The value of a prompt's key for one of its paths.
  [[nodiscard]] const Json& list(const std::string& key, PathNumber at) const {
    const Json& found = member(object(at.prompt), key, where(at.prompt));
    if (!lists_) return found;
    if (!found.is_array() || found.size() != static_cast<std::size_t>(shape_.paths)) {
      throw InputError(fmt::format("{}: {} is not a list of {} lists, one a path", where(at.prompt),
                                   key, shape_.paths));
    }
    return found[static_cast<std::size_t>(at.path)];
  }

  void read_path(PathNumber at, RawPath& path) const override {
    path.tokens = whole_numbers(list("tokens", at), place(at) + ": tokens");
    const std::size_t length = path.tokens.size();
    if (has_rows(RecordedModel::draft, at)) check_rows("draft", at, length, length);
    check_rows("target", at, length, length + 1);
    const Json& given = object(at.prompt);
    if (at.path == 0 && given.contains("emitted")) {
      path.emitted = whole_numbers(given["emitted"], where(at.prompt) + ": emitted");
      if (path.emitted.size() != length) {
        throw InputError(fmt::format("{}: emitted has {} entries and tokens has {}; give as many",
                                     place(at), path.emitted.size(), length));
      }
    }
    if (!given.contains("starts")) return;
    path.starts = whole_numbers(given["starts"], where(at.prompt) + ": starts");
    // A path may end before others do.
    if (shape_.paths > 1 && path.starts.size() > length) path.tokens.resize(path.starts.size(), -1);
    if (path.starts.size() != path.tokens.size()) {
      throw InputError(fmt::format("{}: starts has {} entries and tokens has {}; give as many",
                                   place(at), path.starts.size(), length));
    }
  }

  void check_rows(const std::string& key, PathNumber at, std::size_t fewest,
                  std::size_t most) const {
    const Json& rows = list(key, at);
    if (rows.is_array() && rows.size() >= fewest && rows.size() <= most) return;
    throw InputError(fmt::format("{}: {} has {}; give a list of {}{}, one a position", place(at),
                                 key,
                                 rows.is_array() ? fmt::format("{} rows", rows.size()) : "no rows",
                                 fewest, most > fewest ? fmt::format(" or {}", most) : ""));
  }

  /// The draft's rows may be left out where its tokens were not drawn.
  [[nodiscard]] bool has_rows(RecordedModel model, PathNumber at) const {
    return model == RecordedModel::target || !shape_.likeliest ||
           object(at.prompt).contains("draft");
  }

  [[nodiscard]] const Json& rows(RecordedModel model, PathNumber at) const {
    return list(model == RecordedModel::draft ? "draft" : "target", at);
  }

  void read_row(RecordedModel model, PathNumber at, int position, RawRow& row) const override {
    const Json& list = rows(model, at)[static_cast<std::size_t>(position)];
    const auto what = [&] {
      return fmt::format("{}, {} row", place(at, position),
                         model == RecordedModel::draft ? "draft" : "target");
    };
    if (!list.is_array()) throw InputError(what() + ": it is not a list of numbers");
    row.values.reserve(list.size());
    for (const Json& entry : list) {
      if (entry.is_number()) {
        row.values.push_back(entry.get<double>());
      } else if (entry == "-inf") {
        row.values.push_back(-HUGE_VAL);
      } else {
        throw InputError(fmt::format("{}: token {} has {}; give a number", what(),
                                     row.values.size(), abbreviate(entry.dump())));
      }
    }
  }

  static std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }

  std::uint64_t number_ = next_number();  ///< from 1; no two recordings of a process share one
  bool lists_ = false;                    ///< each key has a list of paths
  std::string bytes_;
  std::vector<std::pair<std::size_t, std::size_t>> lines_;  ///< from, length; empty ones left out
};

}  // namespace

std::shared_ptr<Recording> open_json_recording(const std::string& path, std::string bytes) {
  return std::make_shared<JsonRecording>(path, std::move(bytes));
}

}  // namespace speclab
