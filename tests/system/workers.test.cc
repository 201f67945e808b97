#include "system/workers.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/error.h"
#include "catch.h"
#include "system/interrupt.h"
#include "system/interrupt_scope.h"
#include "system/local_mail.h"

namespace speclab {
namespace {

std::string square(const std::string& task) {
  const int number = std::stoi(task);
  if (number < 0) throw LimitError("the square root of " + task);
  return std::to_string(number * number);
}

constexpr WorkKind kSquares[] = {{"square", &square}};

/// Deals the squares of 0 to count - 1; the one of `bad` fails.
struct Squares {
  explicit Squares(int tasks, int bad = -1, bool on_others = false) : count(tasks) {
    deal.kind = "square";
    deal.threads = 2;
    deal.next = [this, bad]() -> std::optional<std::string> {
      if (dealt == count) return std::nullopt;
      const int number = dealt++;
      return std::to_string(number == bad ? -1 : number);
    };
    // Rank 0 is slow, so that the others do most.
    deal.here = [on_others](std::size_t, const std::string& task) {
      if (on_others) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return square(task);
    };
    deal.take = [this](std::size_t number, const std::string& result) {
      taken.push_back(number);
      CHECK(result == std::to_string(number * number));
    };
  }
  int count, dealt = 0;
  std::vector<std::size_t> taken;
  Workers::Deal deal;
};

void check_all_taken_once(std::vector<std::size_t> taken, std::size_t count) {
  std::sort(taken.begin(), taken.end());
  REQUIRE(taken.size() == count);
  for (std::size_t i = 0; i < count; ++i) CHECK(taken[i] == i);
}

TEST_CASE("every task is done once by any number of ranks") {
  for (const int ranks : {1, 2, 3, 7}) {
    Others others(ranks, kSquares);
    Workers workers(ranks > 1 ? &others.mail : nullptr);
    CHECK(&Workers::current() == &workers);
    CHECK(workers.ranks() == ranks);
    // One after another, with few tasks and many.
    for (const int count : {0, 1, 200}) {
      Squares squares(count, -1, ranks > 1);
      CHECK(workers.deal(squares.deal));
      check_all_taken_once(squares.taken, static_cast<std::size_t>(count));
    }
  }
  CHECK(Workers::current().ranks() == 1);
}

TEST_CASE("a task has the threads of its width and hands out to its own process alone") {
  Others others(2, kSquares);
  Workers workers(&others.mail);
  for (const bool wide : {false, true}) {
    Squares squares(8);
    squares.deal.wide = wide;
    squares.deal.threads = 3;
    squares.deal.here = [wide](std::size_t, const std::string& task) {
      if (omp_get_max_threads() != (wide ? 3 : 1)) throw std::logic_error("other threads");
      if (Workers::current().ranks() != 1) throw std::logic_error("other ranks");
      return square(task);
    };
    CHECK(workers.deal(squares.deal));
    check_all_taken_once(squares.taken, 8);
  }
}

TEST_CASE("a failure on any rank is thrown with its code when nobody is at work any more") {
  for (const int ranks : {1, 3}) {
    Others others(ranks, kSquares);
    Workers workers(ranks > 1 ? &others.mail : nullptr);
    Squares squares(1000, 40, ranks > 1);
    try {
      workers.deal(squares.deal);
      FAIL("nothing was thrown");
    } catch (const Error& error) {
      CHECK(error.code() == ExitCode::limit);
      CHECK(std::string(error.what()).find("the square root of -1") != std::string::npos);
    }
    // All before it were done, and little after it was begun.
    CHECK(squares.dealt < 1000);
    for (std::size_t i = 0; i < 40; ++i) {
      CHECK(std::count(squares.taken.begin(), squares.taken.end(), i) == 1);
    }
    Squares again(20);
    CHECK(workers.deal(again.deal));
    check_all_taken_once(again.taken, 20);
  }
}

TEST_CASE("what the taking of a result throws ends the dealing") {
  Others others(3, kSquares);
  Workers workers(&others.mail);
  Squares squares(1000);
  squares.deal.take = [](std::size_t, const std::string&) { throw InputError("the disk is full"); };
  CHECK_THROWS_AS(workers.deal(squares.deal), InputError);
  CHECK(squares.dealt < 1000);
}

TEST_CASE("an interruption ends the dealing") {
  const InterruptScope scope;  // clears the flag at its end
  Workers workers;
  Squares squares(1'000'000);
  squares.deal.take = [](std::size_t number, const std::string&) {
    if (number == 10) raise_interrupt();
  };
  CHECK_FALSE(workers.deal(squares.deal));
  CHECK(squares.dealt < 1'000'000);
}

TEST_CASE("results that arrive in another order are each taken for their own task") {
  Others others(3, kSquares, MailFault::last_first);
  Workers workers(&others.mail);
  Squares squares(200, -1, true);
  CHECK(workers.deal(squares.deal));
  CHECK_FALSE(std::is_sorted(squares.taken.begin(), squares.taken.end()));
  check_all_taken_once(squares.taken, 200);
}

TEST_CASE("a result that is told twice is refused") {
  const InterruptScope scope;  // clears the flag at its end
  Others others(2, kSquares, MailFault::results_twice);
  Workers workers(&others.mail);
  Squares squares(200, -1, true);
  CHECK_THROWS_AS(workers.deal(squares.deal), std::logic_error);
}

TEST_CASE("a result of another task than the one that was given is refused") {
  // The rank takes one task for another, or mixes up their results: of two that it was given, so
  // that their numbers are its own.
  for (const MailFault fault : {MailFault::tasks_exchanged, MailFault::results_exchanged}) {
    const InterruptScope scope;  // clears the flag at its end
    Others others(2, kSquares, fault);
    Workers workers(&others.mail);
    Squares squares(200, -1, true);
    CHECK_THROWS_AS(workers.deal(squares.deal), std::logic_error);
  }
}

}  // namespace
}  // namespace speclab
