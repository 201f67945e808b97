#include "audit/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

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

/// Sets a descriptor to non-blocking.
void unblock(int file) { fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK); }

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
    unblock(ends[end]);
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

/// What the program is started with. All is made before the fork: after it a copy of a process of
/// several threads may call few functions.
class Spawn {
 public:
  explicit Spawn(std::vector<std::string> words) : words_(std::move(words)), parent_(getpid()) {
    for (std::string& word : words_) arguments_.push_back(word.data());
    arguments_.push_back(nullptr);
  }

  /// In a session of its own, killed where the thread that calls this ends.
  pid_t run(const Pipe& input, const Pipe& output, const Pipe& errors) {
    Pipe failure;  // closed by a start that succeeds
    const pid_t child = fork();
    if (child < 0) fail(cannot_start(), errno);
    if (child == 0) become(input.ends[0], output.ends[1], errors.ends[1], failure.ends[1]);
    failure.shut(1);
    int error = 0;
    ssize_t count = 0;
    while ((count = read(failure.ends[0], &error, sizeof error)) < 0 && errno == EINTR) {
    }
    if (count != sizeof error) return child;
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    fail(cannot_start(), error);
  }

 private:
  [[nodiscard]] std::string cannot_start() const {
    return fmt::format("cannot start the program {}", excerpt(words_.front()));
  }

  [[noreturn]] void become(int input, int output, int errors, int failure) {
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    sigaction(SIGPIPE, &action, nullptr);
    if (getppid() == parent_ && dup2(input, STDIN_FILENO) >= 0 &&
        dup2(output, STDOUT_FILENO) >= 0 && dup2(errors, STDERR_FILENO) >= 0) {
      execvp(arguments_.front(), arguments_.data());
    }
    const int error = errno;
    [[maybe_unused]] const auto written = write(failure, &error, sizeof error);
    _exit(1);
  }

  std::vector<std::string> words_;
  pid_t parent_;
  std::vector<char*> arguments_;
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
  Pipe input, output, errors;
  family_.emplace();
  child_ = Spawn(options_.command).run(input, output, errors);
  to_ = input.take(1);
  from_ = output.take(0);
  errors_ = errors.take(0);
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
    pollfd ends[3] = {{full ? -1 : from_, POLLIN, 0},
                      {rest.empty() ? -1 : to_, POLLOUT, 0},
                      {errors_, POLLIN, 0}};
    const bool gone = ended().has_value();
    poll(ends, 3, gone ? 0 : kSliceMilliseconds);
    if (ends[1].revents != 0) send_some(rest);
    if (ends[2].revents != 0) pass_errors();
    const bool came = ends[0].revents != 0 && receive_some();
    if (!came && (gone || from_ < 0)) {
      wait_for_end(1);
      pass_errors();
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

/// Passes on what the program wrote to its standard error, up to a limit; the rest is read and left
/// out, so that the program does not wait.
void ChildProcess::pass_errors() {
  constexpr int kMostReads = 64;  // of 64 KiB: a program that never stops is not waited for
  std::array<char, 65536> block;
  for (int reads = 0; errors_ >= 0 && reads < kMostReads; ++reads) {
    const ssize_t count = read(errors_, block.data(), block.size());
    if (count == 0) close(std::exchange(errors_, -1));
    if (count <= 0) return;
    const auto size = static_cast<std::size_t>(count);
    const std::size_t shown = std::min(size, kMostErrors - passed_);
    [[maybe_unused]] auto written = write(STDERR_FILENO, block.data(), shown);
    passed_ += shown;
    if (shown == size || left_out_) continue;
    left_out_ = true;
    const std::string line = fmt::format(
        "\nspeclab: the program wrote more than {} KiB to its standard error; the rest is left "
        "out\n",
        kMostErrors >> 10);
    written = write(STDERR_FILENO, line.data(), line.size());
  }
}

void ChildProcess::finish() {
  const std::string text = end_line() + "\n";
  std::string_view rest = text;
  send_some(rest);
  close(std::exchange(to_, -1));
  const auto deadline = after(options_.grace_seconds);
  std::optional<siginfo_t> end;
  while (!(end = ended()) && Clock::now() < deadline) {
    check_interrupted();
    pollfd ends[2] = {{from_, POLLIN, 0}, {errors_, POLLIN, 0}};
    poll(ends, 2, from_ < 0 ? 10 : kSliceMilliseconds);
    if (ends[0].revents != 0) receive_some();
    if (ends[1].revents != 0) pass_errors();
    received_.clear();
  }
  pass_errors();
  const bool right = !end || (end->si_code == CLD_EXITED && end->si_status == 0);
  const std::string how = how_it_ended();
  kill_all();
  if (!right) {
    throw InputError(
        fmt::format("the program {} after the last request; end it with status 0", how));
  }
}

/// How the program ended, or nothing; its process id remains valid until kill_all().
std::optional<siginfo_t> ChildProcess::ended() const {
  siginfo_t end{};
  const int failed = waitid(P_PID, static_cast<id_t>(child_), &end, WEXITED | WNOHANG | WNOWAIT);
  return failed == 0 && end.si_pid == child_ ? std::optional(end) : std::nullopt;
}

void ChildProcess::wait_for_end(double seconds) const {
  const auto deadline = after(seconds);
  while (!ended() && Clock::now() < deadline) usleep(1000);
}

std::string ChildProcess::how_it_ended() const {
  const auto end = ended();
  if (!end) return "closed its standard output";
  if (end->si_code == CLD_EXITED) return fmt::format("ended with status {}", end->si_status);
  return fmt::format("was ended by signal {} ({})", end->si_status, strsignal(end->si_status));
}

std::string ChildProcess::received_text() const {
  return received_.empty() ? "nothing" : excerpt(received_);
}

void ChildProcess::close_pipes() {
  for (int* end : {&to_, &from_, &errors_}) {
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
  family_.reset();
}

}  // namespace speclab
