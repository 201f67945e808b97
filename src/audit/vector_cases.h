#pragma once

#include <memory>
#include <optional>
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
  std::vector<Token> padded;     ///< of those whose last 64 tokens are padding
  std::vector<int> long_drafts;  ///< draft lengths of the long cases
};
const BatterySize& battery_size(Battery battery);
/// @throws InputError where there is none of this name
Battery read_battery(std::string_view name);

/// Why a case is there.
struct VectorFlag {
  std::string_view name;
  std::string_view prose;      ///< what it finds
  std::string_view reference;  ///< who had the fault, or where the rule is written
};
const std::vector<VectorFlag>& vector_flags();

/// The drafts that a rule takes.
struct GivenShape {
  enum class Of {
    any,       ///< of positive probability
    distinct,  ///< the same, but no two begin alike: they are drawn without replacement
    likeliest  ///< the draft's most probable tokens, ties to the lower one
  };
  Of of = Of::any;
  int chains = 1;
  std::vector<int> tree = {};  ///< children by depth, of which `chains` are the leaves; empty: one
                               ///< below the root's
  Token widest = 128;          ///< wide rows have no more tokens
};

/// The children of a node by its depth, below the root of each draft that led there.
int branching(const GivenShape& shape, std::size_t depth);

/// Rows along given drafts. All probabilities are multiples of a power of 1/2, so that a double is
/// the fraction and every row sums to 1 exactly.
struct VectorCase {
  std::string_view flag;
  std::shared_ptr<const Pair> pair;
  int gamma = 1;
  std::vector<std::vector<Token>> chains;  ///< [K][gamma], of positive draft probability
  std::optional<Token> eos = {};           ///< ends a sequence; rows after it are one-hot on it
  Token vocabulary = 0;                    ///< what an implementation is given
  /// Of a large vocabulary the tokens that have a probability anywhere, in order: token i of `pair`
  /// is names[i]. No rule's law depends on tokens without probability. Empty: each token is itself.
  std::vector<Token> names = {};

  /// Tokens of the pair as those of the vocabulary.
  [[nodiscard]] std::vector<Token> named(std::vector<Token> tokens) const {
    for (Token& token : tokens)
      token = names.empty() ? token : names[static_cast<std::size_t>(token)];
    return tokens;
  }
};

/// The cases of a battery for such drafts, the same at every call. Rows with too few tokens for the
/// drafts make no case.
std::vector<VectorCase> vector_cases(Battery battery, const GivenShape& shape);

}  // namespace speclab
