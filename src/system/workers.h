#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "system/mail.h"

namespace speclab {

/// A kind of work that every rank can do: from the text of a task to the text of its result, which
/// depends on the task alone.
struct WorkKind {
  std::string_view name;
  std::string (*work)(const std::string& task);
};

/// Those who share work: the threads of this process and, where a launcher started several
/// processes, of those. Rank 0 runs the command and hands out tasks; the others do what they are
/// given (serve). Nobody but rank 0 prints, writes a file or decides anything, so a command gives
/// the same bits for any number of ranks and threads.
///
///   Workers& workers = Workers::current();
///   workers.deal({.kind = "square", .next = ..., .here = ..., .take = ...});
class Workers {
 public:
  /// @param mail  of rank 0, or null; outlives the workers. Until these are gone current() gives
  /// them to the thread that makes them.
  explicit Workers(Mail* mail = nullptr);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  /// Sends the other ranks home and waits until they have gone.
  ~Workers();

  /// Whom this thread hands work to. Within a task that is this process's threads alone.
  static Workers& current();

  /// Ranks that take tasks: 1 where this process is alone.
  [[nodiscard]] int ranks() const;

  /// Tasks to be done.
  struct Deal {
    std::string_view kind;  ///< by which the other ranks know what to do (see serve)
    /// A task uses all threads of its rank, one task at a time; else one thread, as many tasks.
    bool wide = false;
    int threads = 0;  ///< of a rank; 0: as many as it has
    /// The text of the next task, or nothing where there is none now: it is asked again when a
    /// result was taken, and there are none left where nobody is at work any more.
    std::function<std::optional<std::string>()> next;
    /// How this rank does a task; `number` counts what next() gave. From several threads.
    std::function<std::string(std::size_t number, const std::string& task)> here;
    /// Called with each result as it arrives, in any order.
    std::function<void(std::size_t number, const std::string& result)> take;
  };

  /// Hands out tasks, as ranks come free, until there are none left; next and take are called by
  /// this thread. Other threads of this process may not be within parallel_for.
  /// After a failure no more are handed out.
  /// @returns false where a signal came before all was done
  /// @throws what the lowest-numbered task that failed threw (of another rank: an Error of its
  /// code, else a std::runtime_error), once nobody is at work any more; what next and take throw
  bool deal(const Deal& deal);

 private:
  class Dealer;
  std::unique_ptr<Dealer> dealer_;
  Workers* before_;
};

/// What a rank other than 0 does: the tasks that it is given, until rank 0 says that it is the end.
void serve(Mail& mail, std::span<const WorkKind> kinds);

}  // namespace speclab
