#include "experiment/whole_numbers.h"

#include <catch.h>

namespace speclab {
namespace {

using Numbers = std::vector<std::int64_t>;

TEST_CASE("whole numbers are read between their separators, and nothing else is") {
  CHECK(whole_numbers("4:24:4", ":") == Numbers{4, 24, 4});
  CHECK(whole_numbers("2-of-3", "-of-") == Numbers{2, 3});
  CHECK(whole_numbers("123456789", ":") == Numbers{123456789});
  for (const char* text :
       {"", ":", "1:", ":1", "1::2", "-1:2", "+1", " 1", "1 ", "1.5", "1:b", "1234567890", "0x1"}) {
    CAPTURE(text);
    CHECK(whole_numbers(text, ":").empty());
  }
}

}  // namespace
}  // namespace speclab
