#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "system/mail.h"

namespace speclab {

// What rank 0 and the others write to each other: a head line of numbers, and a text.
//   hello   THREADS            and the host
//   task    NUMBER THREADS KIND  and the task
//   result  NUMBER DIGEST      and the result; the digest is that of the task that was done
//   failed  NUMBER CODE        and the message; code 0 where it is no Error

/// A letter's head and what follows it. @throws std::logic_error where there is no head
std::pair<std::string, std::string> split_head(const std::string& text);

/// A task's text, told from others.
std::string digest_of(const std::string& task);

/// Threads of a rank where none are asked for: what OpenMP gives, shared among the ranks that have
/// the same processors unless the user said how many.
int own_threads(const Mail* mail);

/// How long to wait between looks at the mail: short after something came, longer and longer then.
class Patience {
 public:
  void reset() { next_ = kLeast; }
  [[nodiscard]] std::chrono::microseconds next(std::chrono::microseconds most) {
    const std::chrono::microseconds now = std::min(next_, most);
    next_ = std::min(2 * next_, std::chrono::microseconds(1'000'000));
    return now;
  }

 private:
  static constexpr std::chrono::microseconds kLeast{20};
  std::chrono::microseconds next_ = kLeast;
};

}  // namespace speclab
