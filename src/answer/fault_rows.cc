#include "answer/fault_rows.h"

#include <vector>

#include "answer/instantiate.h"
#include "run/faulty_run.h"
#include "verifiers/faults/programs.h"

namespace speclab {
namespace {

// The run of a verifier's program on each of the views.
RunOf<PairView<double>> run_on(const Runs& runs, const PairView<double>*) {
  return runs.plain->doubles;
}
RunOf<CarriedView<double>> run_on(const Runs& runs, const CarriedView<double>*) {
  return runs.carried->doubles;
}
RunOf<RememberingView<PairView<Rational>>> run_on(const Runs& runs,
                                                  const RememberingView<PairView<Rational>>*) {
  return runs.plain->fractions;
}
RunOf<RememberingView<CarriedView<Rational>>> run_on(
    const Runs& runs, const RememberingView<CarriedView<Rational>>*) {
  return runs.carried->fractions;
}
RunOf<PairView<Number>> run_on(const Runs& runs, const PairView<Number>*) {
  return runs.proof->plain;
}
RunOf<CarriedView<Number>> run_on(const Runs& runs, const CarriedView<Number>*) {
  return runs.proof->carried;
}
RunOf<PathView> run_on(const Runs& runs, const PathView*) { return runs.paths->run; }

/// The RunOf a Faulty.
template <class View>
void run_faulty(const void* program, const View& view, const typename View::Node& root,
                Window window, AnyChoices<typename View::Real, typename View::Node>& choices,
                Iteration<View>& out) {
  const auto& faulty = *static_cast<const Faulty*>(program);
  run_with_fault(faulty, run_on(*faulty.run.runs, static_cast<const View*>(nullptr)), view, root,
                 window, choices, out);
}

template <template <class> class View>
constexpr RunsOn<View> kFaultyOn{&run_faulty<View<double>>,
                                 &run_faulty<RememberingView<View<Rational>>>, nullptr, nullptr};
constexpr ProofProgram kPlainProof{.plain = &run_faulty<PairView<Number>>};
constexpr ProofProgram kCarriedProof{.carried = &run_faulty<CarriedView<Number>>};
constexpr PathProgram kFaultyPaths{&run_faulty<PathView>};
constexpr Runs kPlainRuns = [] {
  Runs runs{};
  runs.plain = &kFaultyOn<PairView>;
  runs.proof = &kPlainProof;
  runs.paths = &kFaultyPaths;
  return runs;
}();
constexpr Runs kCarriedRuns = [] {
  Runs runs{};
  runs.carried = &kFaultyOn<CarriedView>;
  runs.proof = &kCarriedProof;
  runs.paths = &kFaultyPaths;
  return runs;
}();

/// Adds the row of the program that has the name. @returns whether it is one of these
template <class... Programs>
bool add_own_program(std::vector<VerifierRow>& rows, std::string_view name) {
  return ((Programs::kInfo.name == name && (rows.push_back(verifier_row<Programs>()), true)) ||
          ...);
}

std::vector<VerifierRow> made_rows() {
  std::vector<VerifierRow> rows;
  for (const FaultRow& fault : faults()) {
    if (add_own_program<WrongLargestRho, WrongPathOrder, WrongOwnOrder>(rows, fault.info.name)) {
      continue;
    }
    rows.push_back(faulty_row(fault));
    rows.back().runs_of = [](const void* program) {
      const auto& faulty = *static_cast<const Faulty*>(program);
      return faulty.run.runs->carried != nullptr ? &kCarriedRuns : &kPlainRuns;
    };
  }
  return rows;
}

}  // namespace

std::span<const VerifierRow> fault_rows() {
  static const std::vector<VerifierRow> rows = made_rows();
  return rows;
}

}  // namespace speclab
