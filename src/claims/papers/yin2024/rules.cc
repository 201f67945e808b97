#include "claims/papers/yin2024/rules.h"

#include "claims/engine/ingredient.h"

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

/// A number from 0 on that differs between neighbouring contexts and tokens.
std::size_t mixed(const TokenPath& before, std::size_t x) {
  std::size_t sum = x + before.size();
  for (const Token token : before) sum = 3 * sum + 2 * static_cast<std::size_t>(token) + 1;
  return sum;
}

constexpr Member kMembers[] = {
    {"b = min(1, t/d)", [](const TokenPath&, std::size_t) { return Rational(1); }},
    {"b = min(1, t/d) / 2", [](const TokenPath&, std::size_t) { return Rational(1, 2); }},
    {"b = 0", [](const TokenPath&, std::size_t) { return Rational(0); }},
    {"b = s min(1, t/d), s = 0, 1/2, 1 by context and token",
     [](const TokenPath& before, std::size_t x) {
       return Rational(static_cast<int>(mixed(before, x) % 3), 2);
     }},
};

}  // namespace

Rational Rule::certified() const {
  return 1 - ingredient("yin2024.theorem4.program", certify(overlap_program(*this)).bound);
}

Answer biased_token(const Instance& instance, std::string_view slack, std::string_view residual) {
  return exact_answer(fmt::format("biased(eps={},residual={})", slack, residual), instance, 1);
}

Rational distance(const Instance& instance) {
  return total_variation(instance.rows->draft(0), instance.rows->target(0));
}

std::span<const Member> members() { return kMembers; }

DesignOf Member::design() const {
  return [share = share](std::span<const Rational> draft, std::span<const Rational> target,
                         const TokenPath& before) {
    Rule rule{draft, target, {}};
    for (std::size_t x = 0; x < draft.size(); ++x) {
      rule.accept.push_back(rule.threshold(x) * share(before, x));
    }
    return Design{rule.accept, corollary_law(rule)};
  };
}

std::vector<Rational> corollary_law(const Rule& rule) {
  const Rational mass = rule.rejected();
  std::vector<Rational> law;
  for (std::size_t x = 0; x < rule.accept.size(); ++x) {
    law.push_back(mass > 0 ? Rational((rule.target[x] - rule.kept(x)) / mass) : Rational(0));
  }
  return ingredient("yin2024.corollary1.P", std::move(law));
}

Design arbitrary_design(std::span<const Rational> draft, std::span<const Rational>,
                        const TokenPath& before) {
  Design design;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    design.accept.emplace_back(static_cast<int>(mixed(before, x) % 4), 3);
    design.correction.emplace_back(static_cast<int>(mixed(before, 2 * x) % 3 + 1));
  }
  return design;
}

}  // namespace speclab
