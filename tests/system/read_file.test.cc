#include "system/read_file.h"

#include <string>

#include "base/random.h"
#include "catch.h"

namespace speclab::read_file_test {
namespace {

TEST_CASE("UTF-8 is checked to the byte") {
  CHECK_NOTHROW(check_utf8("plain, caf\xc3\xa9, \xe2\x82\xac, \xf0\x9f\x8e\xb2", "T"));
  CHECK_THROWS_WITH(check_utf8(std::string("ab\0c", 4), "T"), Containing("T: byte 2 is NUL"));
  CHECK_THROWS_WITH(check_utf8("abc\xff", "T"), Containing("byte 3"));
  CHECK_THROWS_WITH(check_utf8("a\xc3", "T"), Containing("byte 1"));
  CHECK_THROWS_WITH(check_utf8("\xed\xa0\x80", "T"), Containing("byte 0"));  // a surrogate
  CHECK_THROWS_WITH(check_utf8("a\xc0\x80", "T"), Containing("byte 1"));     // an overlong NUL
}

TEST_CASE("a file that cannot be read is named with what to do") {
  CHECK_THROWS_WITH(read_file("/no/such/file"),
                    Containing("cannot read '/no/such/file': No such file or directory"));
  CHECK_THROWS_WITH(read_file("/"), Containing("'/' is a directory; give a file"));
  CHECK_THROWS_WITH(read_file("/dev/zero", 1000), Containing("is a device and no file"));
  CHECK_THROWS_WITH(read_file("/proc/self/maps", 1000), Containing("longer than 1000 bytes"));
}

TEST_CASE("a file's digest is the hash of all its bytes, taken in parts") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, (std::size_t{1} << 20) - 1,
                                 std::size_t{1} << 20, (std::size_t{1} << 21) + 3}) {
    std::string bytes(size, 'x');
    if (size > 0) bytes.back() = 'y';
    CHECK(input_file("f", bytes).digest == task_hash(bytes));
  }
}

TEST_CASE("a pipe or a device is refused as a lasting input") {
  CHECK_THROWS_WITH(check_lasting("/dev/null"),
                    Containing("'/dev/null' is a pipe or a device, which can be read once"));
  CHECK_NOTHROW(check_lasting("/no/such/file"));
  CHECK_NOTHROW(check_lasting("/proc/self/exe"));
}

}  // namespace
}  // namespace speclab::read_file_test
