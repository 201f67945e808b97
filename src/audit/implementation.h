#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"

namespace speclab {

/// One drafted set, the rows of both models along it, and the number of independent decisions.
struct VerifyRequest {
  using Rows = std::vector<std::vector<double>>;  ///< [position][V], each row sums to 1

  std::uint64_t id = 0;
  std::size_t count = 0;                   ///< B >= 1
  Token vocabulary = 0;                    ///< V
  std::vector<std::vector<Token>> drafts;  ///< [K][gamma]
  std::vector<Rows> draft_rows;            ///< [K][gamma][V]
  std::vector<Rows> target_rows;           ///< [K][gamma + 1][V]
  std::uint64_t seed = 0;                  ///< of the implementation's own random numbers
  /// In mode uniforms, [B][..]: the numbers in [0, 1) for the implementation to use, coins and
  /// draws separately, each in the order of the decisions. Empty in the other modes.
  std::vector<std::vector<double>> coins;
  std::vector<std::vector<double>> draws;
};

struct VerifyReply {
  std::vector<int> accepted;               ///< [B]: accepted tokens, 0 .. gamma
  std::vector<std::vector<Token>> tokens;  ///< [B]: the accepted ones, then correction or bonus
};

/// Whole decodes of a pair, from its prompt.
struct GenerateRequest {
  std::uint64_t id = 0;
  std::size_t count = 0;  ///< B >= 1
  std::string pair;       ///< JSON text of one object as file(PATH) reads it
  Token vocabulary = 0;
  int gamma = 0;
  int drafts = 1;
  int horizon = 0;  ///< T: tokens wanted of each decode
  std::uint64_t seed = 0;
};

struct GenerateReply {
  std::vector<std::vector<Token>> tokens;  ///< [B][T]
  std::vector<std::vector<int>> accepted;  ///< [B]: accepted tokens of each iteration, in order
};

/// The implementation under test: a program behind a pipe, or a function in another language.
class Implementation {
 public:
  virtual ~Implementation() = default;

  /// Decides every request; all have the same shape (K, gamma, V), so that an implementation may
  /// process them as one batch. One reply a request, in their order.
  /// @throws InputError where it fails, or answers in a wrong shape or not at all
  virtual std::vector<VerifyReply> verify(std::span<const VerifyRequest> requests) = 0;

  /// @throws InputError as verify()
  virtual GenerateReply generate(const GenerateRequest& request) = 0;
};

/// Refuses a reply that is not of its request's shape: B numbers and B lists, 0 <= accepted <=
/// gamma, accepted + 1 tokens of the vocabulary each, of which the accepted ones are a draft's.
/// @throws InputError naming the request, the decision and what was received
void check_reply(const VerifyRequest& request, const VerifyReply& reply);
void check_reply(const GenerateRequest& request, const GenerateReply& reply);

}  // namespace speclab
