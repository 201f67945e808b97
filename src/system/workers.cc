#include "system/workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/error.h"
#include "system/crew.h"
#include "system/interrupt.h"
#include "system/interrupt_scope.h"
#include "system/letters.h"

namespace speclab {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

/// What a task of another rank threw, as it is thrown here.
std::exception_ptr failure_of(int code, const std::string& message) {
  if (code == 0) return std::make_exception_ptr(std::runtime_error(message));
  return std::make_exception_ptr(Error(static_cast<ExitCode>(code), message));
}

bool is_interruption(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return error.code() == ExitCode::interrupted;
  } catch (...) {
    return false;
  }
}

thread_local Workers* t_current = nullptr;

}  // namespace

/// Rank 0: hands out tasks and takes results.
class Workers::Dealer {
 public:
  explicit Dealer(Mail* mail)
      : mail_(mail), members_(mail != nullptr ? static_cast<std::size_t>(mail->ranks()) : 1) {
    members_[0].threads = own_threads(mail);
  }

  ~Dealer() {
    // Printed and saved is all that will be; the exit code is that of the interruption.
    if (abandoned_) mail_->abort(static_cast<int>(ExitCode::interrupted));
    for (std::size_t i = 1; i < members_.size(); ++i) send(i, LetterKind::end);
    Patience patience;
    for (std::size_t gone = 1; gone < members_.size();) {
      const auto letter = mail_->receive();
      if (letter) patience.reset();
      if (letter && letter->kind == LetterKind::bye) ++gone;
      if (!letter) crew_.wait(patience.next(microseconds(1000)));
    }
  }

  [[nodiscard]] int ranks() const { return static_cast<int>(members_.size()); }

  bool deal(const Deal& deal) {
    if (deal_ != nullptr) throw std::logic_error("tasks are handed out within a task");
    deal_ = &deal;
    count_ = 0;
    fault_ = failure_ = nullptr;
    stopped_ = false;
    Patience patience;
    for (;;) {
      const bool given = hand_out();
      const bool taken = collect();
      if (at_work_.empty() && !given && !taken) break;
      if (interrupted()) stop();
      if (gives_up()) break;
      if (taken) patience.reset();
      if (!given && !taken) crew_.wait(patience.next(microseconds(mail_ ? 1000 : 100'000)));
    }
    deal_ = nullptr;
    if (fault_) std::rethrow_exception(fault_);
    if (failure_) std::rethrow_exception(failure_);
    return !interrupted();
  }

 private:
  struct Member {
    int threads = 0;  ///< 0: has not said hello yet
    int tasks = 0;    ///< at work
    std::string host;
  };

  struct AtWork {
    std::size_t rank;
    std::string digest;  ///< of the task's text, where another rank does it
  };

  [[nodiscard]] bool is_free(const Member& member) const {
    if (member.threads == 0) return false;
    const int threads = deal_->threads > 0 ? deal_->threads : member.threads;
    return member.tasks < (deal_->wide ? 1 : threads);
  }

  /// Gives each rank that is free a task, one more each in turn.
  /// @returns whether any got one
  bool hand_out() {
    bool any = false;
    for (bool given = true; given;) {
      given = false;
      for (std::size_t rank = 0; rank < members_.size(); ++rank) {
        if (!is_free(members_[rank])) continue;
        if (fault_ || failure_ || interrupted()) return any;
        const std::optional<std::string> task = next();
        if (!task) return any;
        give(rank, *task);
        given = any = true;
      }
    }
    return any;
  }

  std::optional<std::string> next() {
    try {
      return deal_->next();
    } catch (...) {
      fault_ = std::current_exception();
      return std::nullopt;
    }
  }

  void give(std::size_t rank, const std::string& task) {
    const std::size_t number = count_++;
    ++members_[rank].tasks;
    at_work_.emplace(number, AtWork{rank, rank == 0 ? "" : digest_of(task)});
    const int threads = deal_->wide ? deal_->threads : 1;
    if (rank == 0) {
      crew_.start(number, threads > 0 ? threads : members_[0].threads,
                  [this, number, task] { return deal_->here(number, task); });
      return;
    }
    send(rank, LetterKind::task, fmt::format("{} {} {}\n{}", number, threads, deal_->kind, task));
  }

  /// Takes what has arrived. @returns whether anything had
  bool collect() {
    bool any = false;
    while (auto outcome = crew_.collect()) {
      any = true;
      finish(0, outcome->number, outcome->result, outcome->failure);
    }
    if (mail_ == nullptr) return any;
    while (const auto letter = mail_->receive()) {
      any = true;
      read(*letter);
    }
    return any;
  }

  void read(const Letter& letter) {
    const auto [head, text] = split_head(letter.text);
    const auto rank = static_cast<std::size_t>(letter.rank);
    char* end = nullptr;
    const std::size_t number = std::strtoull(head.c_str(), &end, 10);
    switch (letter.kind) {
      case LetterKind::hello:
        members_.at(rank).threads = static_cast<int>(number);
        members_[rank].host = text;
        return;
      case LetterKind::stop:
        return raise_interrupt();
      case LetterKind::result:
        return finish(rank, number, text, nullptr, *end == ' ' ? end + 1 : end);
      case LetterKind::failed: {
        const std::string where = fmt::format("rank {} on {}: ", rank, members_.at(rank).host);
        return finish(rank, number, {},
                      failure_of(static_cast<int>(std::strtol(end, nullptr, 10)), where + text));
      }
      default:
        throw std::logic_error("a letter that rank 0 does not get");
    }
  }

  /// @param digest  of the task that was done, where another rank tells its result
  void finish(std::size_t rank, std::size_t number, const std::string& result,
              const std::exception_ptr& failure, const std::string& digest = {}) {
    const auto asked = at_work_.find(number);
    if (asked == at_work_.end() || asked->second.rank != rank) {
      return break_off("a rank tells the result of a task that it was not given");
    }
    if (!failure && asked->second.digest != digest) {
      break_off("a rank tells the result of another task than the one it was given");
    }
    at_work_.erase(asked);
    --members_[rank].tasks;
    if (failure && is_interruption(failure)) {
      raise_interrupt();
    } else if (failure) {
      if (!failure_ || number < failed_) {
        failed_ = number;
        failure_ = failure;
      }
    } else if (!fault_) {
      try {
        deal_->take(number, result);
      } catch (...) {
        fault_ = std::current_exception();
      }
    }
    if (fault_) stop();
  }

  /// Ends the dealing: threads that are at work still read what deal() was given.
  void break_off(const char* why) {
    if (!fault_) fault_ = std::make_exception_ptr(std::logic_error(why));
    stop();
  }

  /// Whether to leave ranks that do not stop: they may be dead, and launchers wait for a second.
  bool gives_up() {
    constexpr std::chrono::milliseconds kPatience{500};
    if (!interrupted() || at_work_.empty() || crew_.busy() > 0) return false;
    if (Clock::now() - stopped_at_ < kPatience) return false;
    abandoned_ = true;
    return true;
  }

  /// Tells the others to end what they do, once.
  void stop() {
    if (std::exchange(stopped_, true)) return;
    stopped_at_ = Clock::now();
    for (std::size_t i = 1; i < members_.size(); ++i) send(i, LetterKind::stop);
  }

  void send(std::size_t rank, LetterKind kind, std::string text = {}) {
    mail_->send({static_cast<int>(rank), kind, std::move(text)});
  }

  Mail* mail_;
  Crew crew_;
  std::vector<Member> members_;
  const Deal* deal_ = nullptr;
  std::size_t count_ = 0;                  ///< tasks handed out
  std::map<std::size_t, AtWork> at_work_;  ///< of these those without an outcome
  std::size_t failed_ = 0;                 ///< the lowest-numbered task that failed
  std::exception_ptr failure_;             ///< what it threw
  std::exception_ptr fault_;               ///< what next or take threw
  bool stopped_ = false;
  Clock::time_point stopped_at_;
  bool abandoned_ = false;  ///< ranks that did not stop
};

Workers::Workers(Mail* mail)
    : dealer_(std::make_unique<Dealer>(mail)), before_(std::exchange(t_current, this)) {}

Workers::~Workers() { t_current = before_; }

Workers& Workers::current() {
  if (t_current == nullptr) {
    static thread_local std::unique_ptr<Workers> alone;
    if (!alone) alone = std::make_unique<Workers>();
  }
  return *t_current;
}

int Workers::ranks() const { return dealer_->ranks(); }

bool Workers::deal(const Deal& deal) { return dealer_->deal(deal); }

}  // namespace speclab
