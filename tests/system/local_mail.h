#pragma once

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "system/mail.h"
#include "system/workers.h"

namespace speclab {

/// Ranks that are threads of one process: what their mail shares.
struct Office {
  explicit Office(std::size_t ranks) : boxes(ranks) {}
  std::mutex mutex;
  std::vector<std::deque<Letter>> boxes;
};

/// What is wrong with the mail of a rank.
enum class MailFault {
  none,
  results_twice,      ///< each result is delivered twice
  last_first,         ///< of several letters that are there, a result that came last is read first
  tasks_exchanged,    ///< the first two tasks at once come under each other's number
  results_exchanged,  ///< likewise the first two results
};

class LocalMail final : public Mail {
 public:
  LocalMail(Office& office, int rank, MailFault fault = MailFault::none)
      : office_(office), rank_(rank), fault_(fault) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return static_cast<int>(office_.boxes.size()); }
  [[nodiscard]] int neighbours() const override { return ranks(); }

  void send(const Letter& letter) override {
    const std::lock_guard lock(office_.mutex);
    Letter sent{rank_, letter.kind, letter.text};
    const bool result = letter.kind == LetterKind::result;
    if (result && fault_ == MailFault::results_exchanged && exchange(sent)) return;
    auto& box = office_.boxes.at(static_cast<std::size_t>(letter.rank));
    if (exchanged_) box.push_back(*std::exchange(exchanged_, std::nullopt));
    if (result && fault_ == MailFault::results_twice) box.push_back(sent);
    box.push_back(std::move(sent));
  }

  std::optional<Letter> receive() override {
    const std::lock_guard lock(office_.mutex);
    auto& box = office_.boxes[static_cast<std::size_t>(rank_)];
    if (box.empty()) return std::nullopt;
    auto chosen = box.begin();
    if (fault_ == MailFault::last_first && chosen->kind == LetterKind::result) {
      for (auto next = box.begin(); next != box.end() && next->kind == chosen->kind; ++next) {
        chosen = next;
      }
    }
    if (fault_ == MailFault::tasks_exchanged && !done_ && chosen->kind == LetterKind::task) {
      if (box.size() < 2) return std::nullopt;
      exchange_numbers(*chosen, box[1]);
    }
    Letter letter = std::move(*chosen);
    box.erase(chosen);
    return letter;
  }

  void abort(int) override { std::abort(); }

 private:
  /// Exchanges what stands before the first space of two letters, once.
  void exchange_numbers(Letter& a, Letter& b) {
    if (std::exchange(done_, true)) return;
    const auto number = [](const Letter& letter) {
      return letter.text.substr(0, letter.text.find(' '));
    };
    const std::string first = number(a);
    const std::string second = number(b);
    a.text.replace(0, first.size(), second);
    b.text.replace(0, second.size(), first);
  }
  /// Keeps a letter until there is another to exchange numbers with. @returns whether it was kept
  bool exchange(Letter& letter) {
    if (done_) return false;
    if (!exchanged_) {
      exchanged_ = std::move(letter);
      return true;
    }
    exchange_numbers(*exchanged_, letter);
    return false;
  }

  Office& office_;
  int rank_;
  MailFault fault_;
  bool done_ = false;
  std::optional<Letter> exchanged_;
};

/// The ranks but 0, each on a thread; gone when this is.
class Others {
 public:
  Others(int ranks, std::span<const WorkKind> kinds, MailFault fault = MailFault::none)
      : office(static_cast<std::size_t>(ranks)), mail(office, 0, fault) {
    for (int rank = 1; rank < ranks; ++rank) {
      threads_.emplace_back([this, rank, kinds, fault] {
        LocalMail own(office, rank, fault);
        serve(own, kinds);
      });
    }
  }
  Office office;
  LocalMail mail;

 private:
  std::vector<std::jthread> threads_;
};

}  // namespace speclab
