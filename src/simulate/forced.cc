#include "simulate/forced.h"

#include <utility>

#include "simulate/sampled_program.h"

namespace speclab {

std::vector<Token> forced_tokens(const Verifier& verifier, const Rows<double>& rows, State start,
                                 Window window, const ForcedUniforms& uniforms) {
  return with_runs(*verifier.runs, [&]<template <class> class V>(const RunsOn<V>& runs) {
    using View = V<double>;
    const View view(rows);
    const auto root = view.root(start);
    CheckedSampler choices(BufferedStream::constant(uniforms.draft),
                           BufferedStream::constant(uniforms.coin),
                           BufferedStream::constant(uniforms.correction));
    choices.begin();
    Iteration<View> out;
    out.begin(root);
    SampledProgram<View>(verifier.program.get(), runs)(view, root, window, choices, out);
    return std::move(out.tokens);
  });
}

}  // namespace speclab
