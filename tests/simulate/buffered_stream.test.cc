#include "simulate/buffered_stream.h"

#include "catch.h"
#include "simulate/sampler.h"

namespace speclab::buffered_stream_test {
namespace {

constexpr std::uint64_t kKey = 0x0123456789abcdefULL;
constexpr std::uint64_t kTrial = (std::uint64_t{1} << 40U) + 8;

/// Hands the draw's own number back: the "law" of a sampler that is asked for what it draws.
struct Revealing {
  static double mass() { return 1; }
  Token pick(double u) const {
    seen = u;
    return 0;
  }
  mutable double seen = -1;
};

}  // namespace

TEST_CASE("a buffered stream is the stream") {
  for (const Purpose purpose :
       {Purpose::prompt, Purpose::draft, Purpose::accept, Purpose::correct}) {
    Stream plain(kKey, kTrial, 3, purpose);
    BufferedStream buffered(kKey, kTrial, 3, purpose);
    for (int i = 0; i < 1000; ++i) {
      REQUIRE(buffered.uniform() == static_cast<double>(plain() >> 11) * 0x1p-53);
    }
  }
}

TEST_CASE("a hint is the number to come, or 0 where it is not made yet") {
  BufferedStream buffered(kKey, kTrial, 3, Purpose::draft);
  CHECK(buffered.hint(0) == 0);
  int given = 0;
  for (int i = 0; i < 200; ++i) {
    const double hint = buffered.hint(4);
    BufferedStream ahead = buffered;
    for (int j = 0; j < 4; ++j) ahead.uniform();
    const double next = ahead.uniform();
    CHECK((hint == next || hint == 0));
    given += hint == next ? 1 : 0;
    buffered.uniform();
  }
  CHECK(given > 100);
}

TEST_CASE("a sampler's three streams are those of its trial and run") {
  Sampler sampler(kKey, kTrial, 2);
  Stream drafts(kKey, kTrial, 2, Purpose::draft);
  Stream coins(kKey, kTrial, 2, Purpose::accept);
  Stream corrections(kKey, kTrial, 2, Purpose::correct);
  const Revealing law;
  for (int i = 0; i < 300; ++i) {
    // Compared with words, not to uniform(): 53 bits of each.
    const auto number = [](std::uint64_t word) {
      return static_cast<double>(word >> 11) * 0x1p-53;
    };
    sampler.draft(law);
    REQUIRE(law.seen == number(drafts()));
    sampler.choose(law);
    REQUIRE(law.seen == number(coins()));
    sampler.correct(law);
    REQUIRE(law.seen == number(corrections()));
  }
}

}  // namespace speclab::buffered_stream_test
