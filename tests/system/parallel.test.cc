#include "system/parallel.h"

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.h"

namespace speclab::parallel_test {

TEST_CASE("parallel_for calls every number once, for any number of threads") {
  for (const int threads : {1, 2, 5}) {
    std::vector<std::atomic<int>> calls(1000);
    parallel_for(1000, threads, [&](std::int64_t i) { ++calls[static_cast<std::size_t>(i)]; });
    for (const auto& count : calls) REQUIRE(count == 1);
  }
  parallel_for(0, 2, [](std::int64_t) { FAIL("called for nothing"); });
}

TEST_CASE("parallel_for throws what the lowest number threw, after calling them all") {
  for (const int threads : {1, 2, 5}) {
    std::atomic<int> calls{0};
    const auto some_fail = [&](std::int64_t i) {
      ++calls;
      if (i % 100 == 37) throw std::runtime_error(std::to_string(i));
    };
    CHECK_THROWS_WITH(parallel_for(1000, threads, some_fail), "37");
    CHECK(calls == 1000);
  }
}

}  // namespace speclab::parallel_test
