#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace speclab {

/// One option of a command. Its text is taken apart by the command, so that every message names
/// the option and the fix.
struct Option {
  std::string_view name;   ///< without the dashes
  std::string_view value;  ///< what the help calls its value; "" for a switch
  std::string_view prose;
  bool repeated = false;
  bool written = false;  ///< whether its value is a file that the command writes
};

/// What the user wrote after the command's name.
class Arguments {
 public:
  /// @throws UsageError for an unknown option (with a suggestion), a missing value, an option that
  /// is given twice and may not be, or more words that are no options than `most_words`.
  /// @param program  the command line of another program
  Arguments(std::span<const Option> options, std::string_view command, std::size_t most_words,
            const std::vector<std::string>& words, std::vector<std::string> program = {});

  [[nodiscard]] bool has(std::string_view name) const { return !all(name).empty(); }
  /// The value of an option given once.
  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
  /// The values of a repeated option, in order; {""} for a switch.
  [[nodiscard]] const std::vector<std::string>& all(std::string_view name) const;
  /// The command's word, such as `pairs` of `list pairs`.
  [[nodiscard]] std::optional<std::string> word() const {
    return words_.empty() ? std::nullopt : std::optional(words_.front());
  }
  /// All words, where the command takes several.
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }
  /// The program after `--` and its arguments, where the command starts one.
  [[nodiscard]] const std::vector<std::string>& program() const { return program_; }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> values_;
  std::vector<std::string> words_;
  std::vector<std::string> program_;
};

/// One command: the help, `list commands`, the README and the tests are produced from it.
struct Command {
  std::string_view name;
  std::string_view prose;  ///< one line
  std::string_view usage;  ///< what follows the name, without the options in brackets
  std::string_view word;   ///< what the help calls its word; "" where it takes none
  std::vector<Option> options;
  std::vector<std::string_view> examples;  ///< two, which work anywhere
  ExitCode (*run)(const Arguments& arguments);
  bool many_words = false;      ///< takes any number of words
  bool starts_program = false;  ///< what follows `--` is the command line of another program
};

/// All commands, in the order in which they are listed.
std::span<const Command> commands();

// One file each.
Command list_command();
Command exact_command();
Command simulate_command();
Command run_command();
Command merge_command();
Command verify_command();
Command train_command();
Command advise_command();
Command optimum_command();
Command prove_command();
Command audit_command();
Command check_command();
Command vectors_command();
Command parity_command();
Command score_command();
Command plot_command();
Command completion_command();

/// Runs the program: `words` are its arguments without its own name. Messages go to standard
/// error, one line each. Returns the exit code.
int run_program(const std::vector<std::string>& words);

}  // namespace speclab
