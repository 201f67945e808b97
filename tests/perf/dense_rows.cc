#include "dense_rows.h"

#include <algorithm>
#include <cmath>

namespace speclab::perf {
namespace {

/// Copies of the rows that the positions take turns with: more than the caches hold at V = 32768.
constexpr int kCopies = 64;

std::vector<double> zipf(int vocabulary, double exponent) {
  std::vector<double> law(static_cast<std::size_t>(vocabulary));
  double mass = 0;
  for (std::size_t x = 0; x < law.size(); ++x) {
    law[x] = std::pow(static_cast<double>(x + 1), -exponent);
    mass += law[x];
  }
  for (double& entry : law) entry /= mass;
  return law;
}

}  // namespace

DenseBatch::DenseBatch(int vocabulary, int gamma)
    : vocabulary_(vocabulary), gamma_(gamma), weights_(static_cast<std::size_t>(vocabulary)) {
  const auto draft = zipf(vocabulary, 1.0);
  const auto target = zipf(vocabulary, 1.1);
  for (int copy = 0; copy < kCopies; ++copy) {
    for (const double entry : draft) draft_.push_back(static_cast<float>(entry));
    for (const double entry : target) target_.push_back(static_cast<float>(entry));
  }
  double sum = 0;
  for (const double entry : draft) sums_.push_back(sum += entry);
  tokens_.resize(static_cast<std::size_t>(kSize * (gamma + 1)));
  coins_.resize(tokens_.size());
}

void DenseBatch::draw() {
  std::uniform_real_distribution<double> uniform;
  for (int& token : tokens_) {
    const auto place = std::upper_bound(sums_.begin(), sums_.end(), uniform(engine_));
    token = static_cast<int>(std::min<std::ptrdiff_t>(place - sums_.begin(), vocabulary_ - 1));
  }
  for (float& coin : coins_) coin = static_cast<float>(uniform(engine_));
}

const float* DenseBatch::draft_row(int sequence, int position) const {
  const auto row = static_cast<std::size_t>((sequence * gamma_ + position) % kCopies);
  return draft_.data() + row * static_cast<std::size_t>(vocabulary_);
}
const float* DenseBatch::target_row(int sequence, int position) const {
  const auto row = static_cast<std::size_t>((sequence * gamma_ + position) % kCopies);
  return target_.data() + row * static_cast<std::size_t>(vocabulary_);
}

float DenseBatch::residual_mass(const float* draft, const float* target, float scale) const {
  float mass = 0;
#pragma omp simd reduction(+ : mass)
  for (int x = 0; x < vocabulary_; ++x) {
    const float weight = scale * target[x] - draft[x];
    mass += weight > 0 ? weight : 0.0F;
  }
  return mass;
}

int DenseBatch::correct(const float* draft, const float* target, float scale, float uniform) {
  float mass = 0;
#pragma omp simd reduction(+ : mass)
  for (int x = 0; x < vocabulary_; ++x) {
    const float weight = scale * target[x] - draft[x];
    weights_[static_cast<std::size_t>(x)] = weight > 0 ? weight : 0.0F;
    mass += weight > 0 ? weight : 0.0F;
  }
  float left = uniform * mass;
  for (int x = 0; x < vocabulary_; ++x) {
    left -= weights_[static_cast<std::size_t>(x)];
    if (left < 0) return x;
  }
  return vocabulary_ - 1;
}

void DenseBatch::verify_tokens() {
  for (int s = 0; s < kSize; ++s) {
    int i = 0;
    for (; i < gamma_; ++i) {
      const auto x = static_cast<std::size_t>(tokens_[at(s, i)]);
      if (coins_[at(s, i)] * draft_row(s, i)[x] >= target_row(s, i)[x]) break;
    }
    accepted_ += i;
    const std::vector<float> nothing(i == gamma_ ? weights_.size() : 0);
    const float* draft = i == gamma_ ? nothing.data() : draft_row(s, i);
    accepted_ += correct(draft, target_row(s, i), 1, coins_[at(s, gamma_)]) >= 0;
  }
}

void DenseBatch::verify_blocks() {
  for (int s = 0; s < kSize; ++s) {
    float weight = 1;
    int longest = 0;
    float chosen = 1;
    for (int i = 0; i < gamma_; ++i) {
      const auto x = static_cast<std::size_t>(tokens_[at(s, i)]);
      weight = std::min(1.0F, weight * target_row(s, i)[x] / draft_row(s, i)[x]);
      float coin = weight;
      if (i + 1 < gamma_) {
        const float mass = residual_mass(draft_row(s, i + 1), target_row(s, i + 1), weight);
        coin = mass > 0 ? mass / (mass + 1 - weight) : 0;
      }
      if (coins_[at(s, i)] < coin) {
        longest = i + 1;
        chosen = weight;
      }
    }
    accepted_ += longest;
    const std::vector<float> nothing(longest == gamma_ ? weights_.size() : 0);
    const float* draft = longest == gamma_ ? nothing.data() : draft_row(s, longest);
    accepted_ += correct(draft, target_row(s, longest), longest == gamma_ ? 1 : chosen,
                         coins_[at(s, gamma_)]) >= 0;
  }
}

}  // namespace speclab::perf
