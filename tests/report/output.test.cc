#include "report/output.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "catch.h"
#include "scratch.h"
#include "slurp.h"

namespace speclab::output_test {
namespace {

namespace fs = std::filesystem;

/// Whether the process has a file in this folder open that holds something by now.
bool writes_in(pid_t process, const std::string& folder) {
  std::error_code failed;
  for (const auto& file :
       fs::directory_iterator("/proc/" + std::to_string(process) + "/fd", failed)) {
    const fs::path target = fs::read_symlink(file.path(), failed);
    if (!target.string().starts_with(folder)) continue;
    if (fs::file_size(file.path(), failed) > 0 && !failed) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a process that is killed while it writes leaves no file behind") {
  const Scratch scratch;
  const std::string path = scratch.write("results.csv", "old\n");
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const Output output(path);
    for (;;) output.write(std::string(1 << 24, 'x'));
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  bool seen = false;
  while (!seen && std::chrono::steady_clock::now() < until)
    seen = writes_in(child, scratch.file(""));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK(seen);
  CHECK(scratch.files() == 1);
}

TEST_CASE("a file is written whole with the mode of the one before") {
  const Scratch scratch;
  const std::string path = scratch.write("results.csv", "old\n");
  fs::permissions(path, fs::perms(0640));
  Output(path).write("new\n");
  CHECK(fs::file_size(path) == 4);
  CHECK(fs::status(path).permissions() == fs::perms(0640));
  // Where there was none the umask decides.
  const mode_t mask = ::umask(027);
  Output(scratch.file("more.csv")).write("new\n");
  ::umask(mask);
  CHECK(fs::status(scratch.file("more.csv")).permissions() == fs::perms(0640));
  CHECK(scratch.files() == 2);
  // Names that it might take are taken.
  const std::string other =
      scratch.write("results.csv." + std::to_string(getpid()) + "-0", "another's");
  Output(path).write("newer\n");
  CHECK(fs::file_size(path) == 6);
  CHECK(fs::file_size(other) == 9);
  CHECK(scratch.files() == 3);
}

TEST_CASE("what is written steers no terminal") {
  const Scratch scratch;
  const std::string path = scratch.file("results.csv");
  const std::string odd = "a,\x1b[2J\u009b31m\x9b,\u03b3\t\n";
  Output(path).write(odd);
  const std::string written = slurp(path);
  CHECK(written == "a,?[2J?31m?,\u03b3\t\n");
  CHECK(written == Output::shown(odd));
}

TEST_CASE("a check of a place leaves nothing there") {
  const Scratch scratch;
  const Output output(scratch.file("results.csv"));
  CHECK(scratch.files() == 0);
}

}  // namespace speclab::output_test
