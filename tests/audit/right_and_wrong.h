#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "audit/implementation.h"

namespace speclab {

/// One decision of token verification on one chain, written for the tests alone: from rows, a
/// drafted chain and uniform numbers. The members are what faults change.
struct PlainToken {
  bool closed_coin = false;    ///< accepts where the coin is at most the ratio
  bool draft_bonus = false;    ///< the bonus follows the draft's last row
  bool whole_target = false;   ///< the correction follows t, not [t - d]+
  bool half_uniforms = false;  ///< coins never exceed 1/2
  bool same_uniform = false;   ///< the correction uses the last coin

  template <class Coin, class Draw>
  void decide(const VerifyRequest& request, const Coin& coin, const Draw& draw, int& accepted,
              std::vector<Token>& tokens) const {
    const auto& chain = request.drafts[0];
    const auto& draft = request.draft_rows[0];
    const auto& target = request.target_rows[0];
    tokens.clear();
    double last = 0;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const auto x = static_cast<std::size_t>(chain[i]);
      last = coin(i) * (half_uniforms ? 0.5 : 1);
      const double left = last * draft[i][x];
      const bool yes = closed_coin ? left <= target[i][x] : left < target[i][x];
      if (!yes) {
        std::vector<double> law(target[i].size());
        for (std::size_t y = 0; y < law.size(); ++y) {
          law[y] = whole_target ? target[i][y] : std::max(0.0, target[i][y] - draft[i][y]);
        }
        accepted = static_cast<int>(i);
        tokens.push_back(inverse(law, same_uniform ? last : draw()));
        return;
      }
      tokens.push_back(chain[i]);
    }
    accepted = static_cast<int>(chain.size());
    tokens.push_back(inverse(draft_bonus ? draft.back() : target.back(), draw()));
  }

  /// The first token at which the running sum passes u of the whole.
  static Token inverse(const std::vector<double>& law, double u) {
    double all = 0;
    for (const double p : law) all += p;
    double before = 0;
    Token last = 0;
    for (std::size_t y = 0; y < law.size(); ++y) {
      if (!(law[y] > 0)) continue;
      last = static_cast<Token>(y);
      before += law[y];
      if (u * all < before) return last;
    }
    return last;
  }
};

/// An implementation of token verification in this process.
class PlainImplementation final : public Implementation {
 public:
  explicit PlainImplementation(const PlainToken& token, bool one_seed = false)
      : token_(token), one_seed_(one_seed) {}

  std::vector<VerifyReply> verify(std::span<const VerifyRequest> requests) override {
    std::vector<VerifyReply> replies;
    for (const VerifyRequest& request : requests) {
      VerifyReply reply;
      reply.accepted.resize(request.count);
      reply.tokens.resize(request.count);
      std::mt19937_64 engine(one_seed_ ? 1 : request.seed);
      const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
      for (std::size_t b = 0; b < request.count; ++b) {
        if (request.coins.empty()) {
          token_.decide(
              request, [&](std::size_t) { return uniform(); }, uniform, reply.accepted[b],
              reply.tokens[b]);
        } else {
          token_.decide(
              request, [&](std::size_t i) { return request.coins[b][i]; },
              [&] { return request.draws[b][0]; }, reply.accepted[b], reply.tokens[b]);
        }
      }
      replies.push_back(std::move(reply));
    }
    return replies;
  }

  GenerateReply generate(const GenerateRequest&) override { return {}; }

 private:
  PlainToken token_;
  bool one_seed_;
};

}  // namespace speclab
