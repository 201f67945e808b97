#include "simulate/controlled_sampler.h"

#include <algorithm>

#include "simulate/output_controls.h"

namespace speclab {
namespace {

/// The most candidates of a choice that counts.
constexpr Token kMostCandidates = 256;

/// The mean of max(b, min(1, w t(x) / d(x))) over x ~ d: b and sum_x [min(w t, d) - b d]+, which is
/// [w t - b d]+ less [w t - d]+.
template <class Laws>
double raised_mean(const Laws& laws, double b, double w) {
  const double raised = b > 0 ? laws.gap(w, b).mass() : w;
  return b + (raised - laws.residual(w).mass());
}

}  // namespace

template <class View>
void ControlledSampler<View>::begin(const View& view, const Node& root, int drafts) {
  const State state = view.state(root);
  sampler_.emplace(key_ ^ stream_key(0, state), trial_, begun_[state]++);
  view_ = &view;
  branched_ = false;
  raised_.assign(static_cast<std::size_t>(drafts), 0);
  contexts_.clear();
  contexts_.push_back({root, 0, 1});
}

template <class View>
auto ControlledSampler<View>::context_of(const LawRef<double>& law) const -> const Context* {
  const auto* row = law.get_if<RowLaw<double>>();
  if (row == nullptr) return nullptr;
  const auto is_its = [&](const Context& context) {
    return context.depth < raised_.size() && &view_->at(context.node).draft(0) == &row->weight(0);
  };
  if (is_its(contexts_.back())) return &contexts_.back();
  const auto first = std::find_if(contexts_.begin(), contexts_.end(), is_its);
  return first == contexts_.end() ? nullptr : &*first;
}

template <class View>
Token ControlledSampler<View>::draft(const LawRef<double>& law) {
  const Token x = sampler_->draft(law);
  const Context* at = context_of(law);
  if (at == nullptr || x == kUndefined) return x;
  const auto laws = view_->at(at->node);
  const double weight = std::min(1.0, at->weight * laws.target(x) / laws.draft(x));
  branched_ |= at != &contexts_.back();
  double& raised = raised_[at->depth];
  const double mean = raised_mean(laws, raised, at->weight);
  raised = std::max(raised, weight);
  sum(branched_ ? ControlVariate::other_drafts : ControlVariate::first_drafts) += raised - mean;
  contexts_.push_back({view_->next(at->node, x), at->depth + 1, weight});
  return x;
}

template <class View>
bool ControlledSampler<View>::accept(double probability) {
  const bool accepted = sampler_->accept(probability);
  // A printed rule's coin may be negative or undefined, or above 1: it never accepts, or always.
  const double chance = probability > 0 ? std::min(1.0, probability) : 0;
  sum(ControlVariate::coins) += (accepted ? 1 : 0) - chance;
  return accepted;
}

template <class View>
Token ControlledSampler<View>::choose(const LawRef<double>& law) {
  const Token chosen = sampler_->choose(law);
  if (chosen == kUndefined || law.size() > kMostCandidates) return chosen;
  double mean = 0;
  for (Token x = 0; x < law.size(); ++x) mean += static_cast<double>(x) * law.weight(x);
  sum(ControlVariate::coins) += static_cast<double>(chosen) - mean / law.mass();
  return chosen;
}

template <class View>
void ControlledSampler<View>::emitted(const Rows<double>& rows, const TrialPlan& plan,
                                      std::span<const Token> tokens, std::uint64_t left) {
  if (texts_.empty()) {
    for (const OutputForm& form : plan.forms) texts_.emplace_back(form);
  }
  State state = view_->state(contexts_.front().node);
  for (const Token y : tokens) {
    const Window window = window_within(plan.lengths.gamma, static_cast<int>(left));
    const auto laws = laws_at(rows, state);
    for (TextMeans& text : texts_) text.take(laws, y, window);
    add_output_terms(rows, state, laws, y, --left == 0, controls_);
    state = rows.next(state, y);
  }
}

template <class View>
void ControlledSampler<View>::ended(const TrialPlan& plan, std::uint64_t calls) {
  if (texts_.empty()) return;
  if (plan.companions) companions_ = {texts_[0].calls(), texts_[1].calls()};
  if (plan.own_form) {
    sum(ControlVariate::decisions) += static_cast<double>(calls) - texts_[*plan.own_form].calls();
  }
}

template class ControlledSampler<PairView<double>>;
template class ControlledSampler<CarriedView<double>>;

}  // namespace speclab
