#include <map>

#include "command.h"
#include "report/records.h"
#include "task_options.h"

namespace speclab {
namespace {

/// The rows of each pair in one arithmetic, kept between combinations.
template <class Real>
class Task {
 public:
  Task(const TaskOptions& options, double max_paths) : options_(options), max_paths_(max_paths) {}

  Record operator()(const Setting& setting, const Verifier& verifier) {
    auto& rows = rows_[setting.pair.get()];
    if (!rows) rows = std::make_shared<Rows<Real>>(setting.pair);
    const ExactRequest request{.lengths = {setting.gamma, setting.horizon, setting.iterations},
                               .law = options_.law,
                               .max_paths = max_paths_};
    return exact_record(verifier.name, setting, run_exact<Real>(verifier, *rows, request),
                        options_.law);
  }

 private:
  const TaskOptions& options_;
  double max_paths_;
  std::map<const Pair*, std::shared_ptr<Rows<Real>>> rows_;
};

ExitCode run(const Arguments& arguments) {
  constexpr std::uint64_t kMostPaths = 1'000'000'000'000'000;
  const TaskOptions options = read_task_options(arguments);
  const bool rational = read_choice(arguments, "arithmetic", {"rational", "double"}, 0) == 0;
  const auto paths =
      static_cast<double>(read_count(arguments, "max-paths", 1, kMostPaths, 100'000'000));
  if (rational) {
    return run_combinations(options, Arithmetic::rational, Task<Rational>(options, paths));
  }
  return run_combinations(options, Arithmetic::floating, Task<double>(options, paths));
}

}  // namespace

Command exact_command() {
  return {"exact",
          "the exact law of what a verifier does, with the closed forms that apply",
          "--pair SPEC --verifier SPEC --gamma G [--horizon T] [options]",
          "",
          task_options(
              {{"arithmetic", "A", "rational (default: fractions, no rounding) or double (faster)"},
               {"max-paths", "N",
                "refuse more sequences of decisions than this (default 1e8; exit code 4)"}}),
          {"speclab exact --pair 'bernoulli(draft=2/3,target=1/3)' --verifier token --verifier "
           "block --gamma 2 --horizon 4",
           "speclab exact --pair 'markov(vocabulary=3,horizon=8,seed=10)' --verifier block --gamma "
           "1:4 --arithmetic double --format csv"},
          &run};
}

}  // namespace speclab
