// Commands in reports, as a shell takes them.
#include "document/shell.h"

#include "catch.h"

namespace speclab::shell_test {
namespace {

TEST_CASE("a word is quoted where the shell would take it apart") {
  CHECK(shell_word("block") == "block");
  CHECK(shell_word("a/b-c_d.e:f=g,h") == "a/b-c_d.e:f=g,h");
  CHECK(shell_word("rrs(K=2)") == "'rrs(K=2)'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("$HOME") == "'$HOME'");
}

TEST_CASE("a long command is continued by backslashes, never within quotes") {
  CHECK(shell_lines("speclab exact --gamma 1", "  ") == "  speclab exact --gamma 1\n");
  const std::string spec = "'iid(draft=[1/2,1/2],target=[1/2,1/2]) and a blank'";
  const std::string command = "speclab exact --pair " + spec + " --verifier block --gamma 1 --law";
  const std::string text = shell_lines(command, "  ");
  CHECK(text ==
        "  speclab exact --pair 'iid(draft=[1/2,1/2],target=[1/2,1/2]) and a blank' \\\n"
        "      --verifier block --gamma 1 --law\n");
  // Joined again it is the same command.
  std::string joined = text.substr(2);
  for (std::size_t at = joined.find(" \\\n"); at != std::string::npos; at = joined.find(" \\\n")) {
    joined.replace(at, 3 + 6, " ");
  }
  CHECK(joined == command + "\n");
}

}  // namespace
}  // namespace speclab::shell_test
