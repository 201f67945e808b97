#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <vector>

namespace speclab {

/// Discrete Fourier transforms of one length N, a power of two, by radix 2. The coefficients are in
/// bit-reversed order, which a product of two transforms does not notice.
///
/// Each transform has an error of at most kError log2(N) relatively in the Euclidean norm (Higham
/// 2002, "Accuracy and Stability of Numerical Algorithms", Theorem 24.2: u (4 sqrt(2) + mu), with
/// u = 2^-53 and roots of unity within mu = 6 u).
class Fourier {
 public:
  using Complex = std::complex<double>;
  static constexpr double kError = 1.5e-15;

  explicit Fourier(std::size_t size) : size_(size), roots_(size) {
    for (std::size_t half = 1; half < size; half *= 2) {
      for (std::size_t j = 0; j < half; ++j) {
        const double angle =
            -std::numbers::pi * (static_cast<double>(j) / static_cast<double>(half));
        roots_[half + j] = {std::cos(angle), std::sin(angle)};
      }
    }
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  void transform(std::vector<Complex>& values) const { forward(values.data(), size_); }

  /// `values`, times `kernel`, both transformed, back in the order of the values.
  void convolve(std::vector<Complex>& values, const std::vector<Complex>& kernel) const {
    const double scale = 1 / static_cast<double>(size_);
    for (std::size_t j = 0; j < size_; ++j) values[j] = scale * product(values[j], kernel[j]);
    backward(values.data(), size_);
  }

 private:
  /// Without the library's care for infinities.
  static Complex product(const Complex& a, const Complex& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

  void forward(Complex* values, std::size_t size) const {
    if (size == 1) return;
    const std::size_t half = size / 2;
    for (std::size_t j = 0; j < half; ++j) {
      const Complex a = values[j], b = values[j + half];
      values[j] = a + b;
      values[j + half] = product(a - b, roots_[half + j]);
    }
    forward(values, half);
    forward(values + half, half);
  }

  void backward(Complex* values, std::size_t size) const {
    if (size == 1) return;
    const std::size_t half = size / 2;
    backward(values, half);
    backward(values + half, half);
    for (std::size_t j = 0; j < half; ++j) {
      const Complex a = values[j], b = product(values[j + half], std::conj(roots_[half + j]));
      values[j] = a + b;
      values[j + half] = a - b;
    }
  }

  std::size_t size_;
  std::vector<Complex> roots_;  ///< those of a part of 2 h values from number h on
};

}  // namespace speclab
