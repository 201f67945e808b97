#include "audit/vector_laws.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "audit/binomial.h"
#include "base/error.h"
#include "model/families/listed_tree.h"
#include "system/interrupt.h"
#include "verifiers/end_of_sequence.h"

namespace speclab {
namespace {

/// A rule's decisions on given uniform numbers are listed where there are at most so many; more
/// where the rows take no space.
std::size_t most_numbers(const JudgedCase& each) { return each.made.names.empty() ? 36 : 512; }

/// To seven digits: thresholds are 1e-6 away.
void shorten(std::vector<double>& numbers) {
  for (double& u : numbers) u = std::floor(u * 1e7) / 1e7;
}

OutcomeLaw exact_law(const Verifier& rule, const VectorCase& made) {
  const Rows<Rational> rows(made.pair);
  GivenDrafts given(made.chains);
  OutcomeLaw law;
  each_drafted<Rational>(
      rule, rows, made.pair->start().front().state,
      {.window = {.drafts = made.gamma, .bonus = true}, .given = &given},
      [&](const DraftedIteration<Rational>& out) {
        law[until_end({out.accepted, {out.tokens.begin(), out.tokens.end()}}, made.eos)] +=
            out.weight;
      });
  std::erase_if(law, [](const auto& entry) { return entry.second == 0; });
  return law;
}

/// A rule's law where only the tokens below `token` of each row are kept, of a row that has one of
/// them; none where a drafted token is cut off.
std::optional<AuditLaw> law_of_cut(const Verifier& rule, const JudgedCase& each, Token token) {
  const std::vector<Token>& names = each.made.names;
  const auto kept = std::lower_bound(names.begin(), names.end(), token) - names.begin();
  for (const std::vector<Token>& chain : each.place.chains) {
    if (std::any_of(chain.begin(), chain.end(), [&](Token x) { return x >= kept; })) {
      return std::nullopt;
    }
  }
  const auto cut = [kept](std::span<const double> row) {
    std::vector<Rational> law;
    for (const double p : row) law.push_back(exact(p));
    const auto end = law.begin() + kept;
    if (std::any_of(law.begin(), end, [](const Rational& p) { return p > 0; })) {
      std::fill(end, law.end(), Rational(0));
    }
    return law;
  };
  return law_at(rule, changed_place(each.place, cut, cut));
}

}  // namespace

AuditOutcome until_end(AuditOutcome outcome, std::optional<Token> eos) {
  outcome.tokens.resize(before_end(outcome.tokens, eos));
  if (eos && !outcome.tokens.empty() && outcome.tokens.back() == *eos) {
    outcome.accepted = static_cast<int>(outcome.tokens.size()) - 1;
  }
  return outcome;
}

GivenShape given_shape(const Verifier& rule) {
  GivenShape shape{.chains = std::max(rule.drafts, 1), .tree = rule.tree};
  // Others solve programs of the square of a row's size, or take its entropy for every token.
  const bool quick = rule.info->kind == VerifierKind::lossless && shape.chains == 1;
  if (quick) shape.widest = std::numeric_limits<Token>::max();
  if (rule.drafts_iid) return shape;
  // Two tokens, of which a draft that is drawn may have either.
  const Rational most(1023, 1024);
  const auto pair = std::make_shared<const ListedTreePair>(2, ListedLaws{{{}, {1 - most, most}}},
                                                           ListedLaws{{{}, {1 - most, most}}});
  shape.of = GivenShape::Of::likeliest;
  each_drafted<double>(rule, Rows<double>(pair), pair->start().front().state,
                       {.window = {.drafts = 1, .bonus = true}},
                       [&shape](const DraftedIteration<double>& out) {
                         if (!out.drafted.empty()) shape.of = GivenShape::Of::distinct;
                       });
  return shape;
}

std::optional<JudgedCase> judged(const Verifier& rule, VectorCase made) {
  JudgedCase each{std::move(made), {}, {}, {}};
  each.place = place_on(each.made.pair, each.made.gamma, each.made.chains);
  auto law = if_drafted([&] {
    try {
      return exact_law(rule, each.made);
    } catch (const InputError&) {  // a threshold is irrational
      each.exact = false;
      OutcomeLaw rounded;
      for (const auto& [outcome, weight] : ended_law(rule, each))
        rounded[outcome] = Rational(weight);
      return rounded;
    }
  });
  if (!law) return std::nullopt;
  each.law = std::move(*law);
  for (const auto& [outcome, weight] : each.law) {
    each.lengths[outcome.accepted] += to_double(weight);
  }
  return each;
}

AuditLaw ended_law(const Verifier& verifier, const JudgedCase& each) {
  AuditLaw law;
  for (const auto& [outcome, weight] : law_at(verifier, each.place)) {
    law[until_end(outcome, each.made.eos)] += weight;
  }
  return law;
}

double power_on(const JudgedCase& each, const AuditLaw& wrong, double level) {
  std::map<std::vector<Token>, double> outcomes;
  for (const auto& [outcome, weight] : wrong) outcomes[outcome.tokens] += weight;
  double best = 0;
  const auto look = [&](double law, double other) {
    best = std::max(best,
                    binomial_power(each.samples, std::min(1.0, law), std::min(1.0, other), level));
  };
  std::map<int, double> lengths;
  for (const auto& [outcome, weight] : each.law) {
    const double other = outcomes[outcome.tokens];
    look(to_double(weight), other);
    lengths[outcome.accepted] += other;
    outcomes.erase(outcome.tokens);
  }
  for (const auto& [tokens, weight] : outcomes) look(0, weight);
  for (const auto& [accepted, weight] : lengths) look(each.lengths.at(accepted), weight);
  return best;
}

NumberedCase numbered(const Verifier& rule, const JudgedCase& each) {
  NumberedCase made;
  if (each.law.size() > most_numbers(each)) return made;
  made.grid = bracket_all(decisions_at(rule, each.place), each.place);
  if (made.grid.size() > most_numbers(each)) return {};
  for (Numbers& numbers : made.grid) {
    shorten(numbers.coins);
    shorten(numbers.draws);
  }
  made.tokens = decisions_on(made.grid, rule, each);
  return made;
}

std::vector<std::vector<Token>> decisions_on(const std::vector<Numbers>& grid,
                                             const Verifier& verifier, const JudgedCase& each) {
  std::vector<std::vector<Token>> made;
  const auto paths = if_drafted([&] { return decisions_at(verifier, each.place); });
  if (!paths) return made;
  for (const Numbers& numbers : grid) {
    auto outcome = decided(*paths, numbers);
    if (!outcome) return {};
    made.push_back(until_end(std::move(*outcome), each.made.eos).tokens);
  }
  return made;
}

Shown shown_best(const Verifier& fault, const std::vector<JudgedCase>& cases, double level,
                 std::string& reason) {
  Shown best;
  reason = "on every case its tokens have the law of the rule's";
  for (std::size_t at = 0; at < cases.size(); ++at) {
    // A wrong law may depend on tokens without probability.
    if (cases[at].made.vocabulary > GivenShape().widest) continue;
    check_interrupted();
    std::optional<AuditLaw> law;
    try {
      law = if_drafted([&] { return ended_law(fault, cases[at]); });
    } catch (const InputError&) {  // its tree is shallower
      continue;
    }
    if (!law) {
      reason = "it does not take the given drafts: its fault is in the drafting";
      continue;
    }
    const double power = power_on(cases[at], *law, level / 2);
    if (power > best.power) best = {power, at, std::move(*law)};
  }
  return best;
}

const std::vector<KernelFault>& kernel_faults() {
  static const std::vector<KernelFault> faults{
      {"kernel(tokens=32768)", "rows end at 32,768 tokens: what follows has no probability",
       32'768},
      {"kernel(tokens=65536)", "rows end at 65,536 tokens: what follows has no probability",
       65'536}};
  return faults;
}

Shown shown_best(const KernelFault& fault, const Verifier& rule,
                 const std::vector<JudgedCase>& cases, double level) {
  Shown best;
  for (std::size_t at = 0; at < cases.size(); ++at) {
    if (cases[at].made.names.empty()) continue;
    // Nothing, too, where it drafts other tokens from the rest.
    auto law = if_drafted([&] {
                 return law_of_cut(rule, cases[at], fault.tokens);
               }).value_or(std::nullopt);
    if (!law) continue;
    const double power = power_on(cases[at], *law, level / 2);
    if (power > best.power) best = {power, at, std::move(*law)};
  }
  return best;
}

}  // namespace speclab
