#include "train/classifier.h"

#include <fmt/format.h>
#include <linear.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "base/error.h"
#include "base/json.h"
#include "base/random.h"
#include "base/sum.h"
#include "model/law.h"
#include "system/interrupt.h"
#include "system/memory.h"

namespace speclab {
namespace {

/// A labelled token of a rollout.
struct Labelled {
  DraftFeatures features;
  double excess;
  bool acceptable;
};

enum Part : std::uint32_t { kTrainingPart = 0, kHeldOutPart = 1 };

/// The model that draws the token after a labelled one.
enum class Next { nobody, draft, target, either };

std::vector<Next> nexts(Prefixes prefixes) {
  if (prefixes == Prefixes::draft) return {Next::draft};
  return {Next::nobody, Next::draft, Next::target, Next::either};
}

/// The first `samples` drafted tokens of the rollouts, divided equally among the kinds of rollouts;
/// the first kinds get one more where `samples` is not divisible.
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
  std::unordered_map<State, DraftFeatures> contexts;
  std::vector<Labelled> tokens;
  const std::vector<Next> kinds = nexts(training.prefixes);
  std::size_t kind = 0;
  const auto wanted = [&] {
    const auto samples = static_cast<std::size_t>(training.samples);
    return ((kind + 1) * samples + kinds.size() - 1) / kinds.size();
  };
  for (std::uint64_t rollout = 0;; ++rollout) {
    check_interrupted();
    while (kind < kinds.size() && tokens.size() >= wanted()) ++kind;
    if (kind == kinds.size()) break;
    Stream prompts(key, rollout, part, Purpose::prompt);
    Stream drafts(key, rollout, part, Purpose::draft);
    Stream coins(key, rollout, part, Purpose::accept);
    Stream targets(key, rollout, part, Purpose::correct);
    State state = states[static_cast<std::size_t>(
        pick(RowLaw<double>(std::span<const double>(law)), prompts.uniform()))];
    for (int i = 0; i < length && tokens.size() < wanted(); ++i) {
      const auto draft = rows.draft(state);
      const Token x = pick(RowLaw<double>(draft), drafts.uniform());
      const double d = draft[static_cast<std::size_t>(x)];
      const double t = rows.target(state)[static_cast<std::size_t>(x)];
      auto known = contexts.find(state);
      if (known == contexts.end()) known = contexts.emplace(state, context_features(draft)).first;
      tokens.push_back({draft_features(draft, known->second, x), positive_part<double>(1 - t / d),
                        d <= lambda * t});
      if (kinds[kind] == Next::nobody) break;
      const bool drafted =
          kinds[kind] == Next::draft || (kinds[kind] == Next::either && coins.uniform() < 0.5);
      const Token next = drafted ? x : pick(RowLaw<double>(rows.target(state)), targets.uniform());
      if (pair.end_token() == next) break;
      state = rows.next(state, next);
    }
  }
  return tokens;
}

/// Gives scores of exactly 1 and 0: exp(-1000) is 0 in doubles.
constexpr double kCertain = 1000;

/// Fills in mean and scale; the scale of a feature that varies only by rounding is 0.
void standardise(std::span<const Labelled> tokens, LogisticRates& rates) {
  const double n = static_cast<double>(tokens.size());
  for (std::size_t j = 0; j < kDraftFeatures; ++j) {
    Sum<double> sum;
    for (const Labelled& token : tokens) sum += token.features[j];
    const double mean = sum.value() / n;
    Sum<double> squares;
    for (const Labelled& token : tokens) {
      squares += (token.features[j] - mean) * (token.features[j] - mean);
    }
    const double deviation = std::sqrt(squares.value() / n);
    rates.mean[j] = mean;
    rates.scale[j] = deviation > 1e-9 * (1 + std::abs(mean)) ? 1 / deviation : 0.0;
  }
}

/// Fills in weights and intercept. Both labels occur.
void solve(std::span<const Labelled> tokens, LogisticRates& rates) {
  constexpr std::size_t kNodes = kDraftFeatures + 2;  // features, intercept, end mark
  std::vector<feature_node> nodes(tokens.size() * kNodes);
  std::vector<feature_node*> rows;
  std::vector<double> classes;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    feature_node* row = &nodes[i * kNodes];
    for (std::size_t j = 0; j < kDraftFeatures; ++j) {
      row[j] = {static_cast<int>(j) + 1, (tokens[i].features[j] - rates.mean[j]) * rates.scale[j]};
    }
    row[kDraftFeatures] = {static_cast<int>(kDraftFeatures) + 1, 1.0};
    row[kDraftFeatures + 1] = {-1, 0.0};
    rows.push_back(row);
    classes.push_back(tokens[i].acceptable ? 1 : 0);
  }
  problem task{};
  task.l = static_cast<int>(tokens.size());
  task.n = static_cast<int>(kDraftFeatures) + 1;
  task.y = classes.data();
  task.x = rows.data();
  task.bias = 1;
  parameter how{};
  how.solver_type = L2R_LR;
  how.C = 1;
  how.eps = 1e-6;
  // liblinear prints a line a step, where it can be interrupted.
  set_print_string_function([](const char*) { check_interrupted(); });
  model* fitted = ::train(&task, &how);
  // liblinear's weights are those of the label that occurred first.
  const double sign = fitted->label[0] == 1 ? 1.0 : -1.0;
  const auto rounded = [&](std::size_t j) {
    constexpr double kGrid = 0x1p20;
    return std::round(sign * fitted->w[j] * kGrid) / kGrid;
  };
  for (std::size_t j = 0; j < kDraftFeatures; ++j) rates.weights[j] = rounded(j);
  rates.intercept = rounded(kDraftFeatures);
  free_and_destroy_model(&fitted);
}

LogisticRates fit(std::span<const Labelled> tokens) {
  LogisticRates rates;
  const bool first = tokens.front().acceptable;
  const bool both = std::any_of(tokens.begin(), tokens.end(),
                                [&](const Labelled& token) { return token.acceptable != first; });
  if (!both) {
    rates.intercept = first ? kCertain : -kCertain;
    return rates;
  }
  standardise(tokens, rates);
  solve(tokens, rates);
  return rates;
}

}  // namespace

const std::vector<std::string>& prefixes_names() {
  static const std::vector<std::string> names{"draft", "equal"};
  return names;
}

Training read_training(SpecReader& spec) {
  Training training;
  training.lambda = spec.number("lambda");
  if (training.lambda < 0) {
    spec.refuse("lambda=" + to_text(training.lambda) + " is negative; give 0 or more");
  }
  training.tau = spec.number_between("tau", Rational(0), Rational(1), training.tau);
  if (const auto given = spec.optional_integer("samples", 2, kMostTrainingSamples)) {
    training.samples = static_cast<int>(*given);
  }
  if (const auto given = spec.optional_integer("length", 1, kLongestRollout)) {
    training.length = static_cast<int>(*given);
  }
  if (const auto given = spec.optional_integer("seed", 0, kLargestTrainingSeed)) {
    training.seed = static_cast<std::uint64_t>(*given);
  }
  if (spec.has("prefixes")) {
    training.prefixes = spec.choice<Prefixes>("prefixes", prefixes_names());
  }
  return training;
}

double training_bytes(const Training& training) {
  // A growing vector takes up to three times its contents while it reallocates.
  constexpr std::size_t kEach = 3 * sizeof(Labelled) + (kDraftFeatures + 2) * sizeof(feature_node) +
                                2 * sizeof(double) + 3 * sizeof(HeldOut);
  return static_cast<double>(training.samples) * static_cast<double>(kEach);
}

void check_training_memory(const Training& training, double most) {
  const double bytes = training_bytes(training);
  if (bytes <= most) return;
  throw LimitError(
      fmt::format("{} samples may take {}, over the limit of {}; train on fewer samples",
                  training.samples, size_text(bytes), size_text(most)));
}

Trained train(const PairPointer& pair, const Training& training) {
  check_training_memory(training, most_memory());
  const Rows<double> rows(pair);
  Trained trained;
  trained.rates = fit(roll_out(rows, training, kTrainingPart));
  trained.rates.threshold = to_double(training.tau);
  for (const Labelled& token : roll_out(rows, training, kHeldOutPart)) {
    trained.held_out.push_back(
        {trained.rates.score(token.features), token.excess, token.acceptable});
  }
  return trained;
}

MeasuredRates measured_rates(std::span<const HeldOut> samples, double tau) {
  std::array<double, 2> all{};
  std::array<double, 2> passed{};
  Sum<double> excess;
  Sum<double> passed_excess;
  double above = 0, passed_above = 0;  // d > t
  for (const auto& sample : samples) {
    const std::size_t label = sample.acceptable ? 1 : 0;
    const bool passes = sample.score >= tau;
    ++all[label];
    excess += sample.excess;
    if (sample.excess > 0) ++above;
    if (!passes) continue;
    ++passed[label];
    if (sample.excess > 0) ++passed_above;
    passed_excess += sample.excess;
  }
  MeasuredRates rates;
  if (all[0] > 0) rates.false_positive = passed[0] / all[0];
  if (all[1] > 0) rates.true_positive = passed[1] / all[1];
  if (above > 0) rates.unacceptable = passed_above / above;
  if (excess.value() > 0) rates.excess_weighted = passed_excess.value() / excess.value();
  return rates;
}

std::vector<RocPoint> roc_curve(std::span<const HeldOut> samples) {
  std::vector<HeldOut> sorted(samples.begin(), samples.end());
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

std::vector<TrainingValue> training_values(const TrainingReport& report) {
  std::vector<TrainingValue> values;
  for (const auto& [index, point] : report.roc) {
    values.push_back({QuantityId::roc_false_positive, index, point.false_positive});
    values.push_back({QuantityId::roc_true_positive, index, point.true_positive});
  }
  const auto add = [&](QuantityId quantity, const std::optional<double>& value) {
    if (value) values.push_back({quantity, std::nullopt, *value});
  };
  add(QuantityId::roc_area, report.area);
  add(QuantityId::false_positive_rate, report.rates.false_positive);
  add(QuantityId::theorem_tv, report.tv_by_class);
  add(QuantityId::true_positive_rate, report.rates.true_positive);
  add(QuantityId::excess_weighted_rate, report.rates.excess_weighted);
  add(QuantityId::theorem_tv_by_token, report.tv_by_token);
  return values;
}

TrainingReport report_training(const PairPointer& pair, const Training& training,
                               const Trained& trained) {
  TrainingReport report;
  const std::vector<RocPoint> curve = roc_curve(trained.held_out);
  constexpr std::size_t kMostPoints = 200;
  const std::size_t step = curve.size() / kMostPoints + 1;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (i % step == 0 || i + 1 == curve.size()) report.roc.push_back({i, curve[i]});
  }
  report.area = area_under(curve);
  report.rates = measured_rates(trained.held_out, to_double(training.tau));
  if (!pair->memoryless()) return report;
  const Rows<double> rows(pair);
  const auto draft = rows.draft(0);
  const auto target = rows.target(0);
  Sum<double> sum;
  for (std::size_t x = 0; x < draft.size(); ++x) sum += positive_part<double>(draft[x] - target[x]);
  const double tv = std::min(1.0, sum.value());
  if (report.rates.unacceptable) report.tv_by_class = *report.rates.unacceptable * tv;
  if (report.rates.excess_weighted) report.tv_by_token = *report.rates.excess_weighted * tv;
  return report;
}

std::string rates_file_text(const PairPointer& pair, const Training& training,
                            const Trained& trained, const TrainingReport& report) {
  auto curve = Json::array();
  for (const auto& [index, point] : report.roc) {
    curve.push_back({std::isfinite(point.threshold) ? Json(point.threshold) : Json(),
                     point.false_positive, point.true_positive});
  }
  return pass_rates_text(
      trained.rates, {{"pair", pair->name()},
                      {"lambda", to_text(training.lambda)},
                      {"samples", training.samples},
                      {"length", training.length},
                      {"seed", training.seed},
                      {"prefixes", prefixes_names()[static_cast<std::size_t>(training.prefixes)]},
                      {"false_positive", report.rates.false_positive},
                      {"true_positive", report.rates.true_positive},
                      {"excess_weighted", report.rates.excess_weighted},
                      {"area", report.area},
                      {"roc", curve}});
}

}  // namespace speclab
