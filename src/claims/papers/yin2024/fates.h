#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "claims/engine/paths.h"
#include "claims/papers/yin2024/rules.h"

namespace speclab {

// yin2024's random variables path by path, from the laws of iterations in fractions: of a
// verifier's whole decodes to the horizon, and of any member of the class of Algorithm 2. No
// formula of the paper is used.

/// P(x_{1:n}, R_{n-1} = i, R_n = j), R_n = 1 where x_n is a correction. Position 1 counts as one
/// after a rejection: drafts begin there.
struct Fate {
  std::array<std::array<Rational, 2>, 2> mass{};

  [[nodiscard]] Rational accepted() const { return mass[0][0] + mass[1][0]; }
  /// f(x_{1:n}) of equation (22).
  [[nodiscard]] Rational rejected() const { return mass[0][1] + mass[1][1]; }
  [[nodiscard]] Rational reached() const { return accepted() + rejected(); }
};

/// What became of decodes of T = gamma tokens: the fate of every path x_{1:n}, 1 <= n <= T, that
/// is reached, by (start, x_{1:n}).
struct Fates {
  using Key = std::pair<State, TokenPath>;

  Instance instance;
  std::map<Key, Fate> paths{};
  Rational calls{0};      ///< E[target calls]: iterations
  Rational undefined{0};  ///< P(0/0)

  /// The fate of a path; all zero where it is never reached.
  [[nodiscard]] Fate at(State start, const TokenPath& path) const;
  /// P(R_n = 1).
  [[nodiscard]] Rational rejected_at(int n) const;
  /// E[N_rej] over positions 1 .. T.
  [[nodiscard]] Rational rejections() const;
  /// TV of (start, x_{1:T}) from the target's.
  [[nodiscard]] Rational bias() const;
};

/// Decodes of T = gamma tokens, the drafts to the horizon, of a verifier that carries nothing on.
Fates fates_of(std::string_view verifier, const Instance& instance);

/// Decodes of Algorithm 4 with line 28 after the loop over the drafts, still subtracting the
/// draft's law: all K roots rejected, it draws from [t^{K+1} - share d]+. @param share  1 as
/// printed
Fates fates_after_loop(const Rational& share, const Instance& instance);

/// A context x_{1:n-1} of Algorithm 2.
struct RuleContext {
  std::span<const Rational> draft;
  std::span<const Rational> target;
  TokenPath before;
  State state;  ///< of the pair
};

/// b_n and P_n of Algorithm 2 at one context.
struct Design {
  std::vector<Rational> accept;      ///< b(x), in [0, 1]
  std::vector<Rational> correction;  ///< weights of P; their sum need not be 1
};
/// The b of a rule, and the P of Theorem 4 at this position alone: proportional to [t - b d]+.
Design optimal_design(const Rule& rule);

using DesignOf = std::function<Design(const RuleContext& context)>;

/// Runs members of the class of Algorithm 2 on an instance, as the verifier `rule` on a pair that
/// has a state for each context of fewer than T = gamma tokens.
class RuleRuns {
 public:
  explicit RuleRuns(const Instance& instance);

  /// Decodes of T tokens: drafts to the horizon, each accepted with probability b; at the first
  /// rejection a token from P, and the drafts begin anew after it.
  [[nodiscard]] Fates run(const DesignOf& design) const;
  /// The same b and P at every context.
  [[nodiscard]] Fates run(const Rule& rule, const Rule::Law& law) const {
    return run([&](const RuleContext&) { return Design{rule.accept, law}; });
  }

 private:
  /// What follows one start of the pair.
  struct Part {
    Start start;
    Instance unrolled;
    std::vector<RuleContext> contexts;
  };
  void list(Part& part, State state, const TokenPath& before) const;

  Instance instance_;
  std::vector<Part> parts_;
};

/// A member that Corollary 1 describes: b = share * min(1, t/d), with P as it has it.
struct Member {
  std::string_view text;
  std::optional<Rational> share;  ///< everywhere; else 0, 1/2, 1 by context and token

  [[nodiscard]] Rule rule(const RuleContext& at) const;
  [[nodiscard]] Design operator()(const RuleContext& at) const;
};

/// Speculative decoding first.
std::span<const Member> members();

/// Runs of the members are unbiased over T = gamma tokens and have E[N_rej] >= sum E TV_n; with a
/// share s everywhere, s sum E TV_n + (1 - s) T.
Comparisons members_run(const Instance& at);

/// A design without regard to the target's law: b in {0, 1/3, 2/3, 1}, P positive everywhere, both
/// different from context to context.
Design arbitrary_design(const RuleContext& at);

}  // namespace speclab
