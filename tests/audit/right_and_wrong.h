#pragma once

#include <algorithm>
#include <array>
#include <boost/functional/hash.hpp>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "audit/audit.h"

namespace speclab {

/// One decision of token verification on one chain, written for the tests alone: from rows, a
/// drafted chain and uniform numbers. The members are what faults change.
struct PlainToken {
  bool closed_coin = false;    ///< accepts where the coin is at most the ratio
  bool token_zero = false;     ///< token 0 is accepted untested
  bool draft_bonus = false;    ///< the bonus follows the draft's last row
  bool whole_target = false;   ///< the correction follows t, not [t - d]+
  bool half_uniforms = false;  ///< coins never exceed 1/2
  bool same_uniform = false;   ///< the correction uses the last coin
  double bonus_power = 1;      ///< the bonus follows the target's law to this power
  std::size_t blocks_of = 0;   ///< tokens behind the last whole block of so many are never emitted
  bool own_numbers = false;    ///< numbers that are given are not used
  std::size_t residual_top = 0;  ///< corrections come from so many likeliest tokens alone

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
      const bool below = closed_coin ? left <= target[i][x] : left < target[i][x];
      const bool yes = below || (token_zero && x == 0);
      if (!yes) {
        std::vector<double> law(target[i].size());
        for (std::size_t y = 0; y < law.size(); ++y) {
          law[y] = whole_target ? target[i][y] : std::max(0.0, target[i][y] - draft[i][y]);
        }
        if (residual_top > 0) keep_likeliest(law, residual_top);
        accepted = static_cast<int>(i);
        tokens.push_back(inverse(law, same_uniform ? last : draw()));
        return;
      }
      tokens.push_back(chain[i]);
    }
    accepted = static_cast<int>(chain.size());
    std::vector<double> bonus = draft_bonus ? draft.back() : target.back();
    for (double& p : bonus) p = p > 0 ? std::pow(p, bonus_power) : 0;
    if (blocks_of > 0 && bonus.size() > blocks_of)
      bonus.resize(bonus.size() / blocks_of * blocks_of);
    tokens.push_back(inverse(bonus, draw()));
  }

  static void keep_likeliest(std::vector<double>& law, std::size_t count) {
    std::vector<double> sorted = law;
    std::sort(sorted.rbegin(), sorted.rend());
    if (count >= sorted.size()) return;
    for (double& p : law) p = p > sorted[count] ? p : 0;
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

/// Where an implementation has its random numbers from, and which decisions are no own ones.
struct PlainNumbers {
  bool one_seed = false;        ///< the request's seed is not used
  std::size_t period = 0;       ///< the numbers repeat after so many; the seed is where they begin
  std::size_t copied = 0;       ///< decisions whose number is a multiple of it are copies
  std::size_t copied_from = 1;  ///< of the decision so many before
};

/// Uniform numbers of a request.
class PlainUniforms {
 public:
  PlainUniforms(const PlainNumbers& numbers, std::uint64_t seed)
      : period_(numbers.period), at_(seed), engine_(numbers.one_seed ? 1 : seed) {}

  double operator()() {
    if (period_ == 0) return next(engine_);
    static const std::vector<double> table = [] {
      std::mt19937_64 engine(5);
      std::vector<double> made(1 << 16);
      for (double& each : made) each = next(engine);
      return made;
    }();
    return table[at_++ % period_];
  }

 private:
  static double next(std::mt19937_64& engine) {
    return static_cast<double>(engine() >> 11) * 0x1p-53;
  }

  std::size_t period_;  ///< at most 2^16
  std::uint64_t at_;
  std::mt19937_64 engine_;
};

/// An implementation of token verification in this process.
class PlainImplementation final : public Implementation {
 public:
  explicit PlainImplementation(const PlainToken& token, const PlainNumbers& numbers = {})
      : token_(token), numbers_(numbers) {}

  std::vector<VerifyReply> verify(std::span<const VerifyRequest> requests) override {
    std::vector<VerifyReply> replies;
    for (const VerifyRequest& request : requests) {
      VerifyReply reply;
      reply.accepted.resize(request.count);
      reply.tokens.resize(request.count);
      PlainUniforms uniforms(numbers_, request.seed);
      const auto uniform = [&] { return uniforms(); };
      for (std::size_t b = 0; b < request.count; ++b) {
        if (request.coins.empty() || token_.own_numbers) {
          token_.decide(
              request, [&](std::size_t) { return uniform(); }, uniform, reply.accepted[b],
              reply.tokens[b]);
        } else {
          token_.decide(
              request, [&](std::size_t i) { return request.coins[b][i]; },
              [&] { return request.draws[b][0]; }, reply.accepted[b], reply.tokens[b]);
        }
        if (is_copy(b)) {
          reply.accepted[b] = reply.accepted[b - numbers_.copied_from];
          reply.tokens[b] = reply.tokens[b - numbers_.copied_from];
        }
      }
      replies.push_back(std::move(reply));
    }
    return replies;
  }

  GenerateReply generate(const GenerateRequest& request) override {
    const auto pair = nlohmann::json::parse(request.pair);
    PlainUniforms uniforms(numbers_, request.seed);
    known_ = {};
    GenerateReply reply;
    for (std::size_t b = 0; b < request.count; ++b) {
      reply.tokens.emplace_back();
      reply.accepted.emplace_back();
      decode(pair, request, uniforms, reply.tokens.back(), reply.accepted.back());
      if (is_copy(b)) {
        reply.tokens[b] = reply.tokens[b - numbers_.copied_from];
        reply.accepted[b] = reply.accepted[b - numbers_.copied_from];
      }
    }
    return reply;
  }

 private:
  using Row = std::vector<double>;

  [[nodiscard]] bool is_copy(std::size_t decision) const {
    return numbers_.copied > 0 && decision % numbers_.copied == 0 &&
           decision >= numbers_.copied_from;
  }

  enum Model : std::size_t { draft, target };
  static constexpr const char* kModels[] = {"draft", "target"};

  /// The row of the longest listed prefix; entries are fractions in text.
  const Row& row(const nlohmann::json& pair, Model model, const std::vector<Token>& prefix) {
    const auto [place, fresh] = known_[model].try_emplace(prefix);
    if (fresh) place->second = read_row(pair.at(kModels[model]), prefix);
    return place->second;
  }

  static Row read_row(const nlohmann::json& laws, std::vector<Token> prefix) {
    const nlohmann::json* found = laws.is_array() ? &laws : nullptr;
    while (found == nullptr) {
      std::string text;
      for (const Token x : prefix) text += (text.empty() ? "" : ",") + std::to_string(x);
      if (laws.contains(text)) found = &laws.at(text);
      if (!prefix.empty()) prefix.pop_back();
    }
    Row probabilities;
    for (const auto& entry : *found) {
      const auto text = entry.get<std::string>();
      const auto bar = text.find('/');
      probabilities.push_back(std::stod(text) /
                              (bar == std::string::npos ? 1 : std::stod(text.substr(bar + 1))));
    }
    return probabilities;
  }

  void decode(const nlohmann::json& pair, const GenerateRequest& request, PlainUniforms& uniforms,
              std::vector<Token>& tokens, std::vector<int>& accepted) {
    const auto uniform = [&] { return uniforms(); };
    while (static_cast<int>(tokens.size()) < request.horizon) {
      VerifyRequest one;
      one.drafts.emplace_back();
      one.draft_rows.emplace_back();
      one.target_rows.emplace_back();
      std::vector<Token> prefix = tokens;
      for (int i = 0; i <= request.gamma; ++i) {
        one.target_rows[0].push_back(row(pair, target, prefix));
        if (i == request.gamma) break;
        one.draft_rows[0].push_back(row(pair, draft, prefix));
        one.drafts[0].push_back(PlainToken::inverse(one.draft_rows[0].back(), uniform()));
        prefix.push_back(one.drafts[0].back());
      }
      int taken = 0;
      std::vector<Token> emitted;
      token_.decide(
          one, [&](std::size_t) { return uniform(); }, uniform, taken, emitted);
      tokens.insert(tokens.end(), emitted.begin(), emitted.end());
      accepted.push_back(taken);
    }
    tokens.resize(static_cast<std::size_t>(request.horizon));
  }

  PlainToken token_;
  PlainNumbers numbers_;
  /// By model and prefix.
  std::array<std::unordered_map<std::vector<Token>, Row, boost::hash<std::vector<Token>>>, 2>
      known_;
};

/// The audit of such an implementation.
inline AuditReport audited(const AuditOptions& options, const PlainToken& token,
                           const PlainNumbers& numbers = {}) {
  PlainImplementation implementation(token, numbers);
  return audit(options, implementation);
}

}  // namespace speclab
