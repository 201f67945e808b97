#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace speclab {

/// What a letter between ranks is about.
enum class LetterKind : int {
  hello,   ///< to rank 0: the rank's threads and host; the first letter of each
  task,    ///< from rank 0: a task to be done
  result,  ///< to rank 0: what a task came to
  failed,  ///< to rank 0: the error that a task ended with
  stop,    ///< from rank 0: to end what is being done; to rank 0: this rank was interrupted
  end,     ///< from rank 0: nothing more will come
  bye,     ///< to rank 0: the last letter of each
};

struct Letter {
  int rank = 0;  ///< where it comes from, or goes to
  LetterKind kind = LetterKind::hello;
  std::string text;
};

/// The processes that a launcher started together, numbered from 0, and letters between them. Of
/// one thread only. Letters from one rank to another arrive in the order in which they were sent.
/// The destructor waits for all ranks, and for letters on their way.
class Mail {
 public:
  virtual ~Mail() = default;
  [[nodiscard]] virtual int rank() const = 0;
  /// Ranks there are, rank 0 among them.
  [[nodiscard]] virtual int ranks() const = 0;
  /// Ranks on this rank's machine that share its processors.
  [[nodiscard]] virtual int neighbours() const = 0;
  /// Never waits for the receiver.
  virtual void send(const Letter& letter) = 0;
  /// A letter that has arrived, or nothing; never waits.
  virtual std::optional<Letter> receive() = 0;
  /// Ends all ranks at once with this exit code.
  [[noreturn]] virtual void abort(int code) = 0;
};

/// The mail of the processes that this one was started with, where a launcher (mpirun, srun)
/// started several; null where it is alone, which costs nothing. Once in a process.
/// @throws LimitError where there are others that cannot be reached
std::unique_ptr<Mail> open_mail();

}  // namespace speclab
