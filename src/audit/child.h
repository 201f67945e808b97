#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/implementation.h"
#include "audit/protocol.h"

namespace speclab {

struct ChildOptions {
  std::vector<std::string> command;  ///< the program, found as a shell finds it, and its arguments
  std::string rule = "lossless";     ///< told in the opening line, as is the mode
  AuditMode mode = AuditMode::verify;
  RowScale scale = RowScale::probabilities;
  double timeout_seconds = 60;  ///< for each answer
  double grace_seconds = 5;     ///< to end by itself after the last line
};

/// A program of any language that speaks the line protocol on its standard input and output; its
/// standard error is passed through. It runs in a session of its own, without a shell. However the
/// object ends, the program, what it started in its process group, and what it started elsewhere
/// with the environment that it was given, are killed.
/// SIGPIPE is ignored from the first object on, where it was at its default.
class ChildProcess : public Implementation {
 public:
  /// Starts the program and exchanges the opening lines.
  /// @throws InputError where it cannot be started or does not answer as it should
  explicit ChildProcess(ChildOptions options);
  ~ChildProcess() override;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// One line out and one line back a request.
  /// @throws InputError where the program ends, says nothing in time, says more than an answer may
  /// have, or answers wrongly; Error (interrupted) within a second of a signal
  std::vector<VerifyReply> verify(std::span<const VerifyRequest> requests) override;
  GenerateReply generate(const GenerateRequest& request) override;

  /// Says that there are no more requests, and waits for the program to end; one that does not is
  /// killed.
  /// @throws InputError where it ends by a signal or with another status than 0
  void finish();

  /// The process group of the program.
  [[nodiscard]] pid_t group() const { return child_; }

 private:
  void start();
  /// Sends a line and takes the next one that comes, of at most `longest` bytes.
  std::string exchange(const std::string& line, std::size_t longest, const std::string& what);
  void send_some(std::string_view& rest);
  bool receive_some();
  [[nodiscard]] bool ended() const;
  [[nodiscard]] std::string how_it_ended() const;
  [[nodiscard]] std::string received_text() const;
  bool wait_for_end(double seconds) const;
  void close_pipes();
  void kill_all() noexcept;

  ChildOptions options_;
  std::string mark_;  ///< a variable of the program's environment that no other process has
  pid_t child_ = -1;
  int to_ = -1;           ///< its standard input; -1 once it is closed
  int from_ = -1;         ///< its standard output
  std::string received_;  ///< what came and is not part of an answer yet
};

}  // namespace speclab
