#pragma once

#include <functional>
#include <random>
#include <type_traits>

#include "exact/enumerator.h"
#include "exact/exact.h"

namespace speclab {

/// The view a program needs: with the carry where it makes one.
template <class Program, class Real>
using ViewOf = std::conditional_t<Program::kCarries, CarriedView<Real>, PairView<Real>>;

/// One verifier program behind an interface, so that all that is computed from its sequences of
/// decisions is compiled once for every verifier.
template <class View>
class Runner {
 public:
  using Real = typename View::Real;
  using Node = typename View::Node;
  using Visit = std::function<void(const Iteration<View>&, const Real&)>;

  virtual ~Runner() = default;

  /// Calls visit(iteration, weight) for every sequence of decisions from `root`.
  virtual void enumerate(const View& view, const Node& root, Window window, bool corrections,
                         const Visit& visit) const = 0;

  /// An estimate of the number of those sequences, the same at every call.
  virtual double branches(const View& view, const Node& root, Window window,
                          bool corrections) const = 0;

  [[nodiscard]] virtual Drafting drafting() const = 0;
};

template <class Program, class View>
class ProgramRunner final : public Runner<View> {
 public:
  using typename Runner<View>::Real;
  using typename Runner<View>::Node;
  using typename Runner<View>::Visit;

  explicit ProgramRunner(const Program& program) : program_(program) {}

  void enumerate(const View& view, const Node& root, Window window, bool corrections,
                 const Visit& visit) const override {
    Enumerator<Real> choices(corrections);
    Iteration<View> out;
    do {
      choices.restart();
      out.begin(root);
      program_(view, root, window, choices, out);
      visit(out, choices.weight());
    } while (choices.advance());
  }

  double branches(const View& view, const Node& root, Window window,
                  bool corrections) const override {
    // Even coins vary least; bold ones find the long sequences that even ones miss altogether.
    constexpr double kMissed = 8;
    const double even = probe(view, root, window, corrections, 0.5);
    const double bold = probe(view, root, window, corrections, 0.9);
    return bold > kMissed * even ? bold : even;
  }

  [[nodiscard]] Drafting drafting() const override { return drafting_of<Program>(); }

 private:
  double probe(const View& view, const Node& root, Window window, bool corrections,
               double accept_share) const {
    constexpr int kProbes = 32;
    std::mt19937_64 engine(20240229);
    Iteration<View> out;
    double total = 0;
    for (int i = 0; i < kProbes; ++i) {
      BranchCounter<Real, std::mt19937_64> choices(engine, corrections, accept_share);
      out.begin(root);
      program_(view, root, window, choices, out);
      total += choices.branches();
    }
    return total / kProbes;
  }

  const Program& program_;
};

/// Everything a request asks of the verifier behind `runner`.
template <class View>
ExactResult<typename View::Real> run_with(const Runner<View>& runner,
                                          const Rows<typename View::Real>& rows,
                                          const ExactRequest& request);

}  // namespace speclab
