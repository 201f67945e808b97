#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "run/any_program.h"
#include "run/enumerator.h"
#include "run/merging.h"
#include "run/remembering_view.h"
#include "system/interrupt.h"
#include "verifiers/program.h"

// SPECLAB_FLATTEN before a function: everything that it calls becomes part of it.

// A sanitizer's checks make a function of everything too large to compile.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SPECLAB_FLATTEN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SPECLAB_FLATTEN
#endif
#endif
#ifndef SPECLAB_FLATTEN
#define SPECLAB_FLATTEN [[gnu::flatten]]
#endif

namespace speclab {

/// What a runner knows of its program.
struct ProgramTraits {
  Drafting drafting = Drafting::window;
  bool merges = false;     ///< whether it says what its future depends on (verifiers/pauses.h)
  bool one_chain = false;  ///< whether an iteration drafts one chain from the draft's law
};

template <class Program>
ProgramTraits traits_of(const Program& program) {
  return {drafting_of<Program>(), merges<Program>(),
          draft_count(program) == 1 && drafts_iid(program)};
}

/// One verifier program behind an interface, so that all that is computed from its sequences of
/// decisions is compiled once for every verifier.
template <class View>
class Runner {
 public:
  using Real = typename View::Real;
  using Node = typename View::Node;
  using Visit = std::function<void(const Emitted<Node>&, const Real&)>;

  explicit Runner(const ProgramTraits& traits) : traits_(traits) {}
  virtual ~Runner() = default;

  [[nodiscard]] const ProgramTraits& traits() const { return traits_; }

  /// Calls visit(outcome, weight) for every sequence of decisions from `root` that begins like
  /// `first`, in order. Several threads may call it at the same time.
  /// @throws ContractError for an iteration that does not fit its window
  virtual void visit_part(const View& view, const Node& root, Window window, bool corrections,
                          const Trail<Real>& first, const Visit& visit) const = 0;

  /// The same ends as all parts together, but with equal prefixes merged (see MergedIteration): of
  /// the tokens only their number and that up to `end`, the pair's end-of-sequence token, are
  /// right. @pre the program merges
  virtual void visit_merged(const View& view, const Node& root, Window window, bool corrections,
                            std::optional<Token> end, const Visit& visit,
                            const MergedProgress& progress) const = 0;

  /// Beginnings that every sequence has exactly one of, in order: `wanted` of them or more, where
  /// there are so many sequences. The same at every call.
  virtual std::vector<Trail<Real>> parts(const View& view, const Node& root, Window window,
                                         bool corrections, std::size_t wanted) const = 0;

  /// An estimate of the number of sequences, the same at every call. Beyond `enough` it is only
  /// known to be above it: counting has ended there.
  virtual double branches(const View& view, const Node& root, Window window, bool corrections,
                          double enough) const = 0;

  /// The same of those up to the first pause: a merged iteration has no fewer. @pre the program
  /// merges
  virtual double branches_to_pause(const View& view, const Node& root, Window window,
                                   bool corrections, double enough) const = 0;

  /// The sequences of an iteration that drafts `given`, each weight conditional on it. Last draws
  /// are not branched over.
  /// @throws ContractError where the program drafts another set
  virtual void visit_given(const View& view, const Node& root, Window window, GivenDrafts& given,
                           const Visit& visit) const = 0;

 private:
  ProgramTraits traits_;
};

template <class Program, class View>
class ProgramRunner final : public Runner<View> {
 public:
  using typename Runner<View>::Real;
  using typename Runner<View>::Node;
  using typename Runner<View>::Visit;
  static constexpr bool kErased = requires { typename Program::Erased; };

  /// @param program  must outlive this where it is no AnyProgram
  explicit ProgramRunner(const Program& program) requires(!kErased)
      : Runner<View>(traits_of(program)), program_(program) {}
  ProgramRunner(const Program& program, const ProgramTraits& traits) requires(kErased)
      : Runner<View>(traits), program_(program) {}

  void visit_part(const View& view, const Node& root, Window window, bool corrections,
                  const Trail<Real>& first, const Visit& visit) const override {
    Enumerator<Real> choices(corrections, first);
    if constexpr (std::is_same_v<Real, double> && !kErased) {
      run_inlined(view, root, window, choices, visit);
    } else {
      with_run_view(view, [&](const auto& on, const auto& tidy) {
        run_all(on, root, window, choices, visit, tidy);
      });
    }
  }

  void visit_merged(const View& view, const Node& root, Window window, bool corrections,
                    std::optional<Token> end, const Visit& visit,
                    const MergedProgress& progress) const override {
    if constexpr (kErased || speclab::merges<Program>()) {
      MergedIteration<Program, View> merged(program_, root, window, corrections, end);
      with_run_view(view, [&](const auto& on, const auto& tidy) {
        const auto between = [&] {
          tidy();
          progress.counted();
        };
        merged.run(on, visit, between, progress.foreseen);
      });
    }
  }

  std::vector<Trail<Real>> parts(const View& view, const Node& root, Window window,
                                 bool corrections, std::size_t wanted) const override {
    return with_run_view(view, [&](const auto& on, const auto&) {
      return find_parts(on, root, window, corrections, wanted);
    });
  }

  double branches(const View& view, const Node& root, Window window, bool corrections,
                  double enough) const override {
    return likely_branches(
        view, root, window, [&] { return Enumerator<Real>(corrections); }, enough);
  }

  double branches_to_pause(const View& view, const Node& root, Window window, bool corrections,
                           double enough) const override {
    if constexpr (kErased || speclab::merges<Program>()) {
      const auto make = [&] {
        return PausingChoices<Real, Node>(corrections, {}, 0, longest_merged(window, corrections),
                                          true);
      };
      return likely_branches(view, root, window, make, enough);
    } else {
      throw ContractError("a verifier that does not pause is counted to its end");
    }
  }

  void visit_given(const View& view, const Node& root, Window window, GivenDrafts& given,
                   const Visit& visit) const override {
    Enumerator<Real> choices(/*corrections=*/false);
    choices.follow({.given = &given});
    with_run_view(view, [&](const auto& on, const auto& tidy) {
      run_all(on, root, window, choices, visit, tidy);
    });
  }

 private:
  template <class AnyView, class Choices>
  void run(const AnyView& view, const Node& root, Window window, Choices& choices,
           Iteration<AnyView>& out) const {
    choices.restart();
    out.begin(root);
    program_(view, root, window, choices, out);
  }

  template <class AnyView, class Between>
  void run_all(const AnyView& view, const Node& root, Window window, Enumerator<Real>& choices,
               const Visit& visit, const Between& between) const {
    Iteration<AnyView> out;
    do {
      run(view, root, window, choices, out);
      check_fits(out, window);
      visit({out.tokens, out.accepted, out.ending, out.node}, choices.weight());
      between();
    } while (choices.advance());
  }

  /// run_all with all that it calls in one function: in doubles the calls take half of the time. It
  /// takes up to four times as long to compile, so a few programs alone have a runner of their own.
  SPECLAB_FLATTEN [[gnu::noinline]] void run_inlined(const View& view, const Node& root,
                                                     Window window, Enumerator<Real>& choices,
                                                     const Visit& visit) const {
    if constexpr (!kErased) run_all(view, root, window, choices, visit, [] {});
  }

  template <class AnyView>
  std::vector<Trail<Real>> find_parts(const AnyView& view, const Node& root, Window window,
                                      bool corrections, std::size_t wanted) const {
    Iteration<AnyView> out;
    for (std::size_t length = 1;; ++length) {
      std::vector<Trail<Real>> found;
      bool longer = false;
      Enumerator<Real> choices(corrections);
      do {
        check_interrupted();
        run(view, root, window, choices, out);
        const Trail<Real>& trail = choices.trail();
        longer = longer || trail.size() > length;
        const auto end = std::min(trail.size(), length);
        found.emplace_back(trail.begin(), trail.begin() + static_cast<std::ptrdiff_t>(end));
      } while (choices.advance(length));
      if (found.size() >= wanted || !longer) return found;
    }
  }

  /// @param make  makes the choices that are led along a walk
  template <class Make>
  double likely_branches(const View& view, const Node& root, Window window, const Make& make,
                         double enough) const {
    return with_run_view(view, [&](const auto& on, const auto&) {
      // Even coins vary least; bold ones find the long sequences that even ones miss altogether.
      constexpr double kMissed = 8;
      const double even = probe(on, root, window, make, 0.5, enough);
      if (even > enough) return even;
      const double missed = kMissed * even;
      const double bold = probe(on, root, window, make, 0.9, std::max(enough, missed));
      return bold > missed ? bold : even;
    });
  }

  /// The mean of some walks, which ends where their sum exceeds `enough`.
  template <class AnyView, class Make>
  double probe(const AnyView& view, const Node& root, Window window, const Make& make,
               double accept_share, double enough) const {
    constexpr int kProbes = 32;
    std::mt19937_64 engine(20240229);
    Iteration<AnyView> out;
    double total = 0;
    for (int i = 0; i < kProbes; ++i) {
      RandomWalk walk(engine, accept_share, enough * kProbes - total);
      auto choices = make();
      choices.follow({.walk = &walk});
      try {
        run(view, root, window, choices, out);
      } catch (const RandomWalk::Enough&) {
        return (total + walk.branches()) / kProbes;
      }
      total += walk.branches();
    }
    return total / kProbes;
  }

  std::conditional_t<kErased, const Program, const Program&> program_;
};

/// The runner of programs of any type: all but the programs themselves is compiled once a view.
template <class View>
using AnyRunner = ProgramRunner<AnyProgram<RunView<View>>, View>;

}  // namespace speclab
