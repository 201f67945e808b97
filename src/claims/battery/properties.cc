#include "claims/battery/properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "answer/law_test.h"
#include "claims/battery/small_pairs.h"
#include "claims/engine/examination.h"
#include "theory/multi_draft.h"
#include "theory/predictions.h"

namespace speclab {
namespace {

/// The drafts that a verifier takes; one where it drafts nothing.
int drafts_of(std::string_view verifier) { return std::max(1, make_verifier(verifier).drafts); }

/// What the verifier that is meant has not.
Lacks lacks_of(std::string_view verifier) {
  return correct_counterpart(make_verifier(verifier)).info->lacks;
}

/// Exact joint law of gamma + 2 tokens, over several iterations.
Failure joint_law(std::string_view verifier, const Instance& instance) {
  const int horizon = instance.gamma + 2;
  const Rational tv = exact_tv(verifier, instance, horizon);
  if (tv == 0) return std::nullopt;
  return fmt::format("{}: TV {} to the target", setting_text(instance, horizon), number_text(tv));
}

/// No draw from a law without weight.
Failure defined(std::string_view verifier, const Instance& instance) {
  const Rational mass = exact_answer(verifier, instance).fraction(QuantityId::iteration_undefined);
  if (mass == 0) return std::nullopt;
  return fmt::format("{}: 0/0 with probability {}", setting_text(instance), number_text(mass));
}

/// The sum of alpha* of the joint laws, which bounds E[tau] of every lossless verifier of i.i.d.
/// drafts.
Rational optimum(const Instance& instance, int drafts) {
  return average(start_law(*instance.rows), [&](State start) {
    Budget budget;
    return expectation(best_tail(*instance.rows, start, drafts, instance.gamma, budget));
  });
}

Failure below_optimum(std::string_view verifier, const Instance& instance) {
  if (!make_verifier(verifier).drafts_iid) return std::nullopt;
  const Rational bound = optimum(instance, drafts_of(verifier));
  const Rational found = accepted(verifier, instance);
  if (found <= bound) return std::nullopt;
  return fmt::format("{}: E[tau] {} above the optimum {}", setting_text(instance),
                     number_text(found), number_text(bound));
}

/// One token follows the accepted ones: E[N(1)] = E[tau] + 1.
Failure one_more(std::string_view verifier, const Instance& instance) {
  if (instance.pair().end_token()) return std::nullopt;
  const auto result = exact_answer(verifier, instance, std::nullopt, 1);
  const Rational wanted = result.fraction(QuantityId::expected_accepted) + 1 -
                          result.fraction(QuantityId::iteration_undefined);
  if (result.fractions(QuantityId::expected_tokens).front() == wanted) return std::nullopt;
  return fmt::format("{}: E[N(1)] {} beside E[tau] + 1 = {}", setting_text(instance),
                     number_text(result.fractions(QuantityId::expected_tokens).front()),
                     number_text(wanted));
}

/// The pair with its tokens in reverse order.
Instance relabelled(const Instance& instance) {
  const auto reversed = [](std::span<const Rational> law) {
    return std::vector<Rational>(law.rbegin(), law.rend());
  };
  return iid_instance(reversed(instance.draft()), reversed(instance.target()), instance.gamma,
                      instance.drafts);
}

/// The law of tau does not depend on what the tokens are called.
Failure labels(std::string_view verifier, const Instance& instance) {
  if (!instance.pair().memoryless() || lacks_of(verifier).token_names) return std::nullopt;
  const auto here = exact_answer(verifier, instance);
  const auto there = exact_answer(verifier, relabelled(instance));
  if (here.fractions(QuantityId::accepted_law) == there.fractions(QuantityId::accepted_law))
    return std::nullopt;
  return fmt::format("{}: E[tau] {}, with the tokens renamed {}", setting_text(instance),
                     number_text(here.fraction(QuantityId::expected_accepted)),
                     number_text(there.fraction(QuantityId::expected_accepted)));
}

/// Where the models agree every draft is accepted.
Failure full_acceptance(std::string_view verifier, const Instance& instance) {
  if (lacks_of(verifier).full_acceptance) return std::nullopt;
  for (State state = 0; state < instance.pair().states(); ++state) {
    const auto draft = instance.rows->draft(state);
    const auto target = instance.rows->target(state);
    if (!std::equal(draft.begin(), draft.end(), target.begin())) return std::nullopt;
  }
  if (make_verifier(verifier).info->drafting == Drafting::none) return std::nullopt;
  const auto result = exact_answer(verifier, instance);
  if (result.fractions(QuantityId::accepted_law).back() == 1) return std::nullopt;
  return fmt::format("{}: equal models, and the whole draft is accepted with probability {}",
                     setting_text(instance),
                     number_text(result.fractions(QuantityId::accepted_law).back()));
}

/// The law of the bonus token, given that the whole draft was accepted.
Failure bonus_law(std::string_view verifier, const Instance& instance) {
  const double distance = conditional_laws(verifier, instance).bonus;
  if (distance < kRounding) return std::nullopt;
  return fmt::format("{}: off the target's law by {:.6g} after a whole draft",
                     setting_text(instance), distance);
}

/// With one draft, the correction does not see which token was rejected.
Failure independent_purposes(std::string_view verifier, const Instance& instance) {
  if (drafts_of(verifier) > 1 || lacks_of(verifier).purposes) return std::nullopt;
  const double distance = conditional_laws(verifier, instance).correction;
  if (distance < kRounding) return std::nullopt;
  return fmt::format("{}: the correction's law moves by {:.6g} with the rejected token",
                     setting_text(instance), distance);
}

/// Forced coins: nothing that the target never emits comes out.
Failure support(std::string_view verifier, const Instance& instance) {
  for (const double coin : {0.0, 1 - 0x1p-53}) {
    const std::uint64_t outside = tokens_outside_support(
        make_verifier(played(verifier)), instance.doubles(), instance.gamma, coin, 16);
    if (outside > 0) {
      return fmt::format("{}: with every coin at {}, {} tokens of target probability 0",
                         setting_text(instance), coin == 0 ? "0" : "1 - 2^-53", outside);
    }
  }
  return std::nullopt;
}

/// E[tau] is what the closed forms say of the verifier that is meant, and no less: this is what
/// finds a verifier that is lossless but slow. At one position of two tokens slot-block attains the
/// optimum (see slot_block.h); a closed form that is no fraction is met within rounding.
Failure known_mean(std::string_view verifier, const Instance& instance) {
  const Spec spec = parse_spec(correct_counterpart(make_verifier(verifier)).name);
  Setting setting;
  setting.pair = instance.pair_pointer();
  setting.verifier = spec;
  setting.lengths.gamma = instance.gamma;
  setting.arithmetic = Arithmetic::rational;
  std::vector<Prediction> known = predict(setting);
  if (spec.name == "slot-block" && instance.gamma == 1 && instance.pair().vocabulary() == 2) {
    const Rational best = optimum(instance, drafts_of(verifier));
    known.push_back(
        {"", QuantityId::expected_accepted, std::nullopt, to_double(best), best, Relation::equals});
  }
  const Rational found = accepted(verifier, instance);
  for (const Prediction& form : known) {
    if (form.quantity != QuantityId::expected_accepted) continue;
    const Rational wanted = form.exact ? *form.exact : exact(form.value);
    const Rational slack = form.exact ? Rational(0) : exact(kRounding);
    const bool low = form.relation != Relation::at_most && found < wanted - slack;
    const bool high = form.relation != Relation::at_least && found > wanted + slack;
    if (!low && !high) continue;
    return fmt::format("{}: E[tau] {}, {} the {} of {}", setting_text(instance), number_text(found),
                       low ? "below" : "above", number_text(wanted), spec.name);
  }
  return std::nullopt;
}

constexpr Property kProperties[] = {
    {kJointLaw, joint_law},
    {kDefined, defined},
    {kBelowOptimum, below_optimum},
    {kOneMore, one_more},
    {kLabels, labels},
    {kFullAcceptance, full_acceptance},
    {kBonusLaw, bonus_law},
    {kPurposes, independent_purposes},
    {kSupport, support},
    {kKnownMean, known_mean},
};

}  // namespace

std::span<const Property> exact_properties() { return kProperties; }

std::string setting_text(const Instance& instance, int horizon) {
  std::string text = fmt::format("gamma={}", instance.gamma);
  if (horizon > 0) text += fmt::format(", T={}", horizon);
  return text;
}

}  // namespace speclab
