#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "model/pair.h"

namespace speclab {

/// How much a file of conformance vectors holds. Batteries never change once they are released:
/// what is added gets another version.
enum class Battery { small, full, big };
inline constexpr int kBatteryVersion = 1;

/// What a battery asks of every case.
struct BatterySize {
  std::string_view name;
  int random = 1;                ///< random cases of a shape
  std::uint64_t samples = 0;     ///< of a case
  std::vector<Token> wide;       ///< vocabularies of the cases with wide rows
  std::vector<int> long_drafts;  ///< draft lengths of the long cases
};
const BatterySize& battery_size(Battery battery);

/// Why a case is there.
struct VectorFlag {
  std::string_view name;
  std::string_view prose;  ///< what it finds
};
const std::vector<VectorFlag>& vector_flags();

/// Rows along given drafts. All probabilities are multiples of a power of 1/2, so that a double is
/// the fraction and every row sums to 1 exactly.
struct VectorCase {
  std::string_view flag;
  std::shared_ptr<const Pair> pair;
  int gamma = 1;
  std::vector<std::vector<Token>> chains;  ///< [K][gamma], of positive draft probability
};

/// The cases of a battery for K drafts, the same at every call.
std::vector<VectorCase> vector_cases(Battery battery, int drafts);

}  // namespace speclab
