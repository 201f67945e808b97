#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "base/json.h"
#include "model/draft_features.h"
#include "model/rows.h"

namespace speclab {

// The rates of a low-complexity verifier (zhong2025 section 3.2): P(the token passes | the
// draft row at the state, the drafted token). A rates file is one JSON object,
//
//   {"schema": 2, "kind": "logistic",
//    "features": ["log-probability", "log-rank", "entropy", "largest", "margin"],
//    "standardisation": {"mean": [5], "scale": [5]},      scale = 1 / standard deviation, or 0
//    "weights": [5], "intercept": a, "threshold": tau,
//    "training": {...}}                                   for information (train/classifier.h)
// or
//   {"schema": 2, "kind": "table", "rates": [[V], ...]}   a row for each state, in their order;
//                                                         entries are numbers or "3/8"
//
// "training" may be left out; every other key must be there, and no other.

/// Logistic regression on the standardised draft features: a token passes where its score, the
/// modelled probability that it is acceptable, is at least the threshold. Each (state, token) is
/// decided once: its rate is 0 or 1.
struct LogisticRates {
  DraftFeatures mean{};
  DraftFeatures scale{};
  DraftFeatures weights{};
  double intercept = 0;
  double threshold = 0.5;

  /// 1 / (1 + exp(-z)), z = intercept + sum of weights (features - mean) scale; in [0, 1].
  [[nodiscard]] double score(const DraftFeatures& features) const;
  bool operator==(const LogisticRates&) const = default;
};

/// A rate for each state and token.
struct TableRates {
  std::vector<std::vector<Rational>> rates;
};

/// The rates of one pair by a rates file. Safe to share between threads.
class PairPassRates {
 public:
  using Content = std::variant<LogisticRates, TableRates>;

  /// @param path  of the file, for messages
  /// @throws InputError where a table does not have the pair's states and tokens
  PairPassRates(PairPointer pair, std::shared_ptr<const Content> content, const std::string& path);
  PairPassRates(const PairPassRates&) = delete;
  PairPassRates& operator=(const PairPassRates&) = delete;
  ~PairPassRates();

  /// The rate of token x drafted at a state, computed from the pair's doubles in either arithmetic.
  template <class Real>
  [[nodiscard]] Real rate(State state, Token x) const {
    const double* known = rows_[state].load(std::memory_order_acquire);
    const double value = (known != nullptr ? known : make(state))[static_cast<std::size_t>(x)];
    if constexpr (std::is_same_v<Real, Rational>) {
      if (const auto* table = std::get_if<TableRates>(content_.get())) {
        return table->rates[state][static_cast<std::size_t>(x)];
      }
    }
    return Real(value);
  }

  [[nodiscard]] const PairPointer& pair() const { return pair_; }

 private:
  const double* make(State state) const;

  PairPointer pair_;
  std::shared_ptr<const Content> content_;
  mutable std::vector<std::atomic<const double*>> rows_;  ///< V rates a state, or null
  mutable std::mutex making_;
};

/// The rates file as it was read.
class PassRates {
 public:
  /// @param path   the file's name, for messages and path()
  /// @param bytes  its content
  /// @throws InputError naming the file, the place in it and what to write
  PassRates(std::string path, const std::string& bytes);

  [[nodiscard]] const std::string& path() const { return path_; }
  /// The 64-bit FNV-1a hash of the bytes that were read.
  [[nodiscard]] std::uint64_t digest() const { return digest_; }
  [[nodiscard]] const PairPassRates::Content& content() const { return *content_; }

  /// The rates for a pair; those of the last pair are kept.
  /// @throws InputError where the file does not fit the pair
  [[nodiscard]] std::shared_ptr<const PairPassRates> of(const PairPointer& pair) const;

 private:
  std::string path_;
  std::uint64_t digest_;
  std::shared_ptr<const PairPassRates::Content> content_;
  mutable std::mutex guard_;
  mutable std::shared_ptr<const PairPassRates> last_;
};

/// Reads a rates file. While an instance is alive, the same path returns the same object, so that a
/// verifier and its closed forms use the same bytes.
/// @throws InputError
std::shared_ptr<const PassRates> read_pass_rates(const std::string& path);

/// The text of a rates file; every number reads back to the same double.
/// @param training  an object for information, or null
std::string pass_rates_text(const LogisticRates& rates, const Json& training);

}  // namespace speclab
