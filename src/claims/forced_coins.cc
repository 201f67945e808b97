#include "claims/properties.h"
#include "exact/runner.h"
#include "simulate/sampler.h"
#include "verifiers/registry.h"

namespace speclab {
namespace {

/// Always the same number, which may be changed between runs.
struct Constant {
  double value;
  double uniform() { return value; }
};

template <class Program>
std::uint64_t count_outside(const Program& program, const Instance& instance, double coin,
                            int sweeps) {
  using View = ViewOf<Program, double>;
  const Rows<double> rows = instance.doubles();
  const View view(rows);
  std::uint64_t outside = 0;
  for (const Start& start : rows.pair().start()) {
    for (int i = 0; i < sweeps; ++i) {
      for (int j = 0; j < sweeps; ++j) {
        Sampler<Constant> choices({(i + 0.5) / sweeps}, {coin}, {(j + 0.5) / sweeps});
        Iteration<View> out;
        out.begin(view.root(start.state));
        program(view, view.root(start.state), Window{.drafts = instance.gamma, .bonus = true},
                choices, out);
        State state = start.state;
        for (const Token x : out.tokens) {
          if (!(rows.target(state)[static_cast<std::size_t>(x)] > 0)) ++outside;
          state = rows.next(state, x);
        }
      }
    }
  }
  return outside;
}

}  // namespace

std::uint64_t tokens_outside_support(std::string_view verifier, const Instance& instance,
                                     double coin, int sweeps) {
  const Verifier made = prepare(make_verifier(verifier), instance.pair_pointer());
  return std::visit(
      [&](const auto& program) { return count_outside(program, instance, coin, sweeps); },
      made.program);
}

}  // namespace speclab
