#include "theory/formulas.h"

#include <cmath>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "theory/sun2024.h"
#include "theory/yin2024.h"
#include "theory/zhong2025.h"

namespace speclab {
namespace {

constexpr int kMostDrafts = 100'000;

template <class Real>
void add(std::vector<FormulaValue>& values, QuantityId quantity, const Real& value) {
  FormulaValue made{quantity, to_double(value), std::nullopt};
  if constexpr (std::is_same_v<Real, Rational>) made.exact = value;
  values.push_back(std::move(made));
}

/// Runs compute(real, values) with a value of the arithmetic in use.
template <class Compute>
std::vector<FormulaValue> in_arithmetic(const FormulaSetting& setting, Compute&& compute) {
  std::vector<FormulaValue> values;
  if (setting.rational) {
    compute(Rational(0), values);
  } else {
    compute(0.0, values);
  }
  return values;
}

/// The draft length of a formula that has one.
int draft_length(SpecReader& spec, const FormulaSetting& setting) {
  if (setting.gamma == kUnbounded) spec.refuse("gamma inf has no end here; give a number");
  return setting.gamma;
}

/// The laws of a pair on one state.
template <class Real>
struct FormulaLaws {
  FormulaLaws(SpecReader& spec, const PairPointer& pair) : rows(pair) {
    if (!pair->memoryless()) spec.refuse("it takes a pair of one state, not " + pair->name());
    draft = rows.draft(0);
    target = rows.target(0);
  }
  Rows<Real> rows;
  std::span<const Real> draft, target;
};

std::vector<FormulaValue> bernoulli_sums(SpecReader& spec, const FormulaSetting& setting) {
  const auto first = spec.choice<FirstTerm>("first", {"printed", "corrected"});
  if (setting.pair->vocabulary() != 2) spec.refuse("it takes a pair of two tokens");
  const int gamma = draft_length(spec, setting);
  return in_arithmetic(setting, [&](auto real, auto& values) {
    using Real = decltype(real);
    const FormulaLaws<Real> laws(spec, setting.pair);
    add(values, QuantityId::token_accepted,
        bernoulli_token_accepted<Real>(laws.draft[1], laws.target[1], gamma, first));
    add(values, QuantityId::block_accepted,
        bernoulli_block_accepted<Real>(laws.draft[1], laws.target[1], gamma, first));
  });
}

std::vector<FormulaValue> distance(SpecReader&, const FormulaSetting& setting) {
  return in_arithmetic(setting, [&](auto real, auto& values) {
    using Real = decltype(real);
    const Rows<Real> rows(setting.pair);
    add(values, QuantityId::next_token_tv, average(start_law(rows), [&](State state) {
          return total_variation<Real>(rows.draft(state), rows.target(state));
        }));
  });
}

std::vector<FormulaValue> improvement(SpecReader& spec, const FormulaSetting& setting) {
  const int batches = static_cast<int>(spec.integer("M", 1, kMostDrafts));
  return in_arithmetic(setting, [&](auto real, auto& values) {
    using Real = decltype(real);
    const FormulaLaws<Real> laws(spec, setting.pair);
    if (laws.draft.size() == 2 && laws.draft[0] > 0 && laws.draft[1] > 0) {
      const std::size_t x = laws.draft[1] < laws.target[1] ? 0 : 1;
      add(values, QuantityId::improvement,
          bernoulli_improvement<Real>(laws.draft[x], laws.target[x], batches));
      return;
    }
    const auto ratio = uniform_ratio(laws.draft, laws.target);
    if (!ratio) spec.refuse("it takes Bernoulli laws or uniform ones, not " + setting.pair->name());
    add(values, QuantityId::improvement, uniform_improvement<Real>(*ratio, batches));
  });
}

template <class Real>
struct StoppingRates {
  explicit StoppingRates(SpecReader& spec)
      : fp(from_rational<Real>(spec.number_between("fp", 0, 1))),
        tp(from_rational<Real>(spec.number_between("tp", 0, 1))),
        acceptable(static_cast<int>(spec.integer("r", 0, kMostDrafts))) {
    if (!(fp < 1)) spec.refuse("fp=1 never stops; give fp below 1");
  }
  Real fp, tp;
  int acceptable;
};

std::vector<FormulaValue> passed(SpecReader& spec, const FormulaSetting& setting) {
  return in_arithmetic(setting, [&](auto real, auto& values) {
    using Real = decltype(real);
    const StoppingRates<Real> rates(spec);
    add(values, QuantityId::passed_accepted,
        expected_passed<Real>(rates.fp, rates.tp, rates.acceptable));
  });
}

std::vector<FormulaValue> stopping_time(SpecReader& spec, const FormulaSetting& setting) {
  return in_arithmetic(setting, [&](auto real, auto& values) {
    using Real = decltype(real);
    const StoppingRates<Real> rates(spec);
    Real step = from_rational<Real>(spec.number("draft"));
    if (spec.has("verifier")) step += from_rational<Real>(spec.number("verifier"));
    add(values, QuantityId::stopping_time,
        expected_stopping_time<Real>(rates.fp, rates.tp, rates.acceptable, step));
  });
}

std::vector<FormulaValue> flops(SpecReader& spec, const FormulaSetting& setting) {
  const int gamma = draft_length(spec, setting);
  return in_arithmetic(setting, [&](auto real, auto& values) {
    using Real = decltype(real);
    const Real draft = from_rational<Real>(spec.number("draft"));
    const Real verifier = from_rational<Real>(spec.number("verifier"));
    const Real target = from_rational<Real>(spec.number("target"));
    const Real speculative = speculative_flops<Real>(gamma, draft, target);
    const Real sprinter = sprinter_flops<Real>(gamma, draft, verifier, target);
    add(values, QuantityId::speculative_flops, speculative);
    add(values, QuantityId::sprinter_flops, sprinter);
    if (sprinter > 0) add(values, QuantityId::flops_ratio, Real(speculative / sprinter));
  });
}

std::vector<FormulaValue> positions(SpecReader& spec, const FormulaSetting& setting) {
  const long long drafts = spec.integer("K", 1, kMostDrafts);
  const int gamma = draft_length(spec, setting);
  return in_arithmetic(setting, [&](auto real, auto& values) {
    using Real = decltype(real);
    add(values, QuantityId::target_positions, Real(Real(drafts) * (Real(gamma) + 1)));
  });
}

constexpr FormulaRow kFormulas[] = {
    {"sun2024.section3.1", "first=printed|corrected",
     "Bernoulli laws: E[tau] of token and of block-level coupling, sums from i = 0 or from i = 1",
     "sun2024, Section 3.1", true, bernoulli_sums},
    {"tv", "",
     "TV(d, t) of the next token, averaged over the prompt: where the Pareto line meets "
     "the axes",
     "yin2024, Theorem 5", true, distance},
    {"target-positions", "K=", "positions that the target evaluates in a call: K (gamma + 1)",
     "sun2025, Appendix D.1", false, positions},
    {"yin2024.section3.2", "M=", "batch improvement of one token, Bernoulli or uniform laws",
     "yin2024, Section 3.2", true, improvement},
    {"zhong2025.theorem3.3", "fp=, tp=, r=", "E[N] when the first r drafted tokens are acceptable",
     "zhong2025, Theorem 3.3, Equation (3)", false, passed},
    {"zhong2025.theorem3.4", "fp=, tp=, r=, draft=, verifier=",
     "E[T_stop] when the first r drafted tokens are acceptable and a drafted token takes `draft` "
     "and `verifier` (0 where it is left out, as printed)",
     "zhong2025, Theorem 3.4, Equation (4)", false, stopping_time},
    {"zhong2025.flops", "draft=, verifier=, target=",
     "FLOPs of gamma tokens, speculative decoding and SPRINTER with a perfect verifier",
     "zhong2025, Equations (5) and (6)", false, flops},
};

}  // namespace

std::span<const FormulaRow> formula_rows() { return kFormulas; }

FormulaResult evaluate_formula(std::string_view text, const FormulaSetting& setting) {
  const Spec spec = parse_spec(text);
  std::vector<std::string> names;
  for (const FormulaRow& row : formula_rows()) {
    names.emplace_back(row.name);
    if (row.name != spec.name) continue;
    SpecReader reader(spec);
    if (row.needs_pair && !setting.pair) reader.refuse("it takes a pair; add one");
    if (!row.needs_pair && setting.pair) reader.refuse("it takes no pair; leave it out");
    FormulaResult formula;
    formula.values = row.compute(reader, setting);
    reader.finish();
    formula.name = reader.canonical();
    for (const FormulaValue& value : formula.values) {
      if (!std::isfinite(value.value))
        reader.refuse(quantity(value.quantity).path() + " is not a finite number");
    }
    return formula;
  }
  throw InputError("'" + abbreviate(text) + "': unknown formula '" + abbreviate(spec.name) + "'" +
                   suggestion(spec.name, names) + "; there are " + join(names));
}

}  // namespace speclab
