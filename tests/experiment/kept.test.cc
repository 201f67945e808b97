// Stored answers and trials, and the messages where they cannot be used.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "answer/bench.h"
#include "catch.h"
#include "experiment/stored_trials.h"
#include "scratch.h"

namespace speclab::kept_test {
namespace {

/// While it lives the superuser, whom no permission binds, opens files as another user.
class Nobody {
 public:
  Nobody() {
    if (was_ == 0) REQUIRE(seteuid(65534) == 0);
  }
  Nobody(const Nobody&) = delete;
  Nobody& operator=(const Nobody&) = delete;
  ~Nobody() {
    if (was_ == 0 && seteuid(0) != 0) std::abort();
  }

 private:
  uid_t was_ = geteuid();
};

}  // namespace

TEST_CASE("a results file where none can be made is reported with its name and the fix") {
  const Scratch scratch;
  const std::string inside = scratch.file("none/results.sqlite");
  CHECK_THROWS_WITH(Store(inside),
                    Containing("the results file '" + inside + "' cannot be used: ") &&
                        Containing("; make it and its folder writable, or give "
                                   "another folder for results"));
  CHECK_THROWS_WITH(Store(scratch.file("")), Containing("; make it and its folder writable"));
}

TEST_CASE("a results file that may only be read is read, and refused where more is asked for") {
  const Scratch scratch;
  const std::string path = scratch.file("results.sqlite"), empty = scratch.write("empty", "");
  { Store(path).put_answer("a", "body"); }
  namespace fs = std::filesystem;
  fs::permissions(scratch.file(""), fs::perms(0755));
  for (const std::string& each : {path, empty}) fs::permissions(each, fs::perms(0444));
  const Nobody nobody;
  Store store(path);
  CHECK(store.read_only());
  CHECK(store.answer("a") == "body");
  CHECK_FALSE(store.answer("b"));
  CHECK(store.begin_session("body") == 0);
  CHECK_NOTHROW(store.end_session(0, "body"));
  const std::string why =
      "the results file '" + path +
      "' may only be read, and does not hold all that is asked for; give another folder for "
      "results, or make the file and its folder writable";
  const auto put = [&] { store.put_answer("b", "body"); };
  CHECK_THROWS_WITH(put(), why);
  CHECK_THROWS_WITH(store.soon(put), why);
  CHECK_THROWS_WITH(store.together(put), why);
  CHECK_THROWS_WITH(Store(empty), Containing(empty) && Containing("readonly") &&
                                      Containing("; make it and its folder writable"));
}

TEST_CASE("trials that are gone from the file since they were listed are refused") {
  const Scratch scratch;
  Store store(scratch.file("results.sqlite"));
  CHECK_THROWS_WITH(store.tally("a", 1, {0, 5}, Lengths()),
                    Containing(scratch.file("results.sqlite")) &&
                        Containing(" lacks trials of 'a' that it had before; was it changed?"));
}

TEST_CASE("of ranges on record the chain that reaches farthest and not beyond is taken") {
  const std::vector<TrialRangeDone> known{{0, 32}, {0, 64}, {0, 100}, {64, 64}, {100, 28}};
  const auto chain = [&](std::uint64_t from, std::uint64_t end) {
    std::vector<std::uint64_t> counts;
    for (const TrialRangeDone& range : longest_chain(known, from, end)) {
      CHECK(range.first == from);
      from += range.count;
      counts.push_back(range.count);
    }
    return counts;
  };
  using Counts = std::vector<std::uint64_t>;
  const Counts whole = chain(0, 128);
  CHECK(std::accumulate(whole.begin(), whole.end(), std::uint64_t{0}) == 128);
  CHECK(chain(0, 127) == Counts{100});
  CHECK(chain(0, 99) == Counts{64});
  CHECK(chain(0, 64) == Counts{64});
  CHECK(chain(0, 31).empty());
  CHECK(chain(64, 127).empty());
  CHECK(chain(64, 128) == Counts{64});
  CHECK(chain(65, 1000).empty());
}

}  // namespace speclab::kept_test
