// file(PATH): a pair read from one JSON object
//
//   {"vocabulary": V, "kind": KIND, "prompt": LAW, "draft": LAWS, "target": LAWS}
//
// KIND           LAWS
// "iid"          [V]
// "chain"        [V][V], row = previous token
// "nonstationary"  [T][V][V], position 1 first; the pair then has length T
// "tree"         an object from prefix ("" or "0" or "0,2") to [V]; a prefix not listed uses the
//                row of its longest listed prefix, so "" must be listed
// "automaton"    [S][V], row = state; with "next": [S][V], the state that follows each token, and
//                "start", a state (0 by default)
//
// Entries are numbers or strings like "3/8" (model/json_law.h). "prompt" is the law of the token
// before position 1, for the two chains only; uniform by default. Unknown keys are an error.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "model/chain.h"
#include "model/families/automaton.h"
#include "model/families/families.h"
#include "model/families/iid.h"
#include "model/families/json_law.h"
#include "model/families/listed_tree.h"
#include "system/memory.h"
#include "system/read_file.h"

namespace speclab {
namespace {

class Document {
 public:
  /// @param where  name of the document in messages
  Document(const Json& root, std::string where) : where_(std::move(where)), root_(root) {
    if (!root_.is_object()) refuse("is not a JSON object; write {\"vocabulary\": ...}");
    static const std::vector<std::string> known{"vocabulary", "kind", "prompt", "draft",
                                                "target",     "next", "start"};
    for (const auto& [key, value] : root_.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        refuse("has the unknown key '" + abbreviate(key) + "'; the keys are " + join(known) +
               suggestion(key, known));
      }
    }
    const Json& vocabulary = member("vocabulary");
    if (!vocabulary.is_number_integer() || vocabulary.get<double>() < 1 ||
        vocabulary.get<double>() > kMaxVocabulary) {
      refuse("has \"vocabulary\": " + abbreviate(vocabulary.dump()) +
             "; give a whole number from 1 to " + std::to_string(kMaxVocabulary));
    }
    vocabulary_ = vocabulary.get<Token>();
  }

  [[nodiscard]] std::shared_ptr<Pair> pair() const {
    static const std::vector<std::string> kinds{"iid", "chain", "nonstationary", "tree",
                                                "automaton"};
    const Json& named = member("kind");
    const std::string kind = named.is_string() ? named.get<std::string>() : named.dump();
    const bool chain = kind == "chain" || kind == "nonstationary";
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
      refuse("has the kind '" + abbreviate(kind) + "'; the kinds are " + join(kinds) +
             suggestion(kind, kinds));
    }
    if (!chain && root_.contains("prompt")) {
      refuse("has a \"prompt\", which only the kinds chain and nonstationary take; remove it");
    }
    for (const char* key : {"next", "start"}) {
      if (kind != "automaton" && root_.contains(key)) {
        refuse("has a \"" + std::string(key) +
               "\", which only the kind automaton takes; remove it");
      }
    }
    if (kind == "automaton") return automaton();
    if (kind == "iid") return std::make_shared<IidPair>(law("draft"), law("target"));
    if (kind == "tree") return tree();
    return kind == "chain" ? homogeneous() : nonstationary();
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError(where_ + " " + message);
  }
  [[nodiscard]] const Json& member(const std::string& key) const {
    const Json* found = root_.find(key);
    if (found == nullptr) refuse("lacks the key \"" + key + "\"; add it");
    return *found;
  }
  [[nodiscard]] std::string place(const std::string& part) const { return where_ + ": " + part; }
  [[nodiscard]] std::vector<Rational> law(const std::string& key) const {
    return read_json_law(member(key), vocabulary_, place(key));
  }
  [[nodiscard]] std::vector<Rational> prompt() const {
    return root_.contains("prompt") ? law("prompt") : uniform_prompt(vocabulary_);
  }

  /// Appends one row for each previous token.
  void append_rows(const Json& rows, const std::string& where, std::vector<Rational>& table) const {
    if (!rows.is_array() || rows.size() != static_cast<std::size_t>(vocabulary_)) {
      throw InputError(
          where + " has " + (rows.is_array() ? std::to_string(rows.size()) + " rows" : "no rows") +
          "; give a list of " + std::to_string(vocabulary_) + " rows, one a previous token");
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const auto read =
          read_json_law(rows[row], vocabulary_, where + ", row " + std::to_string(row));
      table.insert(table.end(), read.begin(), read.end());
    }
  }

  [[nodiscard]] std::shared_ptr<Pair> homogeneous() const {
    std::vector<Rational> draft;
    std::vector<Rational> target;
    append_rows(member("draft"), place("draft"), draft);
    append_rows(member("target"), place("target"), target);
    return std::make_shared<ChainPair<Rational>>(std::move(draft), std::move(target), prompt(),
                                                 std::nullopt);
  }

  [[nodiscard]] std::vector<Rational> positions(const std::string& key) const {
    const Json& tables = member(key);
    if (!tables.is_array() || tables.empty()) {
      refuse("has a \"" + key + "\" that is not a list of positions; give [T][V][V] probabilities");
    }
    std::vector<Rational> table;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      append_rows(tables[i], place(key) + ", position " + std::to_string(i + 1), table);
    }
    return table;
  }

  [[nodiscard]] std::shared_ptr<Pair> nonstationary() const {
    std::vector<Rational> draft = positions("draft");
    std::vector<Rational> target = positions("target");
    const std::size_t length = member("draft").size();
    if (member("target").size() != length) {
      refuse("has " + std::to_string(length) + " positions in \"draft\" and " +
             std::to_string(member("target").size()) + " in \"target\"; give both the same number");
    }
    return std::make_shared<ChainPair<Rational>>(std::move(draft), std::move(target), prompt(),
                                                 static_cast<int>(length));
  }

  [[nodiscard]] ListedLaws listed(const std::string& key) const {
    const Json& rows = member(key);
    if (!rows.is_object()) {
      refuse("has a \"" + key +
             "\" that is not an object from prefixes to rows; write {\"\": ...}");
    }
    ListedLaws laws;
    for (const auto& [text, row] : rows.items()) {
      const std::string where = place(key) + ", prefix '" + abbreviate(text) + "'";
      laws.emplace(parse_prefix(text, vocabulary_, where), read_json_law(row, vocabulary_, where));
    }
    if (!laws.contains({})) {
      refuse("lists no row for the empty prefix in \"" + key + "\"; add \"\": [...]");
    }
    return laws;
  }

  [[nodiscard]] std::shared_ptr<Pair> tree() const {
    return std::make_shared<ListedTreePair>(vocabulary_, listed("draft"), listed("target"));
  }

  /// The list of `key`, with a row a state.
  [[nodiscard]] const Json& state_rows(const std::string& key, std::size_t states) const {
    const Json& rows = member(key);
    if (rows.is_array() && rows.size() == states) return rows;
    refuse("has a \"" + key + "\" of " +
           (rows.is_array() ? std::to_string(rows.size()) + " rows" : "no rows") +
           "; give it one row a state, as \"draft\" has " + std::to_string(states));
  }
  [[nodiscard]] State state_of(const Json& entry, std::size_t states,
                               const std::string& where) const {
    if (entry.is_number_integer() && entry.get<double>() >= 0 &&
        entry.get<double>() < static_cast<double>(states)) {
      return entry.get<State>();
    }
    throw InputError(where + ": " + abbreviate(entry.dump()) +
                     " is not a state; give a whole number from 0 to " +
                     std::to_string(states - 1));
  }

  [[nodiscard]] std::shared_ptr<Pair> automaton() const {
    const Json& draft = member("draft");
    if (!draft.is_array() || draft.empty()) {
      refuse(
          "has a \"draft\" that is not a list of rows; give [S][V] probabilities, a row a state");
    }
    const std::size_t size = draft.size();
    const Json& target = state_rows("target", size);
    const Json& next = state_rows("next", size);
    std::vector<AutomatonState> states(size);
    for (std::size_t i = 0; i < size; ++i) {
      const std::string row = ", state " + std::to_string(i);
      states[i].draft = read_json_law(draft[i], vocabulary_, place("draft") + row);
      states[i].target = read_json_law(target[i], vocabulary_, place("target") + row);
      if (!next[i].is_array() || next[i].size() != static_cast<std::size_t>(vocabulary_)) {
        throw InputError(place("next") + row + " is not a list of " + std::to_string(vocabulary_) +
                         " states; give one a token");
      }
      for (std::size_t x = 0; x < next[i].size(); ++x) {
        states[i].next.push_back(state_of(next[i][x], size, place("next") + row));
      }
    }
    const State start =
        root_.contains("start") ? state_of(member("start"), size, place("start")) : State{0};
    return std::make_shared<AutomatonPair>(std::move(states), start);
  }

  std::string where_;
  const Json& root_;
  Token vocabulary_ = 0;
};

/// A document of N numbers in B bytes needs at most 192 N + 3 B bytes while it is read; measured
/// per number: 97 for 0, 135 for 0.000001, 185 for "1/1000000", 240 for a fraction of 32 digits.
void check_memory(const std::string& text, const std::string& where, double max_memory) {
  constexpr double kPerNumber = 192, kPerByte = 3;
  const auto numbers = 1 + static_cast<double>(std::count(text.begin(), text.end(), ','));
  const double bytes = kPerNumber * numbers + kPerByte * static_cast<double>(text.size());
  if (bytes <= max_memory) return;
  throw LimitError(fmt::format(
      "{}: its {} numbers may take {}, over the limit of {}; give a smaller vocabulary or fewer "
      "laws, or allow more memory (max-memory)",
      where, numbers, size_text(bytes), size_text(max_memory)));
}

}  // namespace

PairPointer read_json_pair(const Json& object, const std::string& where) {
  return Document(object, where).pair();
}

PairPointer make_file(SpecReader& spec, double max_memory) {
  const std::string path = spec.path("path", true);
  const std::string bytes = read_file(path);
  const std::string where = quoted_path(path);
  check_memory(bytes, where, max_memory);
  if (bytes.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw InputError(where +
                     " is empty; write a pair there, such as {\"vocabulary\": 2, \"kind\": "
                     "\"iid\", \"draft\": [\"1/3\", \"2/3\"], \"target\": [\"2/3\", \"1/3\"]}");
  }
  const std::shared_ptr<Pair> pair = Document(parse_json(bytes, where), where).pair();
  pair->set_inputs({input_file(path, bytes)});
  return pair;
}

}  // namespace speclab
