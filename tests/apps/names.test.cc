// Lists of what there is, and what a shell completes of it.
#include "apps/process.h"
#include "catch.h"

namespace speclab::names_test {
namespace {

TEST_CASE("lists of one command and of one paper") {
  const Finished one = speclab_run("list commands --command list --format csv");
  CHECK_THAT(one.out, Containing("list,--command,NAME,"));
  CHECK(one.out.find("exact,") == std::string::npos);
  CHECK(speclab_run("list commands --command list").out ==
        "list\n\n" + speclab_run("list --help").out);
  const std::string page = speclab_run("list papers --paper sun2024 --format markdown").out;
  CHECK_THAT(page, Containing("| item | what it says | checked by | verdict |"));
  CHECK_THAT(page, Containing("- `sun2024.lemma3` (sun2024 Lemma 3): "));
  CHECK_THAT(page, Containing("1 > 1/2 (must be equal)"));
  CHECK_THAT(page, Containing("correction: with X ~ D^gamma"));
  CHECK(page.find("- `sun2024.lemma5`") == std::string::npos);  // it holds
}

/// What bash completes after these words, the last one being begun.
class Bash {
 public:
  explicit Bash(const Scratch& scratch)
      : script_(scratch.file("speclab.bash")), out_(scratch.file("completed")) {
    succeeds("completion bash --output", script_);
  }

  [[nodiscard]] std::string completes(const std::string& words) const {
    const std::string command = "bash -c '. " + script_ + "; COMP_WORDS=(speclab " + words +
                                "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _speclab; "
                                "printf \"%s \" \"${COMPREPLY[@]}\"' >" +
                                out_;
    INFO(command);
    CHECK(std::system(command.c_str()) == 0);
    return slurp(out_);
  }

 private:
  std::string script_, out_;
};

TEST_CASE("bash completes commands and options and names") {
  const Scratch scratch;
  const Bash bash(scratch);
  CHECK(bash.completes("exa") == "exact ");
  CHECK(bash.completes("--v") == "--version ");
  CHECK(bash.completes("exact --ver") == "--verifier ");
  CHECK(bash.completes("exact --verifier blo") == "block block-listing ");
  CHECK(bash.completes("simulate --pair ber") == "bernoulli ");
  CHECK(bash.completes("simulate --estimator c") == "conditional ");
  CHECK(bash.completes("list pa") == "pairs papers ");
  CHECK(bash.completes("list papers --paper sun202") == "sun2025 sun2024 sun2023 ");
  CHECK(bash.completes("verify --claim sun2024.lemma1") == "sun2024.lemma1 ");
  CHECK(bash.completes("exact --horizon 1") == " ");  // a number is nobody's to guess
  CHECK(bash.completes("exact --output " + scratch.file("speclab.b")) ==
        scratch.file("speclab.bash") + " ");
  // Every option of every command is offered.
  const auto commands = speclab_run("list commands --format json").json()["commands"];
  for (const auto& row : commands) {
    const std::string command = row["command"], option = row["option"];
    if (option.empty()) continue;
    CHECK_THAT(" " + bash.completes(command + " " + option), Containing(" " + option + " "));
  }
}

TEST_CASE("zsh reads its completion") {
  const Scratch scratch;
  const std::string script = scratch.file("_speclab");
  succeeds("completion zsh --output", script);
  CHECK(slurp(script).starts_with("#compdef speclab\n"));
  if (std::system("command -v zsh >/dev/null 2>&1") != 0) return;
  CHECK(std::system(("zsh -n '" + script + "'").c_str()) == 0);
}

}  // namespace
}  // namespace speclab::names_test
