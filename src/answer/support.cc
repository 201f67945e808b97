#include "answer/support.h"

#include "simulate/forced.h"

namespace speclab {

std::uint64_t tokens_outside_support(const Verifier& verifier, const Rows<double>& rows, int gamma,
                                     double coin, int sweeps) {
  const Verifier ready = prepare(verifier, rows.pair_pointer());
  const Window window{.drafts = gamma, .bonus = true};
  std::uint64_t outside = 0;
  for (const Start& start : rows.pair().start()) {
    for (int i = 0; i < sweeps; ++i) {
      for (int j = 0; j < sweeps; ++j) {
        const ForcedUniforms uniforms{(i + 0.5) / sweeps, coin, (j + 0.5) / sweeps};
        State state = start.state;
        for (const Token x : forced_tokens(ready, rows, start.state, window, uniforms)) {
          if (!(rows.target(state)[static_cast<std::size_t>(x)] > 0)) ++outside;
          state = rows.next(state, x);
        }
      }
    }
  }
  return outside;
}

}  // namespace speclab
