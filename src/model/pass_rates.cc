#include "model/pass_rates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/random.h"
#include "base/text.h"
#include "model/families/json_law.h"
#include "system/read_file.h"

namespace speclab {
namespace {

constexpr int kSchema = 2;
/// Above any number of a trained verifier, and small enough that no score overflows.
constexpr double kLargest = 1e100;

/// One object of the file; `place` is its position for messages.
class Object {
 public:
  Object(const Json& node, std::string place, std::vector<std::string> keys,
         const std::vector<std::string>& optional = {})
      : node_(node), place_(std::move(place)) {
    if (!node_.is_object()) {
      throw InputError(place_ + " is not a JSON object; write {\"" + keys.front() + "\": ...}");
    }
    for (const std::string& key : keys) {
      if (!node_.contains(key)) throw InputError(place_ + " lacks the key \"" + key + "\"; add it");
    }
    keys.insert(keys.end(), optional.begin(), optional.end());
    refuse_unknown_keys(node_, keys, place_);
  }

  [[nodiscard]] const Json& at(const std::string& key) const { return node_.at(key); }
  [[nodiscard]] bool has(const std::string& key) const { return node_.contains(key); }
  [[nodiscard]] std::string place(const std::string& key) const { return place_ + ": " + key; }

  [[nodiscard]] double number(const std::string& key, double low, double high) const {
    return checked(at(key), place(key), low, high);
  }

  /// One number a feature.
  [[nodiscard]] DraftFeatures features(const std::string& key, double low) const {
    const Json& list = at(key);
    if (!list.is_array() || list.size() != kDraftFeatures) {
      throw InputError(place(key) + " is not a list of " + std::to_string(kDraftFeatures) +
                       " numbers; give one a feature");
    }
    DraftFeatures values{};
    for (std::size_t i = 0; i < kDraftFeatures; ++i) {
      values[i] = checked(list[i], place(key) + ", " + kDraftFeatureNames[i], low, kLargest);
    }
    return values;
  }

 private:
  static double checked(const Json& entry, const std::string& where, double low, double high) {
    if (!entry.is_number()) {
      throw InputError(where + " is " + abbreviate(entry.dump()) + "; give a number");
    }
    const double value = entry.get<double>();
    if (!(value >= low && value <= high)) {
      throw InputError(where + " is " + abbreviate(entry.dump()) + "; give a number from " +
                       Json(low).dump() + " to " + Json(high).dump());
    }
    return value;
  }

  const Json& node_;
  std::string place_;
};

void check_features(const Object& root) {
  static const Json known(kDraftFeatureNames);
  if (root.at("features") == known) return;
  throw InputError(root.place("features") + " is " + abbreviate(root.at("features").dump()) +
                   "; give " + known.dump());
}

/// Checks the types of the entries that are for information only.
void check_training(const Json& node, const std::string& place) {
  const std::vector<std::string> numbers{"samples", "length", "seed"};
  const std::vector<std::string> rates{"false_positive", "true_positive", "excess_weighted",
                                       "area"};
  std::vector<std::string> keys{"pair", "lambda", "roc"};
  keys.insert(keys.end(), numbers.begin(), numbers.end());
  keys.insert(keys.end(), rates.begin(), rates.end());
  const Object training(node, place, keys, {"prefixes"});
  for (const char* key : {"pair", "lambda", "prefixes"}) {
    if (training.has(key) && !training.at(key).is_string()) {
      throw InputError(training.place(key) + " is not a text; put it in quotes");
    }
  }
  for (const std::string& key : numbers) {
    if (!training.at(key).is_number_unsigned()) {
      throw InputError(training.place(key) + " is not a whole number; give one, 0 or more");
    }
  }
  for (const std::string& key : rates) {
    if (!training.at(key).is_null()) static_cast<void>(training.number(key, 0, 1));
  }
  const Json& curve = training.at("roc");
  const bool good = curve.is_array() && std::all_of(curve.begin(), curve.end(), [](const Json& p) {
                      return p.is_array() && p.size() == 3 &&
                             (p[0].is_null() || p[0].is_number()) && p[1].is_number() &&
                             p[2].is_number();
                    });
  if (!good) {
    throw InputError(training.place("roc") +
                     " is not a list of points; give [threshold or null, false-positive rate, "
                     "true-positive rate] each");
  }
}

LogisticRates read_logistic(const Json& node, const std::string& place) {
  const Object root(
      node, place,
      {"schema", "kind", "features", "standardisation", "weights", "intercept", "threshold"},
      {"training"});
  check_features(root);
  if (root.has("training")) check_training(root.at("training"), root.place("training"));
  const Object standard(root.at("standardisation"), root.place("standardisation"),
                        {"mean", "scale"});
  return {standard.features("mean", -kLargest), standard.features("scale", 0),
          root.features("weights", -kLargest), root.number("intercept", -kLargest, kLargest),
          root.number("threshold", 0, 1)};
}

TableRates read_table(const Json& node, const std::string& place) {
  const Object root(node, place, {"schema", "kind", "rates"});
  const Json& rows = root.at("rates");
  if (!rows.is_array() || rows.empty()) {
    throw InputError(root.place("rates") + " is not a list of rows; give one a state");
  }
  TableRates table;
  for (const Json& row : rows) {
    const std::string where = root.place("rates") + ", state " + std::to_string(table.rates.size());
    if (!row.is_array() || row.empty() || row.size() != rows.front().size()) {
      throw InputError(where + " is not a list as long as the first; give a rate for each token");
    }
    std::vector<Rational>& rates = table.rates.emplace_back();
    for (const Json& entry : row) {
      const std::string at = where + ", token " + std::to_string(rates.size());
      rates.push_back(read_json_number(entry, at));
      if (rates.back() < 0 || rates.back() > 1) {
        throw InputError(at + " is " + abbreviate(entry.dump()) + "; give a rate from 0 to 1");
      }
    }
  }
  return table;
}

PairPassRates::Content read_content(const std::string& path, const std::string& bytes) {
  const std::string place = quoted_path(path);
  check_utf8(bytes, place);
  const Json root = parse_json(bytes, place);
  static const std::vector<std::string> kinds{"logistic", "table"};
  const std::string example = "; a rates file begins {\"schema\": " + std::to_string(kSchema) +
                              ", \"kind\": \"logistic\"; `speclab train` writes one";
  if (!root.is_object()) throw InputError(place + " is not a JSON object" + example);
  if (!root.contains("schema") || root["schema"] != kSchema) {
    throw InputError(place + ": schema is " +
                     (root.contains("schema") ? abbreviate(root["schema"].dump()) : "missing") +
                     example);
  }
  const std::string kind = root.contains("kind") && root["kind"].is_string()
                               ? root["kind"].get<std::string>()
                               : std::string();
  if (kind == kinds[0]) return read_logistic(root, place);
  if (kind == kinds[1]) return read_table(root, place);
  throw InputError(place + ": kind is " +
                   (root.contains("kind") ? abbreviate(root["kind"].dump()) : "missing") +
                   "; the kinds are " + join(kinds) + suggestion(kind, kinds));
}

}  // namespace

double LogisticRates::score(const DraftFeatures& features) const {
  double z = intercept;
  for (std::size_t j = 0; j < kDraftFeatures; ++j) {
    z += weights[j] * ((features[j] - mean[j]) * scale[j]);
  }
  return z >= 0 ? 1 / (1 + std::exp(-z)) : std::exp(z) / (1 + std::exp(z));
}

PairPassRates::PairPassRates(PairPointer pair, std::shared_ptr<const Content> content,
                             const std::string& path)
    : pair_(std::move(pair)), content_(std::move(content)), rows_(pair_->states()) {
  const auto* table = std::get_if<TableRates>(content_.get());
  if (table == nullptr) return;
  const std::size_t tokens = table->rates.front().size();
  if (table->rates.size() == pair_->states() &&
      tokens == static_cast<std::size_t>(pair_->vocabulary())) {
    return;
  }
  throw InputError(quoted_path(path) + ": rates has " + std::to_string(table->rates.size()) +
                   " states of " + std::to_string(tokens) + " tokens, but " +
                   abbreviate(pair_->name()) + " has " + std::to_string(pair_->states()) + " of " +
                   std::to_string(pair_->vocabulary()) + "; give the file of this pair");
}

PairPassRates::~PairPassRates() {
  for (auto& row : rows_) delete[] row.load(std::memory_order_relaxed);
}

const double* PairPassRates::make(State state) const {
  const std::lock_guard lock(making_);
  if (const double* known = rows_[state].load(std::memory_order_acquire)) return known;
  const auto tokens = static_cast<std::size_t>(pair_->vocabulary());
  auto rates = std::make_unique<double[]>(tokens);
  if (const auto* logistic = std::get_if<LogisticRates>(content_.get())) {
    std::vector<double> laws(2 * tokens);
    const std::span<double> both(laws);
    pair_->rows(state, both.first(tokens), both.last(tokens));
    const auto features = all_draft_features(both.first(tokens));
    for (std::size_t x = 0; x < tokens; ++x) {
      rates[x] = logistic->score(features[x]) >= logistic->threshold ? 1 : 0;
    }
  } else {
    const auto& row = std::get<TableRates>(*content_).rates[state];
    std::transform(row.begin(), row.end(), rates.get(),
                   [](const Rational& r) { return to_double(r); });
  }
  const double* made = rates.release();
  rows_[state].store(made, std::memory_order_release);
  return made;
}

PassRates::PassRates(std::string path, const std::string& bytes)
    : path_(std::move(path)),
      digest_(task_hash(bytes)),
      content_(std::make_shared<const PairPassRates::Content>(read_content(path_, bytes))) {}

std::shared_ptr<const PairPassRates> PassRates::of(const PairPointer& pair) const {
  const std::lock_guard lock(guard_);
  if (!last_ || last_->pair() != pair) {
    last_ = std::make_shared<const PairPassRates>(pair, content_, path_);
  }
  return last_;
}

std::shared_ptr<const PassRates> read_pass_rates(const std::string& path) {
  static std::mutex guard;
  static std::map<std::string, std::weak_ptr<const PassRates>> held;
  const std::lock_guard lock(guard);
  std::weak_ptr<const PassRates>& known = held[path];
  auto rates = known.lock();
  if (!rates) known = rates = std::make_shared<const PassRates>(path, read_file(path));
  return rates;
}

std::string pass_rates_text(const LogisticRates& rates, const Json& training) {
  Json root{{"schema", kSchema},
            {"kind", "logistic"},
            {"features", kDraftFeatureNames},
            {"standardisation", {{"mean", rates.mean}, {"scale", rates.scale}}},
            {"weights", rates.weights},
            {"intercept", rates.intercept},
            {"threshold", rates.threshold}};
  if (!training.is_null()) root["training"] = training;
  return json_text(root, -1);
}

}  // namespace speclab
