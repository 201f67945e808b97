#include <fmt/format.h>

#include <array>

#include "answer/question.h"
#include "base/split.h"
#include "base/text.h"
#include "claims/engine/papers.h"
#include "claims/engine/registry.h"
#include "command.h"
#include "model/registry.h"
#include "option_values.h"
#include "report/output.h"

namespace speclab {
namespace {

template <class Rows, class Name>
std::vector<std::string> names_in(const Rows& rows, Name name) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.*name);
  return names;
}

std::vector<std::string> pair_names() { return names_in(pair_families(), &PairFamily::name); }

std::vector<std::string> verifier_names() { return names_in(verifier_rows(), &VerifierInfo::name); }

std::vector<std::string> claim_ids() { return names_in(claim_rows(), &ClaimRow::id); }

std::vector<std::string> paper_keys() { return names_in(papers(), &Paper::key); }

std::vector<std::string> command_names() { return names_in(commands(), &Command::name); }

/// Options whose values are names of rows, in every command.
struct NamedValues {
  std::string_view option;
  std::vector<std::string> (*names)();
};
constexpr std::array<NamedValues, 6> kNamedValues{{{"pair", &pair_names},
                                                   {"verifier", &verifier_names},
                                                   {"rule", &verifier_names},
                                                   {"claim", &claim_ids},
                                                   {"paper", &paper_keys},
                                                   {"command", &command_names}}};

/// "iid|tree" as {"iid", "tree"}; none where there is nothing to choose from.
std::vector<std::string> alternatives(std::string_view text) {
  const std::vector<std::string_view> all = split(text, "|");
  if (all.size() == 1) return {};
  return {all.begin(), all.end()};
}

/// The values that an option may have, as far as they are names.
std::vector<std::string> values_of(const Option& option) {
  for (const NamedValues& row : kNamedValues) {
    if (row.option == option.name) return row.names();
  }
  return alternatives(option.value);
}

/// The words that a command may take, as far as its usage names them.
std::vector<std::string> words_of(const Command& command) {
  return command.word.empty() ? std::vector<std::string>{}
                              : alternatives(command.usage.substr(0, command.usage.find(' ')));
}

std::string bash_command(const Command& command) {
  std::string text;
  std::vector<std::string> names = words_of(command);
  for (const Option& option : command.options) {
    names.push_back("--" + std::string(option.name));
    if (option.value.empty()) continue;
    const std::vector<std::string> values = values_of(option);
    const std::string action = option.value == "FILE" ? "files=yes"
                               : values.empty()       ? "return"
                                                : fmt::format("words='{}'", join(values, " "));
    text += fmt::format("      '{} --{}') {} ;;\n", command.name, option.name, action);
  }
  return text + fmt::format("      '{} '*) words='{}' ;;\n", command.name, join(names, " "));
}

std::string bash_script() {
  std::string text =
      "# Completion of speclab for bash: source this file, or install it as\n"
      "# share/bash-completion/completions/speclab.\n"
      "_speclab() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} words= files=\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
  text += fmt::format("    words='{} --help --version'\n", join(command_names(), " "));
  text +=
      "  else\n"
      "    case \"${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD - 1]}\" in\n";
  for (const Command& command : commands()) text += bash_command(command);
  return text +
         "    esac\n"
         "  fi\n"
         "  if [ -n \"$files\" ]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
         "  else\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "  fi\n"
         "}\n"
         "complete -o default -F _speclab speclab\n";
}

/// The text within single quotes of zsh, each of `special` behind a backslash.
std::string zsh_quoted(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_option(const Option& option) {
  std::string text = fmt::format("'{}--{}[{}]", option.repeated ? "*" : "", option.name,
                                 zsh_quoted(option.prose, "\\[]"));
  if (!option.value.empty()) {
    const std::vector<std::string> values = values_of(option);
    text += fmt::format(":{}:{}", zsh_quoted(option.value, "\\:"),
                        option.value == "FILE" ? "_files"
                        : values.empty()       ? " "
                                               : "(" + join(values, " ") + ")");
  }
  return text + "'";
}

std::string zsh_script() {
  std::string text =
      "#compdef speclab\n"
      "# Completion of speclab for zsh: install this file as _speclab in a folder of fpath.\n"
      "_speclab() {\n"
      "  if (( CURRENT == 2 )); then\n"
      "    local -a commands=(\n";
  for (const Command& command : commands()) {
    text += fmt::format("      '{}:{}'\n", command.name, zsh_quoted(command.prose, "\\:"));
  }
  text +=
      "    )\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $words[1] in\n";
  for (const Command& command : commands()) {
    text += fmt::format("    {})\n      _arguments", command.name);
    for (const Option& option : command.options) text += " \\\n        " + zsh_option(option);
    const std::vector<std::string> words = words_of(command);
    if (!words.empty()) {
      text += fmt::format(" \\\n        '1:{}:({})'", command.word, join(words, " "));
    } else if (!command.word.empty()) {
      text += fmt::format(" \\\n        '*:{}:_files'", command.word);
    }
    text += "\n      ;;\n";
  }
  return text +
         "  esac\n"
         "}\n"
         "if [[ $funcstack[1] == _speclab ]]; then\n"
         "  _speclab \"$@\"\n"
         "else\n"
         "  compdef _speclab speclab\n"
         "fi\n";
}

ExitCode run_completion(const Arguments& arguments) {
  const std::string shell = arguments.word().value_or("");
  if (shell != "bash" && shell != "zsh") {
    throw UsageError("say which shell: bash or zsh" +
                     (shell.empty() ? std::string() : ", not '" + abbreviate(shell) + "'"));
  }
  const Output output(arguments.text("output"));
  output.write(shell == "bash" ? bash_script() : zsh_script());
  return ExitCode::done;
}

}  // namespace

Command completion_command() {
  return {"completion",         "a script that lets a shell complete commands, options and names",
          "bash|zsh [options]", "SHELL",
          {output_option()},    {"speclab completion bash", "speclab completion zsh"},
          &run_completion};
}

}  // namespace speclab
