#include "verifiers/trained.h"

#include <linear.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/random.h"
#include "base/sum.h"
#include "model/law.h"

namespace speclab {
namespace {

/// What the features of all tokens of a context share.
struct ContextFeatures {
  double entropy, top, margin;
};

double safe_log(double probability) {
  return std::log(std::max(probability, std::numeric_limits<double>::denorm_min()));
}

ContextFeatures context_features(std::span<const double> draft) {
  double first = 0;
  double second = 0;
  Sum<double> entropy;
  for (const double d : draft) {
    if (d > 0) entropy += -d * std::log(d);
    second = std::max(second, std::min(first, d));
    first = std::max(first, d);
  }
  return {entropy.value(), first, first - second};
}

DraftFeatures features_of(const ContextFeatures& context, double probability, std::size_t rank) {
  return {safe_log(probability), std::log(static_cast<double>(rank)), context.entropy, context.top,
          context.margin};
}

std::size_t rank_of(std::span<const double> draft, Token x) {
  const double own = draft[static_cast<std::size_t>(x)];
  const auto above = std::count_if(draft.begin(), draft.end(), [&](double d) { return d > own; });
  return static_cast<std::size_t>(above) + 1;
}

/// A labelled token of a rollout.
struct Labelled {
  DraftFeatures features;
  double excess;
  bool acceptable;
};

enum Part : std::uint32_t { kTrainingPart = 0, kHeldOutPart = 1 };

/// The first `samples` tokens of the draft's rollouts.
std::vector<Labelled> roll_out(const Rows<double>& rows, const Training& training, Part part) {
  const Pair& pair = rows.pair();
  const std::uint64_t key = stream_key(training.seed, task_hash("training " + pair.name()));
  const int length = std::min(training.length, pair.length().value_or(training.length));
  const double lambda = to_double(training.lambda);
  std::vector<State> states;
  std::vector<double> law;
  for (const Start& start : pair.start()) {
    states.push_back(start.state);
    law.push_back(to_double(start.probability));
  }
  std::unordered_map<State, ContextFeatures> contexts;
  std::vector<Labelled> tokens;
  const auto samples = static_cast<std::size_t>(training.samples);
  for (std::uint64_t rollout = 0; tokens.size() < samples; ++rollout) {
    Stream prompts(key, rollout, part, Purpose::prompt);
    Stream drafts(key, rollout, part, Purpose::draft);
    State state = states[static_cast<std::size_t>(
        pick(RowLaw<double>(std::span<const double>(law)), prompts.uniform()))];
    for (int i = 0; i < length && tokens.size() < samples; ++i) {
      const auto draft = rows.draft(state);
      const Token x = pick(RowLaw<double>(draft), drafts.uniform());
      const double d = draft[static_cast<std::size_t>(x)];
      const double t = rows.target(state)[static_cast<std::size_t>(x)];
      const auto known = contexts.find(state);
      const ContextFeatures& context =
          known != contexts.end() ? known->second
                                  : contexts.emplace(state, context_features(draft)).first->second;
      tokens.push_back({features_of(context, d, rank_of(draft, x)),
                        positive_part<double>(1 - t / d), d <= lambda * t});
      if (pair.end_token() == x) break;
      state = rows.next(state, x);
    }
  }
  return tokens;
}

}  // namespace

DraftFeatures draft_features(std::span<const double> draft, Token x) {
  return features_of(context_features(draft), draft[static_cast<std::size_t>(x)],
                     rank_of(draft, x));
}

TrainedClassifier::TrainedClassifier(PairPointer pair, const Training& training)
    : pair_(std::move(pair)), training_(training), rows_(pair_), scores_(pair_->states()) {
  std::vector<DraftFeatures> features;
  std::vector<bool> labels;
  for (const Labelled& token : roll_out(rows_, training_, kTrainingPart)) {
    features.push_back(token.features);
    labels.push_back(token.acceptable);
  }
  fit(features, labels);
  for (const Labelled& token : roll_out(rows_, training_, kHeldOutPart)) {
    held_out_.push_back({score_of(token.features), token.excess, token.acceptable});
  }
}

TrainedClassifier::~TrainedClassifier() {
  for (auto& scores : scores_) delete[] scores.load(std::memory_order_relaxed);
}

void TrainedClassifier::fit(std::span<const DraftFeatures> features,
                            const std::vector<bool>& labels) {
  if (std::find(labels.begin(), labels.end(), !labels.front()) == labels.end()) {
    constant_ = labels.front() ? 1.0 : 0.0;
    return;
  }
  const double n = static_cast<double>(features.size());
  for (std::size_t j = 0; j < kDraftFeatures; ++j) {
    Sum<double> sum;
    for (const auto& row : features) sum += row[j];
    mean_[j] = sum.value() / n;
    Sum<double> squares;
    for (const auto& row : features) squares += (row[j] - mean_[j]) * (row[j] - mean_[j]);
    const double deviation = std::sqrt(squares.value() / n);
    // A feature that varies by rounding alone does not vary.
    scale_[j] = deviation > 1e-9 * (1 + std::abs(mean_[j])) ? 1 / deviation : 0.0;
  }
  constexpr std::size_t kNodes = kDraftFeatures + 2;  // features, intercept, end mark
  std::vector<feature_node> nodes(features.size() * kNodes);
  std::vector<feature_node*> rows;
  std::vector<double> classes;
  for (std::size_t i = 0; i < features.size(); ++i) {
    feature_node* row = &nodes[i * kNodes];
    for (std::size_t j = 0; j < kDraftFeatures; ++j) {
      row[j] = {static_cast<int>(j) + 1, (features[i][j] - mean_[j]) * scale_[j]};
    }
    row[kDraftFeatures] = {static_cast<int>(kDraftFeatures) + 1, 1.0};
    row[kDraftFeatures + 1] = {-1, 0.0};
    rows.push_back(row);
    classes.push_back(labels[i] ? 1 : 0);
  }
  problem task{};
  task.l = static_cast<int>(features.size());
  task.n = static_cast<int>(kDraftFeatures) + 1;
  task.y = classes.data();
  task.x = rows.data();
  task.bias = 1;
  parameter how{};
  how.solver_type = L2R_LR;
  how.C = 1;
  how.eps = 1e-6;
  set_print_string_function([](const char*) {});
  model* fitted = train(&task, &how);
  // liblinear's weights speak for the label that came first.
  const double sign = fitted->label[0] == 1 ? 1.0 : -1.0;
  constexpr double kGrid = 0x1p20;
  for (std::size_t j = 0; j < weights_.size(); ++j) {
    weights_[j] = std::round(sign * fitted->w[j] * kGrid) / kGrid;
  }
  free_and_destroy_model(&fitted);
}

double TrainedClassifier::score_of(const DraftFeatures& features) const {
  if (constant_) return *constant_;
  double z = weights_[kDraftFeatures];
  for (std::size_t j = 0; j < kDraftFeatures; ++j) {
    z += weights_[j] * ((features[j] - mean_[j]) * scale_[j]);
  }
  return z >= 0 ? 1 / (1 + std::exp(-z)) : std::exp(z) / (1 + std::exp(z));
}

const double* TrainedClassifier::make(State state) const {
  const std::lock_guard lock(making_);
  if (const double* known = scores_[state].load(std::memory_order_acquire)) return known;
  const auto draft = rows_.draft(state);
  const ContextFeatures context = context_features(draft);
  std::vector<std::size_t> order(draft.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return draft[a] > draft[b]; });
  auto scores = std::make_unique<double[]>(draft.size());
  std::size_t rank = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && draft[order[i]] < draft[order[i - 1]]) rank = i + 1;
    scores[order[i]] = score_of(features_of(context, draft[order[i]], rank));
  }
  const double* made = scores.release();
  scores_[state].store(made, std::memory_order_release);
  return made;
}

std::shared_ptr<const TrainedClassifier> trained_classifier(const PairPointer& pair,
                                                            const Training& training) {
  constexpr std::size_t kKept = 16;
  static std::mutex guard;
  static std::deque<std::shared_ptr<const TrainedClassifier>> kept;
  const std::lock_guard lock(guard);
  for (const auto& classifier : kept) {
    if (classifier->pair() == pair && classifier->training() == training) return classifier;
  }
  if (kept.size() == kKept) kept.pop_front();
  kept.push_back(std::make_shared<const TrainedClassifier>(pair, training));
  return kept.back();
}

MeasuredRates measured_rates(std::span<const TrainedClassifier::Sample> samples, double tau) {
  std::array<double, 2> all{};
  std::array<double, 2> passed{};
  Sum<double> excess;
  Sum<double> passed_excess;
  for (const auto& sample : samples) {
    const std::size_t label = sample.acceptable ? 1 : 0;
    const bool passes = sample.score >= tau;
    ++all[label];
    excess += sample.excess;
    if (!passes) continue;
    ++passed[label];
    passed_excess += sample.excess;
  }
  MeasuredRates rates;
  if (all[0] > 0) rates.false_positive = passed[0] / all[0];
  if (all[1] > 0) rates.true_positive = passed[1] / all[1];
  if (excess.value() > 0) rates.excess_weighted = passed_excess.value() / excess.value();
  return rates;
}

std::vector<RocPoint> roc_curve(std::span<const TrainedClassifier::Sample> samples) {
  std::vector<TrainedClassifier::Sample> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.score > b.score; });
  const auto acceptable = static_cast<double>(
      std::count_if(sorted.begin(), sorted.end(), [](const auto& s) { return s.acceptable; }));
  const double others = static_cast<double>(sorted.size()) - acceptable;
  if (!(acceptable > 0) || !(others > 0)) return {};
  std::vector<RocPoint> curve{{HUGE_VAL, 0, 0}};
  double passed = 0;
  double passed_others = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    ++(sorted[i].acceptable ? passed : passed_others);
    if (i + 1 < sorted.size() && sorted[i + 1].score >= sorted[i].score) continue;
    curve.push_back({sorted[i].score, passed_others / others, passed / acceptable});
  }
  return curve;
}

std::optional<double> area_under(std::span<const RocPoint> curve) {
  if (curve.empty()) return std::nullopt;
  Sum<double> area;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    area += (curve[i].false_positive - curve[i - 1].false_positive) *
            (curve[i].true_positive + curve[i - 1].true_positive) / 2;
  }
  return area.value();
}

}  // namespace speclab
