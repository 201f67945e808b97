#include "audit/parity/samples.h"

#include <fmt/format.h>

#include <unordered_map>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "system/read_file.h"
#include "system/text_lines.h"

namespace speclab {
namespace {

/// A character of UTF-8: its first byte says how many follow.
std::size_t character_bytes(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

enum class TokenForm { none, ids, strings, text };

class ServedReader {
 public:
  explicit ServedReader(ServedSamples& samples) : samples_(samples) {}

  void read(const std::string& path, std::vector<ServedOutput> ServedPrompt::*side) {
    const bool any = each_text_line(path, [&](const std::string& line, int number) {
      line_ = number;
      where_ = fmt::format("{}: line {}", quoted_path(path), number);
      read_line(line, side);
    });
    if (!any) throw InputError(quoted_path(path) + " is empty; give one output a line");
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError(where_ + ": " + message);
  }

  void read_line(const std::string& line, std::vector<ServedOutput> ServedPrompt::*side) {
    Json object;
    try {
      object = read_json(line);
    } catch (const JsonError& error) {
      refuse(std::string("it is not one JSON object (") + error.what() +
             "); give one output a line");
    }
    if (!object.is_object()) refuse("it is not one JSON object; give one output a line");
    const Json* prompt = object.find("prompt");
    const bool named = prompt != nullptr && !prompt->is_null();
    const std::string written = named ? prompt->dump() : std::string();
    const auto [place, added] = prompts_.try_emplace(written, samples_.prompts.size());
    if (added) {
      const bool text = named && prompt->is_string();
      samples_.prompts.push_back({text ? prompt->string() : written, {}, {}});
    }
    auto& outputs = samples_.prompts[place->second].*side;
    const Json* choices = object.find("choices");
    if (choices == nullptr) {
      outputs.push_back(read_output(object, object));
      return;
    }
    if (!choices->is_array() || choices->empty()) refuse("choices is no list of outputs");
    for (const Json& choice : *choices) {
      if (!choice.is_object()) refuse("choices is no list of outputs");
      outputs.push_back(read_output(choice, object));
    }
  }

  ServedOutput read_output(const Json& object, const Json& line) {
    ServedOutput output;
    output.line = line_;
    const Json* tokens = object.find("tokens");
    if (tokens == nullptr) tokens = object.find("token_ids");
    const Json* text = object.find("text");
    if (tokens != nullptr && !tokens->is_null()) {
      read_tokens(*tokens, output);
    } else if (text != nullptr && text->is_string()) {
      read_text(text->string(), output);
    } else {
      refuse("it has neither \"tokens\", a list of ids or strings, nor \"text\"; give one");
    }
    if (const Json* margins = object.find("margins"); margins != nullptr && !margins->is_null()) {
      read_margins(*margins, output);
    }
    output.seed = word_of(line, "seed");
    output.batch = word_of(line, "batch");
    return output;
  }

  static std::optional<std::string> word_of(const Json& object, const char* key) {
    const Json* value = object.find(key);
    if (value == nullptr || value->is_null()) return std::nullopt;
    return value->is_string() ? value->string() : value->dump();
  }

  void take_form(TokenForm form) {
    if (form_ != TokenForm::none && form_ != form) {
      constexpr const char* kNames[] = {"", "ids", "strings", "text"};
      refuse(
          fmt::format("its output is of {} and those before it are of {}; give one kind in both "
                      "files",
                      kNames[static_cast<int>(form)], kNames[static_cast<int>(form_)]));
    }
    form_ = form;
  }

  int number_of(const std::string& word) {
    const auto [place, added] = words_.try_emplace(word, static_cast<int>(samples_.words.size()));
    if (added) samples_.words.push_back(word);
    return place->second;
  }

  void read_tokens(const Json& tokens, ServedOutput& output) {
    if (!tokens.is_array()) refuse("tokens is no list; give an id or a string a token");
    for (const Json& token : tokens) {
      if (token.is_string()) {
        take_form(TokenForm::strings);
        output.tokens.push_back(number_of(token.string()));
      } else if (token.is_number_unsigned()) {
        take_form(TokenForm::ids);
        output.tokens.push_back(number_of(token.dump()));
      } else {
        refuse(fmt::format("tokens[{}] is {}, neither an id nor a string", output.tokens.size(),
                           abbreviate(token.dump())));
      }
    }
  }

  void read_text(const std::string& text, ServedOutput& output) {
    take_form(TokenForm::text);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t bytes = character_bytes(text[at]);
      output.tokens.push_back(number_of(text.substr(at, bytes)));
      at += bytes;
    }
  }

  void read_margins(const Json& margins, ServedOutput& output) const {
    if (!margins.is_array() || margins.size() != output.tokens.size()) {
      refuse(fmt::format("margins has {} entries and the output has {} tokens; give one a token",
                         margins.is_array() ? margins.size() : 0, output.tokens.size()));
    }
    for (const Json& margin : margins) {
      if (!margin.is_number() || !(margin.get<double>() >= 0)) {
        refuse(fmt::format("margins has {}; give the largest logit less the second, 0 or more",
                           abbreviate(margin.dump())));
      }
      output.margins.push_back(margin.get<double>());
    }
  }

  ServedSamples& samples_;
  std::unordered_map<std::string, std::size_t> prompts_;  ///< as JSON: "1" is not 1
  std::unordered_map<std::string, int> words_;
  TokenForm form_ = TokenForm::none;
  std::string where_;
  std::int64_t line_ = 0;
};

}  // namespace

ServedSamples read_served(const std::string& on, const std::string& off) {
  ServedSamples samples;
  ServedReader reader(samples);
  reader.read(on, &ServedPrompt::on);
  reader.read(off, &ServedPrompt::off);
  return samples;
}

}  // namespace speclab
