#include "model/filter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/integer.h"
#include "base/sum.h"
#include "base/text.h"
#include "base/types.h"
#include "model/families/families.h"
#include "model/normalise.h"

namespace speclab {
namespace {

/// The largest temperature accepted.
constexpr int kMaxTemperature = 1000;

/// Above the relative error of a compensated sum of doubles times a double: comparisons closer than
/// this are decided in fractions.
constexpr double kSlack = 0x1p-48;

template <class Real>
const Real& probability(std::span<Real> law, Token x) {
  return law[static_cast<std::size_t>(x)];
}

template <class Real>
void keep_likeliest(std::span<Real> law) {
  const auto likeliest = std::max_element(law.begin(), law.end()) - law.begin();
  std::fill(law.begin(), law.end(), Real(0));
  law[static_cast<std::size_t>(likeliest)] = Real(1);
}

void temper(const Rational& temperature, std::span<double> law) {
  apply_temperature(to_double(temperature), law);
}

void temper(const Rational& temperature, std::span<Rational> law) {
  if (temperature == 0) keep_likeliest(law);
}

/// Tests whether a probability is at least a given share of another.
class AtLeast {
 public:
  AtLeast(const Rational& share, const Rational& of) : bound_(share * of) {}
  AtLeast(const Rational& share, double of) : bound_(share * exact(of)), near_(to_double(bound_)) {}

  bool operator()(const Rational& value) const { return value >= bound_; }
  /// No double lies between the bound and its nearest double.
  bool operator()(double value) const {
    return value != near_ ? value > near_ : exact(value) >= bound_;
  }

 private:
  Rational bound_;
  double near_ = 0;
};

/// The number of leading weights whose sum reaches this share of the total; at least one.
std::size_t count_reaching(const Rational& share, const std::vector<Rational>& weights) {
  Rational missing = share * total(weights);
  std::size_t count = 0;
  do missing -= weights[count++];
  while (missing > 0);
  return count;
}

std::size_t count_reaching(const Rational& share, const std::vector<double>& weights) {
  const double goal = to_double(share) * total(weights);
  Sum<double> sum;
  std::size_t count = 0;
  do sum += weights[count++];
  while (count < weights.size() && sum.value() < goal * (1 - kSlack));
  if (sum.value() > goal * (1 + kSlack)) return count;
  std::vector<Rational> fractions;
  fractions.reserve(weights.size());
  for (const double weight : weights) fractions.push_back(exact(weight));
  return count_reaching(share, fractions);
}

/// Restricts `kept`, in any order, to the tokens that a filter keeps.
template <class Real>
void keep_tokens(const SamplingFilter& filter, std::span<Real> law, std::vector<Token>& kept) {
  const auto likelier = [&](Token x, Token y) {
    const Real& a = probability(law, x);
    const Real& b = probability(law, y);
    return a != b ? a > b : x < y;
  };
  if (filter.min_p > 0) {
    const AtLeast enough(filter.min_p, *std::max_element(law.begin(), law.end()));
    std::erase_if(kept, [&](Token x) { return !enough(probability(law, x)); });
  }
  if (filter.top_k < kept.size()) {
    const auto last = kept.begin() + static_cast<std::ptrdiff_t>(filter.top_k) - 1;
    std::nth_element(kept.begin(), last, kept.end(), likelier);
    const Real cut = probability(law, *last);
    std::erase_if(kept, [&](Token x) { return probability(law, x) < cut; });
  }
  if (filter.top_p < 1) {
    std::sort(kept.begin(), kept.end(), likelier);
    std::vector<Real> weights;
    weights.reserve(kept.size());
    for (const Token x : kept) weights.push_back(probability(law, x));
    kept.resize(count_reaching(filter.top_p, weights));
  }
}

/// Restricts a law to a vocabulary.
template <class Real>
void restrict_law(const std::vector<Token>& vocabulary, std::span<Real> law) {
  if (vocabulary.empty()) return;
  std::vector<Real> kept(law.size(), Real(0));
  Sum<Real> total;
  for (const Token x : vocabulary) total += probability(law, x);
  const bool none = !(total.value() > 0);
  for (const Token x : vocabulary) {
    kept[static_cast<std::size_t>(x)] = none ? Real(1) : probability(law, x);
  }
  std::move(kept.begin(), kept.end(), law.begin());
  normalise(law);
}

template <class Real>
void filter_law(const SamplingFilter& filter, std::span<Real> law) {
  restrict_law(filter.vocabulary, law);
  temper(filter.temperature, law);
  std::vector<Token> kept;
  for (std::size_t x = 0; x < law.size(); ++x) {
    if (law[x] > 0) kept.push_back(static_cast<Token>(x));
  }
  const std::size_t all = kept.size();
  keep_tokens(filter, law, kept);
  if (kept.size() < all) {
    std::vector<Real> left(law.size(), Real(0));
    for (const Token x : kept) left[static_cast<std::size_t>(x)] = probability(law, x);
    std::move(left.begin(), left.end(), law.begin());
  }
  if (kept.size() < all || filter.temperature != 1) normalise(law);
}

struct FilterKind {
  FilterRow row;
  void (*read)(SpecReader& spec, std::string_view key, SamplingFilter& filter);
  void (*copy)(const SamplingFilter& from, SamplingFilter& to);
};

template <auto kMember>
void copy_member(const SamplingFilter& from, SamplingFilter& to) {
  to.*kMember = from.*kMember;
}

std::vector<Token> read_vocabulary(SpecReader& spec, std::string_view key) {
  std::vector<Token> tokens;
  for (const Rational& entry : spec.numbers(key)) {
    if (denominator(entry) != 1 || entry < 0 || entry >= kMaxVocabulary) {
      spec.refuse(std::string(key) + ": " + abbreviate(to_text(entry)) +
                  " is not a token; give whole numbers from 0");
    }
    tokens.push_back(static_cast<Token>(numerator(entry).signed_value()));
  }
  std::sort(tokens.begin(), tokens.end());
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  return tokens;
}

constexpr std::array<FilterKind, 5> kFilters{
    {{{"vocabulary",
       "keeps the listed tokens, as of a draft whose vocabulary is a part of the target's; uniform "
       "on them where the law has none",
       "always", "Timor et al. 2025 (token-level intersection)",
       "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10],draft-vocabulary=[0,1])", false},
      [](SpecReader& spec, std::string_view key, SamplingFilter& filter) {
        filter.vocabulary = read_vocabulary(spec, key);
      },
      &copy_member<&SamplingFilter::vocabulary>},
     {{"temperature",
       "the law proportional to P^(1/T); 0 is greedy: the likeliest token, ties to the lowest "
       "token",
       "at 0 and 1", "Ackley, Hinton and Sejnowski 1985",
       "iid(draft=[1/4,3/4],target=[1/2,1/2],draft-temperature=0)"},
      [](SpecReader& spec, std::string_view key, SamplingFilter& filter) {
        filter.temperature = spec.number_between(key, 0, kMaxTemperature);
      },
      &copy_member<&SamplingFilter::temperature>},
     {{"min-p", "keeps the tokens with at least this share of the largest probability", "always",
       "Nguyen et al. 2024", "zipf(vocabulary=1024,draft=1,target=1.1,min-p=1/20)"},
      [](SpecReader& spec, std::string_view key, SamplingFilter& filter) {
        filter.min_p = spec.number_between(key, 0, 1);
      },
      &copy_member<&SamplingFilter::min_p>},
     {{"top-k", "keeps the tokens at least as likely as the k-th likeliest, with all ties",
       "always", "Fan, Lewis and Dauphin 2018", "tree(vocabulary=5,depth=3,top-k=2)"},
      [](SpecReader& spec, std::string_view key, SamplingFilter& filter) {
        filter.top_k = static_cast<std::size_t>(spec.integer(key, 1, kMaxVocabulary));
      },
      &copy_member<&SamplingFilter::top_k>},
     {{"top-p", "keeps the fewest likeliest tokens whose sum reaches p, ties to the lower token",
       "always", "Holtzman et al. 2020",
       "zipf(vocabulary=1024,draft=1,target=1.1,target-top-p=9/10)"},
      [](SpecReader& spec, std::string_view key, SamplingFilter& filter) {
        filter.top_p = spec.number_between(key, 0, 1);
      },
      &copy_member<&SamplingFilter::top_p>}}};

/// The one that a family may apply itself.
constexpr const FilterKind& kTemperature = kFilters[1];

constexpr std::array<FilterRow, kFilters.size()> kFilterRows = [] {
  std::array<FilterRow, kFilters.size()> rows;
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = kFilters[i].row;
  return rows;
}();

/// Adds a parameter that is not given to the list of those that the spec takes.
void mention(SpecReader& spec, std::string_view key) { spec.optional_integer(key, 0, 0); }

void read_for_one(SpecReader& spec, const FilterKind& kind, std::string_view model,
                  SamplingFilter& filter) {
  const std::string key = std::string(model) + "-" + std::string(kind.row.name);
  if (!spec.has(key)) return mention(spec, key);
  kind.read(spec, key, filter);
}

void read_for_each(SpecReader& spec, const FilterKind& kind, PairFilters& filters) {
  read_for_one(spec, kind, "draft", filters.draft);
  read_for_one(spec, kind, "target", filters.target);
}

void read_for_both(SpecReader& spec, const FilterKind& kind, PairFilters& filters) {
  if (!kind.row.for_both) return;
  if (!spec.has(kind.row.name)) return mention(spec, kind.row.name);
  SamplingFilter& read = filters.draft;
  kind.read(spec, kind.row.name, read);
  kind.copy(read, filters.target);
}

}  // namespace

bool SamplingFilter::idle() const {
  return vocabulary.empty() && temperature == 1 && min_p == 0 && top_k == SamplingFilter{}.top_k &&
         top_p == 1;
}

void apply_filter(const SamplingFilter& filter, std::span<double> law) { filter_law(filter, law); }

void apply_filter(const SamplingFilter& filter, std::span<Rational> law) {
  filter_law(filter, law);
}

void apply_temperature(double temperature, std::span<double> law) {
  if (temperature == 1) return;
  if (temperature == 0) return keep_likeliest(law);
  const double largest = *std::max_element(law.begin(), law.end());
  for (double& entry : law) {
    entry = entry == largest ? 1 : std::exp(std::log(entry / largest) / temperature);
  }
}

std::span<const FilterRow> filter_rows() { return kFilterRows; }

PairFilters read_temperatures(SpecReader& spec) {
  PairFilters filters;
  if (spec.has(kTemperature.row.name)) {
    read_for_both(spec, kTemperature, filters);
  } else {
    spec.number(kTemperature.row.name, Rational(1));
  }
  read_for_each(spec, kTemperature, filters);
  return filters;
}

PairFilters read_filters(SpecReader& spec, bool tempered) {
  PairFilters filters;
  for (const FilterKind& kind : kFilters) {
    if (tempered && &kind == &kTemperature) continue;
    read_for_both(spec, kind, filters);
    read_for_each(spec, kind, filters);
  }
  return filters;
}

}  // namespace speclab
