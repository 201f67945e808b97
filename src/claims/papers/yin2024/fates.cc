#include "claims/papers/yin2024/fates.h"

#include <memory>

#include "answer/iteration_law.h"
#include "answer/own_verifier.h"
#include "answer/rule_tables.h"
#include "claims/engine/ingredient.h"
#include "claims/papers/yin2024/decodes.h"
#include "model/families/listed_tree.h"

namespace speclab {
namespace {

/// Decodes iteration after iteration from `from`, a state of `rows`, which stands for a start.
void decode(IterationLaws<Rational>& laws, const Rows<Rational>& rows, State from,
            const Start& start, Fates& fates) {
  const int horizon = fates.instance.gamma;
  // Where iterations begin: after these tokens, in this state.
  std::vector<std::map<std::pair<TokenPath, State>, Rational>> begins(
      static_cast<std::size_t>(horizon));
  begins[0][{{}, from}] = start.probability;
  for (std::size_t n = 0; n < begins.size(); ++n) {
    for (const auto& [begin, mass] : begins[n]) {
      fates.calls += mass;
      const Window window{.drafts = horizon - static_cast<int>(n), .bonus = false};
      for (const auto& end : laws.from(begin.second, window)) {
        const Rational weight = mass * end.weight;
        if (end.ending == Ending::undefined) {
          fates.undefined += weight;
          continue;
        }
        auto [path, state] = begin;
        for (std::size_t i = 0; i < end.tokens.size(); ++i) {
          path.push_back(end.tokens[i]);
          state = rows.next(state, end.tokens[i]);
          const bool corrects = end.ending == Ending::correction && i + 1 == end.tokens.size();
          fates.paths[{start.state, path}].mass[i == 0 ? 1 : 0][corrects ? 1 : 0] += weight;
        }
        if (path.size() < begins.size()) begins[path.size()][{path, state}] += weight;
      }
    }
  }
}

Fates fates_by(const Verifier& verifier, const Instance& instance) {
  Fates fates{instance};
  IterationLaws<Rational> laws(verifier, instance.rows);
  for (const Start& start : instance.pair().start()) {
    decode(laws, *instance.rows, start.state, start, fates);
  }
  return fates;
}

/// See fates_after_loop.
struct BatchAfterLoop {
  static constexpr bool kCarries = false;
  int drafts;
  Rational share;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    const auto first = view.at(root);
    std::vector<Rational> left;  // t^m, then t^{K+1}
    for (Token x = 0; x < first.vocabulary(); ++x) left.push_back(first.target(x));
    for (int m = 0; m < drafts && out.accepted == 0; ++m) {
      const Token x = choices.draft(first.draft());
      if (choices.accept(left[static_cast<std::size_t>(x)] / first.draft(x))) {
        out.accept(x, view.next(root, x));
      } else {
        left = less(left, first, Rational(1));
      }
    }
    if (out.accepted == 0)
      return out.correct(view, choices, DenseLaw<Rational>(less(left, first, share)));
    while (out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      const Token x = choices.draft(laws.draft());
      if (!choices.accept(likelihood_ratio(laws, x))) {
        return out.correct(view, choices, laws.residual(Rational(1)));
      }
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }

  /// [law - part d]+, normalised where it has mass.
  template <class Laws>
  static std::vector<Rational> less(std::vector<Rational> law, const Laws& laws,
                                    const Rational& part) {
    Rational mass(0);
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      Rational& p = law[static_cast<std::size_t>(x)];
      p = positive_part<Rational>(p - part * laws.draft(x));
      mass += p;
    }
    for (Rational& p : law) p /= mass > 0 ? mass : Rational(1);
    return law;
  }
};

/// A number from 0 on that differs between neighbouring contexts and tokens.
std::size_t mixed(const TokenPath& before, std::size_t x) {
  std::size_t sum = x + before.size();
  for (const Token token : before) sum = 3 * sum + 2 * static_cast<std::size_t>(token) + 1;
  return sum;
}

const Member kMembers[] = {
    {"b = min(1, t/d)", Rational(1)},
    {"b = min(1, t/d) / 2", Rational(1, 2)},
    {"b = min(1, t/d) / 3", Rational(1, 3)},
    {"b = 0", Rational(0)},
    {"b = s min(1, t/d), s = 0, 1/2, 1 by context and token", std::nullopt},
};

}  // namespace

Fate Fates::at(State start, const TokenPath& path) const {
  const auto found = paths.find({start, path});
  return found == paths.end() ? Fate{} : found->second;
}

Rational Fates::rejected_at(int n) const {
  Rational sum(0);
  for (const auto& [key, fate] : paths) {
    if (static_cast<int>(key.second.size()) == n) sum += fate.rejected();
  }
  return sum;
}

Rational Fates::rejections() const {
  Rational sum(0);
  for (const auto& [key, fate] : paths) sum += fate.rejected();
  return sum;
}

Rational Fates::bias() const {
  Rational sum(0);
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : whole_paths(*instance.rows, start.state, instance.gamma)) {
      sum += positive_part<Rational>(start.probability * path.target -
                                     at(start.state, path.tokens).reached());
    }
  }
  return sum;
}

Fates fates_of(std::string_view verifier, const Instance& instance) {
  return fates_by(make_verifier(played(verifier)), instance);
}

Fates fates_after_loop(const Rational& share, const Instance& instance) {
  return fates_by(
      own_verifier("batch, line 28 after the loop", BatchAfterLoop{instance.drafts, share}),
      instance);
}

Design optimal_design(const Rule& rule) {
  Rule::Law law;
  for (std::size_t x = 0; x < rule.size(); ++x) {
    law.push_back(positive_part<Rational>(rule.target[x] - rule.kept(x)));
  }
  return {rule.accept, law};
}

RuleRuns::RuleRuns(const Instance& instance) : instance_(instance) {
  for (const Start& start : instance.pair().start()) {
    Part part{start, {}, {}};
    list(part, start.state, {});
    ListedLaws draft, target;
    for (const RuleContext& at : part.contexts) {
      draft[at.before] = {at.draft.begin(), at.draft.end()};
      target[at.before] = {at.target.begin(), at.target.end()};
    }
    part.unrolled =
        name_instance(std::make_shared<ListedTreePair>(instance.rows->vocabulary(), draft, target),
                      instance.name() + " by context", instance.gamma);
    parts_.push_back(std::move(part));
  }
}

void RuleRuns::list(Part& part, State state, const TokenPath& before) const {
  const Rows<Rational>& rows = *instance_.rows;
  part.contexts.push_back({rows.draft(state), rows.target(state), before, state});
  if (static_cast<int>(before.size()) + 1 == instance_.gamma) return;
  for (Token x = 0; x < rows.vocabulary(); ++x) {
    TokenPath after = before;
    after.push_back(x);
    list(part, rows.next(state, x), after);
  }
}

Fates RuleRuns::run(const DesignOf& design) const {
  Fates fates{instance_};
  for (const Part& part : parts_) {
    const Rows<Rational>& rows = *part.unrolled.rows;
    const auto size = static_cast<std::size_t>(rows.vocabulary());
    std::vector<std::vector<Rational>> accept(rows.pair().states(), Rule::Law(size, Rational(1)));
    std::vector<std::vector<Rational>> correct(rows.pair().states(), Rule::Law(size));
    const State root = part.unrolled.pair().start().front().state;
    for (const RuleContext& at : part.contexts) {
      const State state = follow(rows, root, at.before).state;
      auto [b, law] = design(at);
      Rational mass(0);
      for (const Rational& weight : law) mass += weight;
      for (Rational& weight : law) weight /= mass > 0 ? mass : Rational(1);
      accept[state] = ingredient("yin2024.rule.b", std::move(b));
      correct[state] = ingredient("yin2024.rule.P", std::move(law));
    }
    IterationLaws<Rational> laws(rule_of_tables(std::move(accept), std::move(correct)),
                                 part.unrolled.rows);
    decode(laws, rows, root, part.start, fates);
  }
  return fates;
}

std::span<const Member> members() { return kMembers; }

Rule Member::rule(const RuleContext& at) const {
  return Rule::of(at.draft, at.target, [&](const Rule& rule, std::size_t x) {
    const Rational here = share.value_or(Rational(static_cast<int>(mixed(at.before, x) % 3), 2));
    return Rational(rule.threshold(x) * here);
  });
}

Design Member::operator()(const RuleContext& at) const {
  const Rule here = rule(at);
  return {here.accept, here.corollary_law()};
}

Comparisons members_run(const Instance& at) {
  Comparisons says;
  const RuleRuns runs(at);
  const Rational bound = kTvSum(at);
  for (const Member& member : kMembers) {
    const Fates run = runs.run(member);
    says.equal(run.bias(), 0, "TV of {}, T = gamma, to the target's", member.text);
    says.at_least(run.rejections(), bound, "E[N_rej] of {} against sum of E TV", member.text);
    if (!member.share || !kNoEnd.keeps(at)) continue;
    says.equal(run.rejections(), *member.share * bound + (1 - *member.share) * at.gamma,
               "E[N_rej] of {} against s sum of E TV + (1 - s) T", member.text);
  }
  return says;
}

Design arbitrary_design(const RuleContext& at) {
  Design design;
  for (std::size_t x = 0; x < at.draft.size(); ++x) {
    design.accept.emplace_back(static_cast<int>(mixed(at.before, x) % 4), 3);
    design.correction.emplace_back(static_cast<int>(mixed(at.before, 2 * x) % 3 + 1));
  }
  return design;
}

}  // namespace speclab
