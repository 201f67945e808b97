// Places that results are written to: links, pipes, devices and folders.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include "catch.h"
#include "message_of.h"
#include "report/output.h"
#include "scratch.h"
#include "slurp.h"

namespace speclab::places_test {
namespace {

namespace fs = std::filesystem;

/// Why a place is refused before anything is written; "" where it is not.
std::string refused(const std::string& path) {
  return message_of([&] { const Output output(path); });
}

void nothing(int /*signal*/) {}

/// Handles a signal in another way as long as this lives.
struct Handled {
  Handled(int number, void (*handler)(int)) : number(number) {
    struct sigaction wanted {};
    wanted.sa_handler = handler;  // without SA_RESTART: calls of the system are interrupted
    sigaction(number, &wanted, &before);
  }
  ~Handled() { sigaction(number, &before, nullptr); }
  Handled(const Handled&) = delete;
  Handled& operator=(const Handled&) = delete;
  int number;
  struct sigaction before {};
};

/// A named pipe with its reading end open.
struct Pipe {
  explicit Pipe(const Scratch& scratch) : path(scratch.file("pipe")) {
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    end = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    REQUIRE(end >= 0);
  }
  ~Pipe() { shut(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void shut() {
    if (end >= 0) close(std::exchange(end, -1));
  }
  /// What there is to read now.
  std::string read_some() const {
    std::string bytes(1 << 16, '\0');
    const ssize_t count = read(end, bytes.data(), bytes.size());
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
  }
  std::string path;
  int end = -1;
};

}  // namespace

TEST_CASE("a place that cannot be written is refused before there is anything to write") {
  const Scratch scratch;
  const std::string file = scratch.write("file", "old\n");
  CHECK_THAT(refused(scratch.file("")),
             Containing("cannot write '") && Containing("Is a directory; give a file in a folder"));
  CHECK_THAT(refused(scratch.file("none/results.csv")), Containing("No such file or directory"));
  CHECK_THAT(refused(scratch.file("new/")), Containing("cannot write '"));
  CHECK_THAT(refused(file + "/results.csv"), Containing("Not a directory"));
  CHECK_THAT(refused(""), Containing("No such file or directory"));
  CHECK(refused(file).empty());
  CHECK(scratch.files() == 1);
  CHECK(slurp(file) == "old\n");
}

TEST_CASE("a file of another user is not replaced") {
  const Scratch scratch;
  const std::string file = scratch.write("file", "old\n");
  fs::permissions(file, fs::perms(0444));
  // To the user 0 all files are its own: then the question is asked as another one.
  const uid_t user = getuid();
  if (user == 0 && setreuid(65534, static_cast<uid_t>(-1)) != 0) {
    WARN("the user 0 may not ask as another one: nothing is tested");
    return;
  }
  const std::string why = refused(file);
  if (user == 0) REQUIRE(setreuid(0, 0) == 0);
  CHECK_THAT(why, Containing("Permission denied"));
  CHECK(slurp(file) == "old\n");
}

TEST_CASE("a link stays a link and one to nothing is refused") {
  const Scratch scratch;
  const std::string file = scratch.write("folder/file", "old\n");
  fs::create_symlink("folder/file", scratch.file("link"));
  Output(scratch.file("link")).write("new\n");
  CHECK(fs::is_symlink(scratch.file("link")));
  CHECK(slurp(file) == "new\n");
  fs::create_symlink("folder/none", scratch.file("dangling"));
  CHECK_THAT(refused(scratch.file("dangling")),
             Containing("it is a link to a file that is not there; give that file's own name"));
  CHECK_FALSE(fs::exists(scratch.file("folder/none")));
}

TEST_CASE("a file whose name another takes meanwhile is not left beside it") {
  const Scratch scratch;
  const std::string path = scratch.file("results.csv");
  const Output output(path);
  fs::create_directory(path);
  CHECK_THROWS_WITH(output.write("new\n"), Containing("Is a directory"));
  CHECK(scratch.files() == 1);
  CHECK(fs::is_empty(path));
}

TEST_CASE("a file is written though a hundred names beside it are taken") {
  const Scratch scratch;
  const std::string path = scratch.file("results.csv");
  const std::string before = "results.csv." + std::to_string(getpid()) + "-";
  for (int i = 0; i < 100; ++i) {
    CHECK_FALSE(scratch.write(before + std::to_string(i), "another's").empty());
  }
  Output(path).write("new\n");
  CHECK(slurp(path) == "new\n");
  CHECK(slurp(scratch.file(before + "99")) == "another's");
  CHECK(scratch.files() == 101);
}

TEST_CASE("a pipe and a device are written to in their place") {
  const Scratch scratch;
  const Pipe pipe(scratch);
  Output(pipe.path).write("through\n");
  CHECK(pipe.read_some() == "through\n");
  CHECK(fs::is_fifo(pipe.path));
  CHECK(scratch.files() == 1);
  CHECK_NOTHROW(Output("/dev/null").write("gone\n"));
  CHECK_THROWS_WITH(Output("/dev/full").write("text\n"),
                    Containing("cannot write '/dev/full': No space left on device"));
}

TEST_CASE("a reader of a pipe that goes away is no failure") {
  const Scratch scratch;
  Pipe pipe(scratch);
  const Handled ignored(SIGPIPE, SIG_IGN);
  const Output output(pipe.path);
  // More than a pipe holds, so that the writer waits until the reader has gone.
  std::thread reader([&] {
    while (pipe.read_some().empty()) std::this_thread::yield();
    pipe.shut();
  });
  CHECK_NOTHROW(output.write(std::string(1 << 22, 'x')));
  reader.join();
}

TEST_CASE("signals that come while a pipe is full lose nothing of what is written") {
  const Scratch scratch;
  const Pipe pipe(scratch);
  const Handled handled(SIGUSR1, nothing);
  const std::size_t size = 1 << 20;
  const pthread_t writer = pthread_self();
  std::string got;
  std::atomic<bool> done = false;
  std::thread reader([&] {
    for (int i = 0; i < 20; ++i) {
      pthread_kill(writer, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    for (bool last = false; !last;) {
      last = done;  // then all is in the pipe
      for (std::string more = pipe.read_some(); !more.empty(); more = pipe.read_some()) got += more;
    }
  });
  Output(pipe.path).write(std::string(size, 'x'));
  done = true;
  reader.join();
  CHECK(got == std::string(size, 'x'));
}

}  // namespace speclab::places_test
