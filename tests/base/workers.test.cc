#include "base/workers.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/interrupt_scope.h"
#include "catch.h"

namespace speclab {
namespace {

/// Ranks that are threads of one process: what their mail shares.
struct Office {
  explicit Office(std::size_t ranks) : boxes(ranks) {}
  std::mutex mutex;
  std::vector<std::deque<Letter>> boxes;
};

/// @param twice  a fault: each result is delivered twice
class LocalMail final : public Mail {
 public:
  LocalMail(Office& office, int rank, bool twice = false)
      : office_(office), rank_(rank), twice_(twice) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return static_cast<int>(office_.boxes.size()); }
  [[nodiscard]] int neighbours() const override { return ranks(); }
  void send(const Letter& letter) override {
    const std::lock_guard lock(office_.mutex);
    const bool again = twice_ && letter.kind == LetterKind::result;
    for (int i = 0; i < (again ? 2 : 1); ++i) {
      office_.boxes.at(static_cast<std::size_t>(letter.rank))
          .push_back({rank_, letter.kind, letter.text});
    }
  }
  std::optional<Letter> receive() override {
    const std::lock_guard lock(office_.mutex);
    auto& box = office_.boxes[static_cast<std::size_t>(rank_)];
    if (box.empty()) return std::nullopt;
    Letter letter = box.front();
    box.pop_front();
    return letter;
  }
  void abort(int) override { std::abort(); }

 private:
  Office& office_;
  int rank_;
  bool twice_;
};

std::string square(const std::string& task) {
  const int number = std::stoi(task);
  if (number < 0) throw LimitError("the square root of " + task);
  return std::to_string(number * number);
}

constexpr WorkKind kSquares[] = {{"square", &square}};

/// The ranks but 0, each on a thread; gone when this is.
class Others {
 public:
  explicit Others(int ranks, bool twice = false)
      : office(static_cast<std::size_t>(ranks)), mail(office, 0) {
    for (int rank = 1; rank < ranks; ++rank) {
      threads_.emplace_back([this, rank, twice] {
        LocalMail own(office, rank, twice);
        serve(own, kSquares);
      });
    }
  }
  Office office;
  LocalMail mail;

 private:
  std::vector<std::jthread> threads_;
};

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
    Others others(ranks);
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
  Others others(2);
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
    Others others(ranks);
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
  Others others(3);
  Workers workers(&others.mail);
  Squares squares(1000);
  squares.deal.take = [](std::size_t, const std::string&) { throw InputError("the disk is full"); };
  CHECK_THROWS_AS(workers.deal(squares.deal), InputError);
  CHECK(squares.dealt < 1000);
}

TEST_CASE("an interruption ends the dealing") {
  const InterruptScope scope;  // takes the flag down again
  Workers workers;
  Squares squares(1'000'000);
  squares.deal.take = [](std::size_t number, const std::string&) {
    if (number == 10) raise_interrupt();
  };
  CHECK_FALSE(workers.deal(squares.deal));
  CHECK(squares.dealt < 1'000'000);
}

TEST_CASE("a result that is told twice is refused") {
  Others others(2, true);
  Workers workers(&others.mail);
  Squares squares(200, -1, true);
  CHECK_THROWS_AS(workers.deal(squares.deal), std::logic_error);
}

}  // namespace
}  // namespace speclab
