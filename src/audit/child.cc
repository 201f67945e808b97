#include "audit/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "audit/marked_processes.h"
#include "base/error.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

using Clock = std::chrono::steady_clock;

/// Interval between polls of the clock, of signals and of the program's state.
constexpr int kSliceMilliseconds = 100;

Clock::time_point after(double seconds) {
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

[[noreturn]] void fail(const std::string& what, int error) {
  throw InputError(fmt::format("{}: {}", what, std::generic_category().message(error)));
}

/// Both ends of a pipe, none of them 0, 1 or 2, closed in programs that are started.
struct Pipe {
  int ends[2] = {-1, -1};

  Pipe() {
    int low[2];
    if (pipe2(low, O_CLOEXEC) != 0) fail("cannot make a pipe", errno);
    for (int i = 0; i < 2; ++i) {
      ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 3);
      const int error = errno;
      close(low[i]);
      if (ends[i] < 0) fail("cannot make a pipe", error);
    }
  }
  ~Pipe() {
    for (int i = 0; i < 2; ++i) shut(i);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void shut(int end) {
    if (ends[end] >= 0) close(std::exchange(ends[end], -1));
  }
  /// Releases an end, set to non-blocking.
  int take(int end) {
    fcntl(ends[end], F_SETFL, fcntl(ends[end], F_GETFL) | O_NONBLOCK);
    return std::exchange(ends[end], -1);
  }
};

void ignore_broken_pipes() {
  struct sigaction action {};
  sigaction(SIGPIPE, nullptr, &action);
  if ((action.sa_flags & SA_SIGINFO) != 0 || action.sa_handler != SIG_DFL) return;
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
}

/// The attributes of a program's start.
class Spawn {
 public:
  Spawn(int input, int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawnattr_init(&attributes_);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    sigaddset(&signals, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setflags(
        &attributes_,
        static_cast<short>(POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  }
  ~Spawn() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;

  pid_t run(std::vector<std::string> words, std::string mark) const {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::vector<char*> environment;
    for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
    environment.push_back(mark.data());
    environment.push_back(nullptr);
    pid_t child = -1;
    const int error = posix_spawnp(&child, arguments.front(), &actions_, &attributes_,
                                   arguments.data(), environment.data());
    if (error != 0) {
      fail(fmt::format("cannot start the program {}", excerpt(words.front())), error);
    }
    return child;
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace

ChildProcess::ChildProcess(ChildOptions options) : options_(std::move(options)) {
  if (options_.command.empty() || options_.command.front().empty()) {
    throw InputError("no program is given; name the one to be audited");
  }
  ignore_broken_pipes();
  start();
  try {
    read_opening(
        exchange(opening_line(options_.rule, options_.mode), kLongestOpening, "the opening line"));
  } catch (...) {
    kill_all();
    throw;
  }
}

ChildProcess::~ChildProcess() { kill_all(); }

void ChildProcess::start() {
  static std::atomic<unsigned> started{0};
  mark_ = fmt::format("SPECLAB_AUDIT={}.{}", getpid(), ++started);
  Pipe input, output;
  child_ = Spawn(input.ends[0], output.ends[1]).run(options_.command, mark_);
  to_ = input.take(1);
  from_ = output.take(0);
}

std::vector<VerifyReply> ChildProcess::verify(std::span<const VerifyRequest> requests) {
  std::vector<VerifyReply> replies;
  for (const VerifyRequest& request : requests) {
    replies.push_back(
        read_reply(exchange(request_line(request, options_.scale), longest_reply(request),
                            fmt::format("request {}", request.id)),
                   request));
  }
  return replies;
}

GenerateReply ChildProcess::generate(const GenerateRequest& request) {
  return read_reply(exchange(request_line(request), longest_reply(request),
                             fmt::format("request {}", request.id)),
                    request);
}

std::string ChildProcess::exchange(const std::string& line, std::size_t longest,
                                   const std::string& what) {
  const std::string text = line + "\n";
  std::string_view rest = text;
  const auto deadline = after(options_.timeout_seconds);
  while (true) {
    const std::size_t end = received_.find('\n');
    if (std::min(end, received_.size()) > longest) {
      throw InputError(fmt::format("the answer to {} is longer than {} bytes; {} received", what,
                                   longest, received_text()));
    }
    if (rest.empty() && end != std::string::npos) {
      std::string answer = received_.substr(0, end);
      received_.erase(0, end + 1);
      return answer;
    }
    check_interrupted();
    if (Clock::now() > deadline) {
      throw InputError(fmt::format(
          "the program did not answer {} within {} seconds, {} received; allow it more time", what,
          options_.timeout_seconds, received_text()));
    }
    // While sending, at most the longest answer is read.
    const bool full = received_.size() > longest;
    pollfd ends[2] = {{full ? -1 : from_, POLLIN, 0}, {rest.empty() ? -1 : to_, POLLOUT, 0}};
    const bool gone = ended();
    poll(ends, 2, gone ? 0 : kSliceMilliseconds);
    if (ends[1].revents != 0) send_some(rest);
    const bool came = ends[0].revents != 0 && receive_some();
    if (!came && (gone || from_ < 0)) {
      wait_for_end(1);
      throw InputError(fmt::format("the program {} before it answered {}; {} received",
                                   how_it_ended(), what, received_text()));
    }
  }
}

/// Sends as much as the pipe accepts; nothing to a program that has closed its input.
void ChildProcess::send_some(std::string_view& rest) {
  const ssize_t sent = write(to_, rest.data(), rest.size());
  if (sent > 0) {
    rest.remove_prefix(static_cast<std::size_t>(sent));
  } else if (sent < 0 && errno != EAGAIN && errno != EINTR) {
    rest = {};
  }
}

/// Reads what is available; false at the end of the program's output.
bool ChildProcess::receive_some() {
  std::array<char, 65536> block;
  const ssize_t count = read(from_, block.data(), block.size());
  if (count > 0) {
    received_.append(block.data(), static_cast<std::size_t>(count));
    return true;
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  close(std::exchange(from_, -1));
  return false;
}

void ChildProcess::finish() {
  const std::string text = end_line() + "\n";
  std::string_view rest = text;
  send_some(rest);
  close(std::exchange(to_, -1));
  const auto deadline = after(options_.grace_seconds);
  bool over = false;
  while (!(over = ended()) && Clock::now() < deadline) {
    check_interrupted();
    pollfd output{from_, POLLIN, 0};
    poll(&output, 1, from_ < 0 ? 10 : kSliceMilliseconds);
    if (output.revents != 0) receive_some();
    received_.clear();
  }
  siginfo_t end{};
  if (over) waitid(P_PID, static_cast<id_t>(child_), &end, WEXITED | WNOHANG | WNOWAIT);
  const bool right = !over || (end.si_code == CLD_EXITED && end.si_status == 0);
  const std::string how = right ? "" : how_it_ended();
  kill_all();
  if (!right) {
    throw InputError(
        fmt::format("the program {} after the last request; end it with status 0", how));
  }
}

/// Whether the program has ended; its process id remains valid until kill_all().
bool ChildProcess::ended() const {
  siginfo_t end{};
  return waitid(P_PID, static_cast<id_t>(child_), &end, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         end.si_pid == child_;
}

bool ChildProcess::wait_for_end(double seconds) const {
  const auto deadline = after(seconds);
  while (!ended() && Clock::now() < deadline) usleep(1000);
  return ended();
}

std::string ChildProcess::how_it_ended() const {
  siginfo_t end{};
  waitid(P_PID, static_cast<id_t>(child_), &end, WEXITED | WNOHANG | WNOWAIT);
  if (end.si_pid != child_) return "closed its standard output";
  if (end.si_code == CLD_EXITED) return fmt::format("ended with status {}", end.si_status);
  return fmt::format("was ended by signal {} ({})", end.si_status, strsignal(end.si_status));
}

std::string ChildProcess::received_text() const {
  return received_.empty() ? "nothing" : excerpt(received_);
}

void ChildProcess::close_pipes() {
  for (int* end : {&to_, &from_}) {
    if (*end >= 0) close(std::exchange(*end, -1));
  }
}

void ChildProcess::kill_all() noexcept {
  close_pipes();
  if (child_ < 0) return;
  kill(-child_, SIGKILL);
  while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  kill_marked(mark_);
}

}  // namespace speclab
