#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audit/adequacy/cases.h"

namespace speclab {

struct AdequacyOptions {
  double power = 0.99;        ///< a fault is seen where it is found with at least this probability
  double false_alarm = 1e-9;  ///< of an added case
  std::uint64_t most_samples = 4'000'000;  ///< of an added case
  std::uint64_t seed = 1;
};

/// A known fault against the tests of a suite.
struct SuiteFault {
  std::string rule;
  std::string fault;
  TestPower power;     ///< of the best test alone: the suite finds it with at least this
  std::string by;      ///< the name of that test
  std::string reason;  ///< where no test can: why
  bool seen = false;   ///< a test can, and the lower end of its power is what is asked for, or more
};

/// A case that shows faults which a suite does not see.
struct AddedCase {
  std::string line;  ///< as read_adequacy_cases reads it
  Token vocabulary = 0;
  int gamma = 1;
  std::uint64_t samples = 0;
  std::vector<std::string> shows;
};

struct AdequacySuite {
  std::string name;
  std::vector<std::size_t> cases;    ///< their numbers
  TestPower false_alarm;             ///< of the test that fails a right implementation most often
  std::vector<SuiteFault> faults;    ///< of every rule that it tests
  std::vector<AddedCase> added;      ///< the fewest samples first
  std::vector<std::string> nowhere;  ///< unseen faults that no case with given drafts shows
  [[nodiscard]] std::size_t seen() const;
};

struct AdequacyReport {
  double power = 0;
  std::vector<AdequacyCase> cases;
  std::vector<AdequacySuite> suites;  ///< in the order of the file

  [[nodiscard]] bool adequate() const;
};

/// Which known faults of each rule (known_faults) the tests of each suite find. A suite fails an
/// implementation where one of its tests does; tests may share their samples, so that the largest
/// power of one test is stated, a bound from below.
/// @param progress  called with the tests done and all of them
AdequacyReport adequacy(std::vector<AdequacyCase> cases, const AdequacyOptions& options,
                        const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace speclab
