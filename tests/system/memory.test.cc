#include "system/memory.h"

#include "catch.h"
#include "scratch.h"

namespace speclab::memory_test {
namespace {

/// A machine made of files.
class Machine {
 public:
  void write(const std::string& path, const std::string& text) const {
    static_cast<void>(scratch_.write("machine" + path, text));
  }
  [[nodiscard]] std::string root() const { return scratch_.file("machine"); }

 private:
  Scratch scratch_;
};

TEST_CASE("free memory is empty where the system does not report it") {
  const Machine machine;
  CHECK_FALSE(free_memory(machine.root()).has_value());
  machine.write("/proc/meminfo", "MemTotal:  100 kB\nMemAvailable:  none\n");
  CHECK_FALSE(free_memory(machine.root()).has_value());
}

TEST_CASE("free memory is the available memory or the rest of the tightest group limit") {
  const Machine machine;
  machine.write("/proc/meminfo", "MemTotal:  900 kB\nMemFree: 1 kB\nMemAvailable:    500 kB\n");
  CHECK(free_memory(machine.root()) == 512000);
  machine.write("/proc/self/cgroup", "12:memory:/old\n0::/a/b\n");
  CHECK(free_memory(machine.root()) == 512000);
  const std::string groups = "/sys/fs/cgroup";
  machine.write(groups + "/a/b/memory.max", "max\n");
  machine.write(groups + "/a/b/memory.current", "9000\n");
  CHECK(free_memory(machine.root()) == 512000);
  machine.write(groups + "/a/memory.max", "400000\n");
  machine.write(groups + "/a/memory.current", "300000\n");
  CHECK(free_memory(machine.root()) == 100000);
  // Page cache of files that are not in use is reclaimed when needed.
  machine.write(groups + "/a/memory.stat", "anon 200000\nactive_file 7\ninactive_file 50000\n");
  CHECK(free_memory(machine.root()) == 150000);
  machine.write(groups + "/memory.max", "20000\n");
  machine.write(groups + "/memory.current", "19000\n");
  CHECK(free_memory(machine.root()) == 1000);
  machine.write(groups + "/memory.current", "30000\n");
  CHECK(free_memory(machine.root()) == 0);
}

TEST_CASE("free memory of this machine is more than nothing") {
  const auto here = free_memory();
  REQUIRE(here.has_value());
  CHECK(*here > 0);
}

TEST_CASE("sizes are printed in units of 1024") {
  CHECK(size_text(0) == "0 bytes");
  CHECK(size_text(1023) == "1.02e+03 bytes");
  CHECK(size_text(1536) == "1.5 KiB");
  CHECK(size_text(26.9 * 1024 * 1024) == "26.9 MiB");
  CHECK(size_text(3e9) == "2.79 GiB");
}

}  // namespace
}  // namespace speclab::memory_test
