#pragma once

#include "verifiers/any_choices.h"
#include "verifiers/iteration.h"

namespace speclab {

/// One iteration of a program that is handed over as a pointer to its type.
template <class View>
using RunOf = void (*)(const void* program, const View& view, const typename View::Node& root,
                       Window window, AnyChoices<typename View::Real, typename View::Node>& choices,
                       Iteration<View>& out);

/// The RunOf a program's type: all of the type that interpreters compile for a view.
template <class Program, class View>
void run_erased(const void* program, const View& view, const typename View::Node& root,
                Window window, AnyChoices<typename View::Real, typename View::Node>& choices,
                Iteration<View>& out) {
  (*static_cast<const Program*>(program))(view, root, window, choices, out);
}

/// A program of any type: a program like another, which interpreters compile once a view.
template <class View>
class AnyProgram {
 public:
  using Real = typename View::Real;
  using Node = typename View::Node;
  using Erased = void;  ///< what it does is known at run time alone

  /// @param program  must outlive this; of the type that `run` was made for
  AnyProgram(const void* program, RunOf<View> run) : program_(program), run_(run) {}

  template <class Choices>
  void operator()(const View& view, const Node& root, Window window, Choices& choices,
                  Iteration<View>& out) const {
    ErasedChoices<Choices, Real, Node> erased(choices);
    run_(program_, view, root, window, erased, out);
  }

 private:
  const void* program_;
  RunOf<View> run_;
};

}  // namespace speclab
