#include "audit/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <sstream>
#include <thread>

#include "audit/requests.h"
#include "catch.h"
#include "message_of.h"
#include "scratch.h"
#include "slurp.h"

namespace speclab::child_test {
namespace {

/// The processes of a group or with a word of their command line that still run; one that has ended
/// and waits for its parent does not.
std::vector<std::string> running(pid_t group, const std::string& word) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string stat = slurp(entry.path() / "stat");
    const std::size_t name = stat.rfind(')');
    if (name == std::string::npos) continue;
    char state = 0;
    pid_t parent = 0, its_group = 0;
    std::istringstream(stat.substr(name + 1)) >> state >> parent >> its_group;
    if (state == 'Z' || state == 'X') continue;
    const bool named = slurp(entry.path() / "cmdline").find(word) != std::string::npos;
    if (its_group == group || named) found.push_back(stat);
  }
  return found;
}

/// Whether nothing of it runs any more; a kill takes a moment.
bool all_gone(pid_t group, const std::string& word) {
  for (int look = 0; look < 2000; ++look) {
    if (running(group, word).empty()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

/// A number of seconds that no other process sleeps.
std::string long_sleep() {
  static int next = 0;
  return std::to_string(100'000'000LL + getpid() * 100LL + ++next);
}

ChildOptions shell(const std::string& script, double timeout = 60) {
  ChildOptions options;
  options.command = {"sh", "-c", script};
  options.timeout_seconds = timeout;
  options.grace_seconds = timeout;
  return options;
}

/// A script that answers the opening line, takes a request and goes on with `rest`.
std::string after_request(const std::string& rest) {
  return R"(read line; echo '{"protocol": 1}'; read line; )" + rest;
}

/// Sends one request and returns the refusal, "" where there is none; no started process may
/// survive.
std::string refusal(const std::string& script, double timeout = 60,
                    const std::string& word = "no such word") {
  pid_t group = -1;
  const std::string text = message_of([&] {
    ChildProcess child(shell(script, timeout));
    group = child.group();
    const std::vector<VerifyRequest> requests{small_request()};
    child.verify(requests);
    child.finish();
  });
  CHECK(all_gone(group, word));
  CHECK(text.find('\n') == std::string::npos);
  return text;
}

const std::string kAnswer =
    R"(echo '{"id": 1, "accepted": [2, 0, 1], "tokens": [[0, 2, 0], [1], [0, 1]]}')";

TEST_CASE("child: answers come back in the order of the requests") {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{SPECLAB_AUDIT_TOKEN},
        {"python3", SPECLAB_SOURCE_DIR "/tests/audit/token.py"}}) {
    CAPTURE(command.front());
    if (command.front() == "python3" && system("command -v python3 >/dev/null") != 0) continue;
    ChildOptions options;
    options.command = command;
    ChildProcess child(options);
    const std::vector<VerifyRequest> requests{small_request(1, 3), small_request(2, 10'000)};
    const auto replies = child.verify(requests);
    REQUIRE(replies.size() == 2);
    CHECK(replies[0].accepted.size() == 3);
    CHECK(replies[1].accepted.size() == 10'000);
    const pid_t group = child.group();
    CHECK_NOTHROW(child.finish());
    CHECK(all_gone(group, "no such word"));
  }
}

TEST_CASE("child: a program that cannot be started is named") {
  ChildOptions options;
  options.command = {"/no/such/program"};
  CHECK_THROWS_WITH(ChildProcess(options), Containing("cannot start the program"));
  options.command = {"/"};
  CHECK_THROWS_WITH(ChildProcess(options), Containing("cannot start the program"));
  options.command = {};
  CHECK_THROWS_WITH(ChildProcess(options), Containing("no program is given"));
}

TEST_CASE("child: an early end reports how the program ended and what was received") {
  CHECK_THAT(refusal("exit 0"), Containing("ended with status 0 before it answered the opening"));
  CHECK_THAT(refusal("exit 9"), Containing("ended with status 9"));
  CHECK_THAT(refusal("read line; kill -SEGV $$"), Containing("was ended by signal 11"));
  CHECK_THAT(refusal(after_request(R"(printf '{"id": 1, "acc'; kill -ABRT $$)")),
             Containing(R"(before it answered request 1; '{"id": 1, "acc' received)"));
  CHECK_THAT(refusal(after_request("exit 0")),
             Containing("ended with status 0 before it answered"));
  CHECK_THAT(refusal(after_request("exec >&-; sleep " + long_sleep())),
             Containing("closed its standard output"));
  CHECK_THAT(refusal(after_request(kAnswer + "; exit 3")),
             Containing("ended with status 3 after the last request"));
  CHECK_THAT(refusal(after_request(kAnswer + "; read line; kill -SEGV $$")),
             Containing("was ended by signal 11"));
  CHECK(refusal(after_request(kAnswer)) == "");
}

TEST_CASE("child: a program that does not end is killed") {
  const std::string sleep = long_sleep();
  CHECK_THAT(refusal("read line; sleep " + sleep, 0.5, sleep),
             Containing("did not answer the opening line within 0.5 seconds; nothing") ||
                 Containing("did not answer the opening line within 0.5 seconds, nothing"));
  CHECK_THAT(refusal(after_request("printf part; sleep " + sleep), 0.5, sleep),
             Containing("did not answer request 1 within 0.5 seconds, 'part' received"));
  // It ignores what can be ignored.
  CHECK_THAT(refusal("trap '' TERM INT HUP PIPE; while :; do sleep 1; done", 0.5),
             Containing("did not answer"));
  // Right, but it does not end.
  CHECK(refusal(after_request(kAnswer + "; sleep " + sleep), 0.5, sleep) == "");
}

TEST_CASE("child: processes that the program started end with it") {
  const std::string sleep = long_sleep();
  // A child of its own holds the pipe open.
  CHECK_THAT(refusal("sleep " + sleep + " & exit 0", 60, sleep), Containing("ended with status 0"));
  CHECK_THAT(
      refusal(after_request("sleep " + sleep + " & sleep " + sleep + " & exit 4"), 60, sleep),
      Containing("ended with status 4"));
  // One of another session and group.
  CHECK(refusal("setsid sleep " + sleep + " & " + after_request(kAnswer), 60, sleep) == "");
  // Forks that never end: each starts the next and goes away.
  const Scratch scratch;
  const std::string script = scratch.write("fork.sh", "sleep 0.01\nsh \"$0\" " + sleep + " &\n");
  CHECK_THAT(refusal("sh " + script + " " + sleep + " & " + after_request("echo no"), 60, sleep),
             Containing("is not JSON"));
}

TEST_CASE("child: garbage and floods are refused with an excerpt") {
  CHECK_THAT(refusal("echo Loading; sleep 1"), Containing("'Loading' received"));
  CHECK_THAT(refusal("yes"), Containing("'y' received"));
  CHECK_THAT(refusal("cat /dev/zero"), Containing("longer than 4096 bytes; '????"));
  CHECK_THAT(refusal(after_request("cat /dev/zero")),
             Containing("the answer to request 1 is longer"));
  CHECK_THAT(refusal(after_request("yes '[' | tr -d '\\n'")), Containing("is longer than"));
  CHECK_THAT(refusal(after_request("printf '\\377\\376\\033[31m\\n'")),
             Containing("'???[31m' received"));
  CHECK_THAT(refusal(after_request("echo")), Containing("not JSON at byte"));
  CHECK_THAT(refusal(after_request(R"(echo '{"id": 1, "accepted": [NaN], "tokens": []}')")),
             Containing("not JSON at byte"));
  CHECK_THAT(refusal(after_request(R"(echo '{"id": 1, "accepted": [2], "tokens": [[0, 2, 0]]}')")),
             Containing("1 entries of accepted received; 3 decisions"));
}

TEST_CASE("child: two full pipes do not wait for each other") {
  // A request that no pipe holds, to a program that writes as much before it reads anything.
  VerifyRequest request = small_request(1, 20'000);
  request.vocabulary = 30'000;
  const std::vector<double> row(30'000, 1.0 / 30'000);
  request.draft_rows = {{row, row}};
  request.target_rows = {{row, row, row}};
  REQUIRE(request_line(request).size() > 1'000'000);
  REQUIRE(longest_reply(request) > 2'000'000);
  const auto ask = [&](const std::string& script) {
    pid_t group = -1;
    const std::string text = message_of([&] {
      ChildProcess child(shell(R"(read line; echo '{"protocol": 1}'; )" + script));
      group = child.group();
      child.verify(std::vector<VerifyRequest>{request});
    });
    CHECK(all_gone(group, "no such word"));
    return text;
  };
  const std::string flood = "head -c 2000000 /dev/zero; ";
  const std::string take = "head -c " + std::to_string(request_line(request).size() + 1);
  CHECK_THAT(ask(flood + take + " >/dev/null; exit 5"), Containing("ended with status 5"));
  CHECK_THAT(ask(flood + "echo; " + take + " >/dev/null; sleep 1"),
             Containing("not JSON at byte 1"));
  CHECK_THAT(ask("exec <&-; echo closed; exit 5"), Containing("'closed"));
}

TEST_CASE("child: what leaves its session and its environment is killed too") {
  const std::string seconds = long_sleep();
  const std::string away = "setsid env -i setsid sh -c 'sleep " + seconds + " & sleep " + seconds +
                           " & wait' >/dev/null 2>&1 </dev/null & ";
  const std::string script =
      "read line; " + away + R"(sleep 0.2; echo '{"protocol": 1}'; read line; exit 3)";
  CHECK_THAT(refusal(script, 60, seconds), Containing("ended with status 3"));
}

TEST_CASE("child: the program is killed where this process is") {
  const std::string seconds = long_sleep();
  // The opening is not answered: it waits in the constructor.
  const pid_t deaf = fork();
  if (deaf == 0) {
    try {
      const ChildProcess child(shell("exec sleep " + seconds));
    } catch (...) {
    }
    _exit(0);
  }
  // A look in the moment of an exec finds no command line, so that the first that finds it counts.
  bool began = false;
  for (int look = 0; look < 2000 && !began; ++look) {
    began = !running(-1, seconds).empty();
    if (!began) usleep(5000);
  }
  CHECK(began);
  kill(deaf, SIGKILL);
  waitpid(deaf, nullptr, 0);
  CHECK(all_gone(-1, seconds));
}

TEST_CASE("child: of standard error so much is passed through, and a line reports the rest") {
  const Scratch scratch;
  const std::string file = scratch.file("errors");
  const int kept = dup(STDERR_FILENO);
  const int errors = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  dup2(errors, STDERR_FILENO);
  const std::string flood = "head -c 50000000 /dev/zero | tr '\\0' x >&2; ";
  const std::string why = refusal(after_request(flood + "exit 3"));
  dup2(kept, STDERR_FILENO);
  close(kept);
  close(errors);
  CHECK_THAT(why, Containing("ended with status 3"));
  const std::string passed = slurp(file);
  CHECK(passed.size() > ChildProcess::kMostErrors);
  CHECK(passed.size() < ChildProcess::kMostErrors + 200);
  CHECK_THAT(passed, Containing("more than 1024 KiB to its standard error"));
}

}  // namespace
}  // namespace speclab::child_test
