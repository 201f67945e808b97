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
//                "start", a state (0 by default); and where the draft begins anew with each
//                iteration "root": [S], the state in which one begins that follows a state
// "blocks"       "target" [S][V], with "next" and "start" as above; "draft" [S][L][V], the laws of
//                an iteration's offsets given the target's state in which it begins
//
// With "d2t": [D], a draft over a vocabulary of its own, each law of the draft has D entries: entry
// i is of the token i + d2t[i], as EAGLE-3's checkpoints have it, and no other token is drafted.
//
// Entries are numbers or strings like "3/8" (model/families/json_law.h). "prompt" is the law of the
// token before position 1, for the two chains only; uniform by default. Unknown keys are an error.
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
#include "model/families/resetting.h"
#include "system/memory.h"
#include "system/read_file.h"

namespace speclab {
namespace {

class PairDocument {
 public:
  /// @param where  name of the document in messages
  PairDocument(const Json& root, std::string where) : where_(std::move(where)), root_(root) {
    if (!root_.is_object()) refuse("is not a JSON object; write {\"vocabulary\": ...}");
    static const std::vector<std::string> known{"vocabulary", "kind",  "prompt", "draft", "target",
                                                "next",       "start", "root",   "d2t"};
    refuse_unknown_keys(root_, known, where_);
    const Json& vocabulary = member("vocabulary");
    if (!vocabulary.is_number_integer() || vocabulary.get<double>() < 1 ||
        vocabulary.get<double>() > kMaxVocabulary) {
      refuse("has \"vocabulary\": " + abbreviate(vocabulary.dump()) +
             "; give a whole number from 1 to " + std::to_string(kMaxVocabulary));
    }
    vocabulary_ = vocabulary.get<Token>();
    if (root_.contains("d2t")) read_map(member("d2t"));
  }

  [[nodiscard]] std::shared_ptr<Pair> pair() const {
    static const std::vector<std::string> kinds{"iid",  "chain",     "nonstationary",
                                                "tree", "automaton", "blocks"};
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
      if (kind == "automaton" || kind == "blocks" || !root_.contains(key)) continue;
      refuse("has a \"" + std::string(key) +
             "\", which only the kinds automaton and blocks take; remove it");
    }
    if (kind != "automaton" && root_.contains("root")) {
      refuse("has a \"root\", which only the kind automaton takes; remove it");
    }
    if (kind == "automaton") return automaton();
    if (kind == "blocks") return blocks();
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
  void read_map(const Json& offsets) {
    if (!offsets.is_array() || offsets.empty()) {
      refuse(
          "has a \"d2t\" that is not a list; give for each token i of the draft the offset to its "
          "token i + d2t[i] of the target");
    }
    std::set<Token> seen;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const double token =
          offsets[i].is_number_integer() ? static_cast<double>(i) + offsets[i].get<double>() : -1.0;
      if (token < 0 || token >= vocabulary_ || !seen.insert(static_cast<Token>(token)).second) {
        refuse(
            fmt::format("has \"d2t\", entry {}: {} is no offset to one of the {} tokens that no "
                        "other entry leads to",
                        i, abbreviate(offsets[i].dump()), vocabulary_));
      }
      drafted_.push_back(static_cast<Token>(token));
    }
  }
  /// A row of one of the models, `draft` or `target`.
  [[nodiscard]] std::vector<Rational> row(const std::string& model, const Json& entries,
                                          const std::string& where) const {
    if (model != "draft" || drafted_.empty()) return read_json_law(entries, vocabulary_, where);
    const auto own = read_json_law(entries, static_cast<Token>(drafted_.size()), where);
    std::vector<Rational> law(static_cast<std::size_t>(vocabulary_), Rational(0));
    for (std::size_t i = 0; i < own.size(); ++i)
      law[static_cast<std::size_t>(drafted_[i])] = own[i];
    return law;
  }
  [[nodiscard]] std::string place(const std::string& part) const { return where_ + ": " + part; }
  [[nodiscard]] std::vector<Rational> law(const std::string& key) const {
    return row(key, member(key), place(key));
  }
  [[nodiscard]] std::vector<Rational> prompt() const {
    return root_.contains("prompt") ? law("prompt") : uniform_prompt(vocabulary_);
  }

  /// Appends one row for each previous token.
  void append_rows(const std::string& model, const Json& rows, const std::string& where,
                   std::vector<Rational>& table) const {
    if (!rows.is_array() || rows.size() != static_cast<std::size_t>(vocabulary_)) {
      throw InputError(
          where + " has " + (rows.is_array() ? std::to_string(rows.size()) + " rows" : "no rows") +
          "; give a list of " + std::to_string(vocabulary_) + " rows, one a previous token");
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto read = row(model, rows[i], where + ", row " + std::to_string(i));
      table.insert(table.end(), read.begin(), read.end());
    }
  }

  [[nodiscard]] std::shared_ptr<Pair> homogeneous() const {
    std::vector<Rational> draft;
    std::vector<Rational> target;
    append_rows("draft", member("draft"), place("draft"), draft);
    append_rows("target", member("target"), place("target"), target);
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
      append_rows(key, tables[i], place(key) + ", position " + std::to_string(i + 1), table);
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
      laws.emplace(parse_prefix(text, vocabulary_, where), this->row(key, row, where));
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
      states[i].draft = this->row("draft", draft[i], place("draft") + row);
      states[i].target = read_json_law(target[i], vocabulary_, place("target") + row);
      states[i].next = moves(next[i], size, place("next") + row);
    }
    std::vector<State> roots;
    if (root_.contains("root")) {
      for (const Json& entry : state_rows("root", size)) {
        roots.push_back(state_of(entry, size, place("root")));
      }
      check_roots(states, roots, place("root"));
    }
    return std::make_shared<AutomatonPair>(std::move(states), start_of(size), std::move(roots));
  }

  [[nodiscard]] State start_of(std::size_t states) const {
    return root_.contains("start") ? state_of(member("start"), states, place("start")) : State{0};
  }
  [[nodiscard]] std::vector<State> moves(const Json& row, std::size_t states,
                                         const std::string& where) const {
    if (!row.is_array() || row.size() != static_cast<std::size_t>(vocabulary_)) {
      throw InputError(where + " is not a list of " + std::to_string(vocabulary_) +
                       " states; give one a token");
    }
    std::vector<State> after;
    for (const Json& entry : row) after.push_back(state_of(entry, states, where));
    return after;
  }

  [[nodiscard]] std::shared_ptr<Pair> blocks() const {
    const Json& draft = member("draft");
    if (!draft.is_array() || draft.empty() || !draft[0].is_array() || draft[0].empty()) {
      refuse(
          "has a \"draft\" that is not a list of blocks; give [S][L][V] probabilities, a block a "
          "state of the target");
    }
    const std::size_t size = draft.size();
    const Json& laws = state_rows("target", size);
    const Json& next = state_rows("next", size);
    TargetAutomaton target;
    std::vector<std::vector<Rational>> rows;
    for (std::size_t i = 0; i < size; ++i) {
      const std::string row = ", state " + std::to_string(i);
      target.laws.push_back(read_json_law(laws[i], vocabulary_, place("target") + row));
      target.next.push_back(moves(next[i], size, place("next") + row));
      if (!draft[i].is_array() || draft[i].size() != draft[0].size()) {
        throw InputError(place("draft") + row + " is not a list of " +
                         std::to_string(draft[0].size()) + " laws, as state 0 has");
      }
      for (std::size_t j = 0; j < draft[i].size(); ++j) {
        rows.push_back(this->row("draft", draft[i][j],
                                 place("draft") + row + ", offset " + std::to_string(j)));
      }
    }
    target.start = start_of(size);
    return make_resetting(where_, target, block_draft(std::move(rows), size));
  }

  std::string where_;
  const Json& root_;
  Token vocabulary_ = 0;
  std::vector<Token>
      drafted_;  ///< by token of the draft's own vocabulary; empty: it is the target's
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
  return PairDocument(object, where).pair();
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
  const std::shared_ptr<Pair> pair = PairDocument(parse_json(bytes, where), where).pair();
  pair->set_inputs({input_file(path, bytes)});
  return pair;
}

}  // namespace speclab
