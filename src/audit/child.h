#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/descendants.h"
#include "audit/implementation.h"
#include "audit/protocol.h"

namespace speclab {

struct ChildOptions {
  std::vector<std::string> command;  ///< the program, found as a shell finds it, and its arguments
  std::string rule = "lossless";     ///< sent in the opening line, as is the mode
  AuditMode mode = AuditMode::verify;
  RowScale scale = RowScale::probabilities;
  double timeout_seconds = 60;  ///< for each answer
  double grace_seconds = 5;     ///< to exit after the last line
};

/// A program in any language that implements the line protocol on its standard input and output;
/// the first kMostErrors bytes of its standard error are passed through, and a line reports that
/// there was more. It runs in its own session, without a shell. However the object ends, the
/// program and all processes that it started are killed, those that left its session and its
/// environment too (audit/descendants.h). Where this process is killed itself, the system kills the
/// program, but not what that started. SIGPIPE is ignored from the first object on, if its action
/// is the default.
class ChildProcess : public Implementation {
 public:
  static constexpr std::size_t kMostErrors = std::size_t{1} << 20;

  /// Starts the program and exchanges the opening lines.
  /// @throws InputError where it cannot be started or does not answer correctly
  explicit ChildProcess(ChildOptions options);
  ~ChildProcess() override;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// One line out and one line back a request.
  /// @throws InputError where the program ends, does not answer in time, sends more than an answer
  /// may have, or answers wrongly; Error (interrupted) within a second of a signal
  std::vector<VerifyReply> verify(std::span<const VerifyRequest> requests) override;
  GenerateReply generate(const GenerateRequest& request) override;

  /// Sends the end line and waits for the program to exit; one that does not is
  /// killed.
  /// @throws InputError where it ends by a signal or with another status than 0
  void finish();

  /// The process group of the program.
  [[nodiscard]] pid_t group() const { return child_; }

 private:
  void start();
  /// Sends a line and receives the next one, of at most `longest` bytes.
  std::string exchange(const std::string& line, std::size_t longest, const std::string& what);
  void send_some(std::string_view& rest);
  bool receive_some();
  [[nodiscard]] std::optional<siginfo_t> ended() const;
  [[nodiscard]] std::string how_it_ended() const;
  [[nodiscard]] std::string received_text() const;
  void wait_for_end(double seconds) const;
  void pass_errors();
  void close_pipes();
  void kill_all() noexcept;

  ChildOptions options_;
  pid_t child_ = -1;
  int to_ = -1;             ///< its standard input; -1 once it is closed
  int from_ = -1;           ///< its standard output
  int errors_ = -1;         ///< its standard error
  std::size_t passed_ = 0;  ///< bytes of it that were passed on
  bool left_out_ = false;   ///< whether there were more
  std::optional<Descendants> family_;
  std::string received_;  ///< bytes received that are not yet part of an answer
};

}  // namespace speclab
