// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// section 4: the trade of rejections against bias.
#include <fmt/format.h>

#include <array>

#include "claims/optimum.h"
#include "claims/registry.h"
#include "claims/yin2024_rules.h"
#include "theory/yin2024.h"

namespace speclab {
namespace {

/// 1 - the least TV over all P: couplings of what is emitted (an accepted x, or a correction that
/// may be any token) with the target's token, worth 1 where they agree.
LinearProgram overlap_program(const Rule& rule) {
  LinearProgram program;
  const std::size_t size = rule.target.size();
  std::vector<std::size_t> sources;  // tokens accepted; `size` for a correction
  for (std::size_t x = 0; x < size; ++x) {
    if (rule.kept(x) > 0) sources.push_back(x);
  }
  if (rule.rejected() > 0) sources.push_back(size);
  program.law_rows = sources.size();
  for (const std::size_t x : sources) {
    program.totals.push_back(x < size ? rule.kept(x) : rule.rejected());
  }
  for (const Rational& mass : rule.target) program.totals.push_back(mass);
  for (std::size_t row = 0; row < sources.size(); ++row) {
    for (std::size_t y = 0; y < size; ++y) {
      program.columns.push_back({Rational(sources[row] == y || sources[row] == size ? 1 : 0),
                                 {{row, Rational(1)}, {sources.size() + y, Rational(1)}}});
    }
  }
  return program;
}

const Statement& certified_loss() {
  static const Statement statement =
      for_rules(Range::all, [](const Rule& rule, std::vector<Compared>& comparisons) {
        comparisons.push_back(
            {fmt::format("certified least TV over all P at {} against Loss*", rule.text()),
             1 - certify(overlap_program(rule)).bound, Order::equal, rule.formula()});
      });
  return statement;
}

/// The verifier whose corrections are optimal, and the others never better.
std::vector<Compared> of_verifiers(const Instance& instance) {
  if (!instance.pair().memoryless()) return {};
  std::vector<Compared> comparisons;
  for (const char* slack : {"0", "1/10", "1/4"}) {
    const Rational eps = parse_rational(slack);
    const Rational least = least_loss(instance.rows->draft(0), instance.rows->target(0), eps);
    for (const char* residual : {"optimal", "target", "draft"}) {
      const std::string name = fmt::format("biased(eps={},residual={})", slack, residual);
      comparisons.push_back(
          {fmt::format("TV of one token of {} against Loss*", name),
           exact_result(name, instance, 1).decode->tv_to_target,
           std::string_view(residual) == "optimal" ? Order::equal : Order::at_least, least});
    }
  }
  return comparisons;
}

ClaimResult theorem4(const ClaimContext& context) {
  Examination examination(context);
  examination.search({.tokens = 2, .gammas = 1, .denominator = context.size(2, 4, 6)},
                     certified_loss());
  examination.check({.tokens = 4, .gammas = 1, .random = 0, .contexts = false}, of_verifiers);
  return examination.finish();
}

/// The points of the set of Theorem 4 that put as much as they may on the first tokens, or on the
/// last: they are one point only where the set is.
std::vector<Rational> filled(const std::vector<Rational>& wanted, bool forwards) {
  std::vector<Rational> law(wanted.size(), Rational(0));
  Rational left(1);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::size_t x = forwards ? i : wanted.size() - 1 - i;
    law[x] = lesser<Rational>(left, positive_part(wanted[x]));
    left -= law[x];
  }
  return law;
}

/// Calls visit(law) for the laws with probabilities of this denominator.
template <class Visit>
void each_law(std::size_t tokens, int denominator, const Visit& visit) {
  std::vector<Rational> law(tokens, Rational(0));
  const auto choose = [&](const auto& self, std::size_t x, int left) -> void {
    if (x + 1 == tokens) {
      law[x] = Rational(left, denominator);
      return visit(law);
    }
    for (int part = 0; part <= left; ++part) {
      law[x] = Rational(part, denominator);
      self(self, x + 1, left - part);
    }
  };
  choose(choose, 0, denominator);
}

/// P attains Loss* if and only if it is 0 where A < 0 and at most A elsewhere.
ClaimResult theorem4_set(const ClaimContext& context) {
  Examination examination(context);
  const Statement statement =
      for_rules(Range::all, [](const Rule& rule, std::vector<Compared>& comparisons) {
        const auto wanted = rule.wanted();
        const Rational least = rule.formula();
        const auto look = [&](const std::vector<Rational>& law) {
          bool inside = true;
          for (std::size_t x = 0; x < law.size(); ++x) {
            inside = inside && law[x] <= positive_part(wanted[x]);
          }
          std::string text;
          for (const Rational& mass : law) text += (text.empty() ? "" : ",") + to_text(mass);
          comparisons.push_back({fmt::format("TV at {}, P=({}), {} the set, against Loss*",
                                             rule.text(), text, inside ? "in" : "outside"),
                                 rule.loss(law), inside ? Order::equal : Order::above, least});
        };
        look(filled(wanted, true));
        look(filled(wanted, false));
        each_law(wanted.size(), 3, look);
      });
  examination.search({.tokens = 2, .gammas = 1, .denominator = 3}, statement);
  examination.check({.tokens = context.size(2, 3, 3), .gammas = 1, .random = 0, .contexts = false},
                    statement);
  return examination.finish();
}

ClaimResult theorem4_unbiased(const ClaimContext& context) {
  Examination examination(context);
  const Statement statement =
      for_rules(Range::under, [](const Rule& rule, std::vector<Compared>& comparisons) {
        for (const Rational& mass : rule.wanted()) {
          comparisons.push_back(
              {fmt::format("A at {}", rule.text()), mass, Order::at_least, Rational(0)});
        }
        comparisons.push_back({fmt::format("Loss* at {}, P = A", rule.text()),
                               rule.loss(rule.wanted()), Order::equal, Rational(0)});
      });
  examination.search({.tokens = 3, .gammas = 1, .denominator = 3}, statement);
  examination.check({.tokens = 4, .gammas = 1, .random = 0, .contexts = false}, statement);
  return examination.finish();
}

/// Whether b exceeds min(1, t/d) at a token that is drafted.
bool exceeds(const Rule& rule) {
  for (std::size_t x = 0; x < rule.accept.size(); ++x) {
    if (rule.draft[x] > 0 && rule.accept[x] > rule.threshold(x)) return true;
  }
  return false;
}

ClaimResult theorem4_bias(const ClaimContext& context) {
  Examination examination(context);
  const Statement statement =
      for_rules(Range::over, [](const Rule& rule, std::vector<Compared>& comparisons) {
        if (!exceeds(rule)) return;
        comparisons.push_back(
            {fmt::format("Loss* at {}", rule.text()), rule.formula(), Order::above, Rational(0)});
      });
  examination.search({.tokens = 3, .gammas = 1, .denominator = 3}, statement);
  examination.check({.tokens = 4, .gammas = 1, .random = 0, .contexts = false}, statement);
  return examination.finish();
}

/// Two optimal laws that differ, for every b that exceeds the threshold; with `several`, only
/// where A > 0 at two tokens or more.
Statement multiple_optima(bool several) {
  return for_rules(Range::over, [several](const Rule& rule, std::vector<Compared>& comparisons) {
    if (!exceeds(rule)) return;
    const auto wanted = rule.wanted();
    int positive = 0;
    for (const Rational& mass : wanted) positive += mass > 0 ? 1 : 0;
    if (several && positive < 2) return;
    const auto first = filled(wanted, true);
    const auto last = filled(wanted, false);
    comparisons.push_back({fmt::format("largest TV between optimal P at {}", rule.text()),
                           total_variation<Rational>(first, last), Order::above, Rational(0)});
    comparisons.push_back({fmt::format("TV at {} of the first of them against Loss*", rule.text()),
                           rule.loss(first), Order::equal, rule.formula()});
    comparisons.push_back({fmt::format("TV at {} of the last of them against Loss*", rule.text()),
                           rule.loss(last), Order::equal, rule.formula()});
  });
}

void search_single_optima(Examination& examination) {
  examination.search({.tokens = 3, .gammas = 1, .denominator = 3}, multiple_optima(false));
  // The same among targets that give every token a chance.
  examination.search({.tokens = 3, .gammas = 1, .denominator = 3},
                     [](const Instance& instance) -> std::vector<Compared> {
                       for (const Rational& mass : instance.rows->target(0)) {
                         if (mass == 0) return {};
                       }
                       return multiple_optima(false)(instance);
                     });
}

ClaimResult theorem4_multiple(const ClaimContext& context) {
  Examination examination(context);
  search_single_optima(examination);
  return examination.finish();
}

ClaimResult theorem4_multiple_corrected(const ClaimContext& context) {
  Examination examination(context);
  search_single_optima(examination);
  examination.search({.tokens = 3, .gammas = 1, .denominator = context.size(3, 4, 5)},
                     multiple_optima(true), Reading::corrected);
  examination.check({.tokens = 4, .gammas = 1, .random = 0, .contexts = false},
                    multiple_optima(true), Reading::corrected);
  return examination.finish();
}

/// [t - d]+ normalised attains Loss*.
ClaimResult standard_residual(const ClaimContext& context) {
  Examination examination(context);
  const Statement statement =
      for_rules(Range::over, [](const Rule& rule, std::vector<Compared>& comparisons) {
        const Rational mass = total_variation(rule.target, rule.draft);
        std::vector<Rational> law;
        for (std::size_t x = 0; x < rule.draft.size(); ++x) {
          law.push_back(positive_part<Rational>(rule.target[x] - rule.draft[x]) / mass);
        }
        comparisons.push_back({fmt::format("TV at {}, P = [t - d]+, against Loss*", rule.text()),
                               rule.loss(law), Order::equal, rule.formula()});
      });
  examination.search({.tokens = 3, .gammas = 1, .denominator = context.size(3, 4, 5)}, statement);
  examination.check(
      {.tokens = 4, .gammas = 1, .random = 0, .contexts = false}, [](const Instance& instance) {
        std::vector<Compared> comparisons;
        for (const char* slack : {"0", "1/10", "1/4"}) {
          const auto tv = [&](const char* residual) {
            const std::string name = fmt::format("biased(eps={},residual={})", slack, residual);
            return exact_result(name, instance, 1).decode->tv_to_target;
          };
          comparisons.push_back({fmt::format("TV of biased(eps={}), standard against optimal "
                                             "residual",
                                             slack),
                                 tv("standard"), Order::equal, tv("optimal")});
        }
        return comparisons;
      });
  return examination.finish();
}

ClaimResult theorem5(const ClaimContext& context) {
  Examination examination(context);
  const Statement statement = [](const Instance& instance) {
    std::vector<Compared> comparisons;
    if (!instance.pair().memoryless()) return comparisons;
    each_rule(instance, Range::over, [&](const Rule& rule) {
      comparisons.push_back({fmt::format("P(reject) + Loss* at {} against TV(d, t)", rule.text()),
                             rule.rejected() + rule.formula(), Order::equal,
                             total_variation(rule.draft, rule.target)});
    });
    for (const char* slack : {"0", "1/10", "1/4"}) {
      const auto run =
          *exact_result(fmt::format("biased(eps={},residual=optimal)", slack), instance, 1).decode;
      comparisons.push_back(
          {fmt::format("P(reject) + TV of one token of biased(eps={}) against TV(d, t)", slack),
           run.rejections + run.tv_to_target, Order::equal,
           total_variation(instance.rows->draft(0), instance.rows->target(0))});
    }
    return comparisons;
  };
  examination.search({.tokens = 3, .gammas = 1, .denominator = context.size(3, 4, 5)}, statement);
  examination.check({.tokens = 4, .gammas = 1, .random = 0, .contexts = false}, statement);
  return examination.finish();
}

/// No member of the class lies below the line. Over all b and P at once: a coupling of the draft
/// and the target's token, in which P(accept) and P(emitted = target's token) each count; a column
/// (x, y) is worth 2 at x = y (accepted, and right) and 1 elsewhere (one of the two).
ClaimResult front(const ClaimContext& context) {
  Examination examination(context);
  const Statement grid =
      for_rules(Range::all, [](const Rule& rule, std::vector<Compared>& comparisons) {
        comparisons.push_back({fmt::format("P(reject) + Loss* at {} against TV(d, t)", rule.text()),
                               rule.rejected() + rule.formula(), Order::at_least,
                               total_variation(rule.draft, rule.target)});
      });
  examination.search({.tokens = 2, .gammas = 1, .denominator = context.size(4, 6, 8)}, grid);
  examination.check({.tokens = 4, .gammas = 1, .random = 0, .contexts = false},
                    [](const Instance& instance) -> std::vector<Compared> {
                      LinearProgram program =
                          position_program(instance.rows->draft(0), instance.rows->target(0), 1);
                      for (auto& column : program.columns) column.reward += 1;
                      return {{"certified least P(reject) + TV over all b, P against TV(d, t)",
                               2 - certify(program).bound, Order::at_least,
                               total_variation(instance.rows->draft(0), instance.rows->target(0))}};
                    });
  return examination.finish();
}

constexpr auto kHolds = ClaimVerdict::holds;
constexpr auto kRefuted = ClaimVerdict::refuted;
constexpr auto kCorrected = ClaimVerdict::holds_with_correction;
constexpr std::string_view kOneToken = "one token, 0 <= b <= 1, sum (1 - b) d > 0";
constexpr std::string_view kOver = "one token, b >= min(1, t/d), sum (1 - b) d > 0";

constexpr std::array kClaims{
    ClaimRow{"yin2024.theorem4.value", "yin2024 Theorem 4, optimal value",
             "min_P TV(b d + P sum (1 - b) d, t) = (1/2) sum |t - b d| - (1/2) sum (1 - b) d",
             kOneToken, kHolds, "", theorem4},
    ClaimRow{"yin2024.theorem4.set", "yin2024 Theorem 4, set of optima",
             "P is optimal if and only if P = 0 where A < 0 and 0 <= P <= A elsewhere, A = (t - b "
             "d) / sum (1 - b) d",
             kOneToken, kHolds, "", theorem4_set},
    ClaimRow{"yin2024.theorem4.unbiased", "yin2024 section 4.1 after Theorem 4, case 1",
             "A is a law and Loss* = 0", "one token, b <= min(1, t/d), sum (1 - b) d > 0", kHolds,
             "", theorem4_unbiased},
    ClaimRow{"yin2024.theorem4.bias", "yin2024 section 4.1 after Theorem 4, case 2",
             "Loss* > 0 where b exceeds min(1, t/d)", kOver, kHolds, "", theorem4_bias},
    ClaimRow{"yin2024.theorem4.multiple", "yin2024 section 4.1 after Theorem 4, case 2",
             "there are multiple optimal P where b exceeds min(1, t/d)", kOver, kRefuted, "",
             theorem4_multiple},
    ClaimRow{"yin2024.theorem4.multiple-corrected",
             "yin2024 section 4.1 after Theorem 4, case 2, corrected",
             "there are multiple optimal P where b exceeds min(1, t/d)", kOver, kCorrected,
             "where A > 0 at two tokens or more; at one token P is that token",
             theorem4_multiple_corrected},
    ClaimRow{"yin2024.theorem4.standard", "yin2024 appendix G, footnote 10, made precise",
             "[t - d]+ normalised is an optimal P for every b >= min(1, t/d)", kOver, kHolds, "",
             standard_residual},
    ClaimRow{"yin2024.theorem5", "yin2024 Theorem 5",
             "P(reject) + Loss* = TV(d, t) for every b >= min(1, t/d)", "one token", kHolds, "",
             theorem5},
    ClaimRow{"yin2024.theorem5.front", "yin2024 section 4.1, Pareto front",
             "P(reject) + TV(output, t) >= TV(d, t) for every b and P", "one token", kHolds, "",
             front},
};

}  // namespace

std::span<const ClaimRow> yin2024_bias_claims() { return kClaims; }

}  // namespace speclab
