// Texts from the answers of inference servers; the forms are in docs/score.md.
#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "recorded/scored/source.h"

namespace speclab {
namespace {

/// Tokens with log-probabilities; NaN where a server gives none.
struct Response {
  std::string place;
  std::vector<std::string> ids;    ///< empty: none are given
  std::vector<std::string> words;  ///< the same
  std::vector<double> logs;

  [[nodiscard]] std::size_t size() const { return logs.size(); }
  [[nodiscard]] const std::vector<std::string>& names(bool by_id) const {
    return by_id ? ids : words;
  }
  void add(const Json* id, const Json* word, double log) {
    if (id != nullptr && !id->is_null()) ids.push_back(id->is_string() ? id->string() : id->dump());
    if (word != nullptr && word->is_string()) words.push_back(word->string());
    logs.push_back(log);
  }
  /// Keeps names that every token has.
  void settle() {
    if (ids.size() != logs.size()) ids.clear();
    if (words.size() != logs.size()) words.clear();
  }
};

double log_of(const Json* value) {
  if (value == nullptr || value->is_null()) return NAN;
  if (value->is_number()) return value->get<double>();
  if (value->is_string() && (value->string() == "-inf" || value->string() == "-Infinity")) {
    return -HUGE_VAL;
  }
  return NAN;
}

/// The member at a path of keys, or null.
const Json* at_path(const Json* json, std::initializer_list<std::string_view> path) {
  for (const std::string_view key : path) {
    if (json != nullptr) json = json->find(key);
  }
  return json != nullptr && !json->is_null() ? json : nullptr;
}

bool filled(const Json* list) { return list != nullptr && list->is_array() && !list->empty(); }

/// vLLM: a list of null or {id: {"logprob", "rank", "decoded_token"}}. Of several tokens it is the
/// one that prompt_token_ids names, or the first.
Response prompt_logprobs(const Json& list, const Json* ids) {
  Response made;
  for (std::size_t j = 0; j < list.size(); ++j) {
    const Json& entry = list[j];
    const Json* id = filled(ids) && j < ids->size() ? &(*ids)[j] : nullptr;
    if (!entry.is_object() || entry.empty()) {
      const Json no_name("");
      made.add(id, &no_name, NAN);
      continue;
    }
    const auto* member = &entry.items().front();
    for (const auto& each : entry.items()) {
      if (id != nullptr && each.first == (id->is_string() ? id->string() : id->dump())) {
        member = &each;
      }
    }
    const Json key(member->first);
    made.add(&key, member->second.find("decoded_token"), log_of(member->second.find("logprob")));
  }
  // A first token without an entry has no id unless they are given.
  if (!made.logs.empty() && made.ids.size() + 1 == made.logs.size()) {
    made.ids.insert(made.ids.begin(), "");
  }
  return made;
}

/// The id in "token_id:123", as vLLM's return_tokens_as_token_ids writes tokens; null of others.
Json id_in(const Json* word) {
  constexpr std::string_view kMark = "token_id:";
  if (word == nullptr || !word->is_string() || !word->string().starts_with(kMark)) return {};
  return Json(word->string().substr(kMark.size()));
}

/// OpenAI: {"tokens", "token_logprobs"}. @param ids  of vLLM's return_token_ids, or null
Response token_logprobs(const Json& logprobs, const Json* ids) {
  Response made;
  const Json& logs = *logprobs.find("token_logprobs");
  const Json* tokens = logprobs.find("tokens");
  const bool known = filled(ids) && ids->size() == logs.size();
  for (std::size_t j = 0; j < logs.size(); ++j) {
    const Json* word = filled(tokens) && j < tokens->size() ? &(*tokens)[j] : nullptr;
    const Json id = known ? (*ids)[j] : id_in(word);
    made.add(&id, word, log_of(&logs[j]));
  }
  return made;
}

/// SGLang: [[logprob, id, text or null], ..].
Response sglang_logprobs(const Json& list) {
  Response made;
  for (const Json& entry : list) {
    if (!entry.is_array() || entry.size() < 2) continue;
    made.add(&entry[1], entry.size() > 2 ? &entry[2] : nullptr, log_of(&entry[0]));
  }
  return made;
}

/// llama.cpp, and OpenAI's chats: [{"id", "token", "logprob"}, ..]; older servers have "prob".
Response listed_logprobs(const Json& list) {
  Response made;
  for (const Json& entry : list) {
    const Json* log = entry.find("logprob");
    const Json* prob = entry.find("prob");
    const double value = log != nullptr    ? log_of(log)
                         : prob != nullptr ? std::log(log_of(prob))
                                           : NAN;
    made.add(entry.find("id"), entry.find("token"), value);
  }
  return made;
}

/// @throws InputError "PLACE: ..." where it is no response with log-probabilities
Response read_response(std::string_view line, const std::string& place) {
  const Json json = read_json_line(line, place, "response");
  const Json* choices = json.find("choices");
  const Json* choice = filled(choices) ? &(*choices)[0] : nullptr;
  const Json* prompt = at_path(choice, {"prompt_logprobs"});
  if (prompt == nullptr) prompt = at_path(&json, {"prompt_logprobs"});
  const Json* ids = at_path(choice, {"prompt_token_ids"});
  if (ids == nullptr) ids = at_path(&json, {"prompt_token_ids"});
  const Json* logprobs = at_path(choice, {"logprobs"});
  const Json* generated = at_path(logprobs, {"token_logprobs"});
  const Json* input = at_path(&json, {"meta_info", "input_token_logprobs"});
  const Json* output = at_path(&json, {"meta_info", "output_token_logprobs"});
  Response made;
  // A server that scores a prompt may generate a token beyond it.
  if (filled(generated) && (generated->size() > 1 || !filled(prompt))) {
    made = token_logprobs(*logprobs, at_path(choice, {"token_ids"}));
  } else if (filled(prompt)) {
    made = prompt_logprobs(*prompt, ids);
  } else if (filled(at_path(logprobs, {"content"}))) {
    made = listed_logprobs(*at_path(logprobs, {"content"}));
  } else if (filled(at_path(&json, {"completion_probabilities"}))) {
    made = listed_logprobs(*at_path(&json, {"completion_probabilities"}));
  } else if (filled(output) && (!filled(input) || output->size() > input->size())) {
    made = sglang_logprobs(*output);
  } else if (filled(input)) {
    made = sglang_logprobs(*input);
  } else {
    throw InputError(place +
                     ": it has no log-probabilities; ask vLLM for prompt_logprobs=0 or logprobs=0 "
                     "with echo, SGLang for return_logprob, llama.cpp for n_probs=1");
  }
  made.settle();
  made.place = place;
  if (made.ids.empty() && made.words.empty()) {
    throw InputError(place +
                     ": its tokens have neither ids nor strings, so that the two models' "
                     "texts cannot be compared; ask the server for them");
  }
  return made;
}

/// The last tokens of both, as many as the one with fewer has.
struct SharedSteps {
  SharedSteps(const Response& target, const Response& draft)
      : length(std::min(target.size(), draft.size())),
        target_from(target.size() - length),
        draft_from(draft.size() - length) {}
  std::size_t length, target_from, draft_from;
};

/// The first of the overlap's tokens that differ, or nothing. "" stands for a token without a name.
std::optional<std::size_t> difference(const Response& target, const Response& draft,
                                      const SharedSteps& at) {
  const bool by_id = !target.ids.empty() && !draft.ids.empty();
  const auto& left = target.names(by_id);
  const auto& right = draft.names(by_id);
  if (left.empty() || right.empty()) {
    throw InputError(fmt::format("{} has ids and {} has strings; ask both servers alike",
                                 left.empty() ? draft.place : target.place,
                                 left.empty() ? target.place : draft.place));
  }
  for (std::size_t j = 0; j < at.length; ++j) {
    const std::string& one = left[at.target_from + j];
    const std::string& other = right[at.draft_from + j];
    if (one != other && !one.empty() && !other.empty()) return j;
  }
  return std::nullopt;
}

/// What responses of one text have in common: their last tokens.
std::string key_of(const Response& response, bool by_id) {
  constexpr std::size_t kLast = 16;
  const auto& names = response.names(by_id);
  std::string key;
  for (std::size_t j = names.size() > kLast ? names.size() - kLast : 0; j < names.size(); ++j) {
    key += names[j] + '\x1f';
  }
  return key;
}

class ResponseTexts final : public TextSource {
 public:
  ResponseTexts(const std::string& target, const std::string& draft, TextFields fields)
      : lines_(target), fields_(std::move(fields)) {
    LineReader drafts(draft);
    std::string_view line;
    while (drafts.next(line)) {
      drafts_.push_back(read_response(line, drafts.place()));
      for (const bool by_id : {false, true}) {
        if (drafts_.back().names(by_id).empty()) continue;
        by_end_[by_id ? 1 : 0].emplace(key_of(drafts_.back(), by_id), drafts_.size() - 1);
      }
    }
    if (drafts_.empty()) throw InputError(draft + " is empty; give one response a line");
  }

  [[nodiscard]] std::string place() const override { return lines_.place(); }

  bool next(ScoredText& text) override {
    std::string_view line;
    if (!lines_.next(line)) {
      if (read_ == 0) throw InputError(lines_.path() + " is empty; give one response a line");
      return false;
    }
    const Response target = read_response(line, lines_.place());
    const Response& draft = partner(target);
    ++read_;
    const SharedSteps overlap(target, draft);
    text.clear();
    text.id = lines_.place();
    if (!fields_.group.empty()) text.group = group_of(line);
    const auto& shown = target.names(/*by_id=*/target.words.empty());
    for (std::size_t j = 0; j < overlap.length; ++j) {
      const double of_target = target.logs[overlap.target_from + j];
      const double of_draft = draft.logs[overlap.draft_from + j];
      // What comes before a token without a number is prompt.
      if (std::isnan(of_target) || std::isnan(of_draft)) {
        text.clear_tokens();
        continue;
      }
      text.target.push_back(of_target);
      text.draft.push_back(of_draft);
      if (fields_.show_tokens) text.tokens.push_back(shown[overlap.target_from + j]);
    }
    settle_text(text, 0, place());
    return true;
  }

 private:
  /// The draft's response about the same text: that of the same line, or one with the same end.
  const Response& partner(const Response& target) {
    std::optional<std::size_t> differs;
    if (read_ < drafts_.size()) {
      const Response& same = drafts_[read_];
      differs = difference(target, same, SharedSteps(target, same));
      if (!differs) return same;
    }
    for (const bool by_id : {true, false}) {
      if (target.names(by_id).empty()) continue;
      const auto [first, last] = by_end_[by_id ? 1 : 0].equal_range(key_of(target, by_id));
      for (auto each = first; each != last; ++each) {
        const Response& found = drafts_[each->second];
        if (!difference(target, found, SharedSteps(target, found))) return found;
      }
    }
    if (!differs) {
      throw InputError(target.place +
                       ": no response of the draft's file is about its text; score "
                       "the same texts with both models");
    }
    const Response& same = drafts_[read_];
    const SharedSteps at(target, same);
    const bool by_id = !target.ids.empty() && !same.ids.empty();
    throw InputError(fmt::format(
        "{}: token {} is '{}', and token {} of {} is '{}'; score the same texts with both models, "
        "under one tokenizer",
        target.place, at.target_from + *differs,
        abbreviate(target.names(by_id)[at.target_from + *differs]), at.draft_from + *differs,
        same.place, abbreviate(same.names(by_id)[at.draft_from + *differs])));
  }

  [[nodiscard]] std::string group_of(std::string_view line) const {
    const Json json = read_json(line);
    const Json* found = json.find(fields_.group);
    if (found != nullptr) return found->is_string() ? found->string() : found->dump();
    throw InputError(fmt::format("{}: it lacks the key \"{}\" that texts are parted by",
                                 lines_.place(), abbreviate(fields_.group)));
  }

  LineReader lines_;
  TextFields fields_;
  std::vector<Response> drafts_;
  std::unordered_multimap<std::string, std::size_t> by_end_[2];  ///< by strings, by ids
  std::size_t read_ = 0;
};

}  // namespace

std::unique_ptr<TextSource> open_responses(const std::string& target, const std::string& draft,
                                           const TextFields& fields) {
  return std::make_unique<ResponseTexts>(target, draft, fields);
}

}  // namespace speclab
