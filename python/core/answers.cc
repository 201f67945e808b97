#include "answers.h"

#include <pybind11/stl.h>

#include <memory>
#include <utility>
#include <vector>

#include "answer/answer.h"
#include "answer/bench.h"
#include "answer/costs.h"
#include "answer/documents/answers.h"
#include "answer/optima.h"
#include "base/error.h"
#include "long_run.h"
#include "model/families/json_law.h"
#include "report/report.h"

namespace py = pybind11;

namespace speclab::python {
namespace {

/// Questions on their way to answers, and the bench that they share.
class Asker {
 public:
  explicit Asker(std::optional<std::uint64_t> max_memory) : bench_(max_memory) {}

  Answer ask(const PairPointer& pair, const std::string& verifier, const Lengths& lengths, bool law,
             bool long_run, bool rational, const std::optional<CostModel>& costs,
             const AnswerMethod& method) {
    Question question{.pair = pair,
                      .verifier = make_verifier(verifier),
                      .lengths = lengths,
                      .law = law,
                      .arithmetic = rational ? Arithmetic::rational : Arithmetic::floating,
                      .long_run = long_run};
    return python::long_run([&] {
      Answer answer = bench_.answer(question, method);
      if (answer.run && answer.run->interrupted) check_interrupted();
      optima_.add_share(answer);
      if (costs) add_costs(answer, *costs);
      return answer;
    });
  }

 private:
  Bench bench_;
  Optima optima_{bench_};
};

PairPointer pair_of_json(const std::string& text, const std::string& name) {
  const PairPointer pair = read_json_pair(parse_json(text, name), name);
  // As the registry names those of spec texts, before anyone else has it.
  std::const_pointer_cast<Pair>(pair)->set_name(name);
  return pair;
}

/// A pair that outlives its bench, as Python sees it.
PairPointer pair_of_spec(const std::string& text) { return Bench().pair(text); }

py::list rows_to_python(const Pair& pair, State state) {
  const auto size = static_cast<std::size_t>(pair.vocabulary());
  std::vector<double> draft(size), target(size);
  pair.rows(state, draft, target);
  py::list rows;
  rows.append(row_to_python(draft));
  rows.append(row_to_python(target));
  return rows;
}

void bind_pairs(py::module_& module) {
  py::class_<Pair, std::shared_ptr<Pair>>(module, "Pair",
                                          "A draft and a target model; see speclab.pair.")
      .def_property_readonly("name", &Pair::name, "Canonical text that names the pair.")
      .def_property_readonly("vocabulary", &Pair::vocabulary, "Number of tokens V.")
      .def_property_readonly("states", &Pair::states, "Number of contexts that the laws depend on.")
      .def_property_readonly("length", &Pair::length,
                             "Positions that the laws are given for, or None.")
      .def("rows", &rows_to_python, py::arg("state") = 0,
           "[draft, target] at a state: arrays [V] of float.")
      .def("__repr__", [](const Pair& pair) { return "speclab.pair(" + pair.name() + ")"; });
  module.def("pair_of_json", [](const std::string& text, const std::string& name) {
    return std::const_pointer_cast<Pair>(pair_of_json(text, name));
  });
  module.def("pair_of_spec", [](const std::string& text) {
    return std::const_pointer_cast<Pair>(pair_of_spec(text));
  });
}

/// The registry's rows as dictionaries.
py::list verifier_list() {
  py::list rows;
  for (const VerifierInfo& row : all_verifier_rows()) {
    py::dict made;
    made["name"] = row.name;
    made["parameters"] = row.parameters;
    made["prose"] = row.prose;
    made["source"] = row.source;
    made["kind"] = kind_name(row.kind);
    made["example"] = row.example;
    made["fault_of"] = row.fault_of;
    rows.append(made);
  }
  return rows;
}

}  // namespace

void bind_answers(py::module_& module) {
  bind_pairs(module);
  py::class_<Answer>(module, "Answer");
  py::class_<Asker>(module, "Asker")
      .def(py::init<std::optional<std::uint64_t>>(), py::arg("max_memory"))
      .def("exact",
           [](Asker& asker, const std::shared_ptr<Pair>& pair, const std::string& verifier,
              int gamma, std::optional<int> horizon, int iterations, bool law, bool long_run,
              bool rational, const std::optional<std::string>& latency, double max_paths,
              int threads) {
             return asker.ask(
                 pair, verifier, {gamma, horizon, iterations}, law, long_run, rational,
                 latency ? std::optional(read_costs(*latency)) : std::nullopt,
                 ByEnumeration{.max_paths = max_paths, .threads = threads, .iteration_law = true});
           })
      .def("simulate",
           [](Asker& asker, const std::shared_ptr<Pair>& pair, const std::string& verifier,
              int gamma, std::optional<int> horizon, int iterations, bool law,
              const std::optional<std::string>& latency, std::uint64_t trials, std::uint64_t seed,
              bool conditional, int threads) {
             if (trials < 2) throw UsageError("trials must be at least 2");
             const auto estimator = conditional ? Estimator::conditional : Estimator::plain;
             return asker.ask(
                 pair, verifier, {gamma, horizon, iterations}, law, false, false,
                 latency ? std::optional(read_costs(*latency)) : std::nullopt,
                 BySimulation{
                     .estimator = estimator, .trials = trials, .seed = seed, .threads = threads});
           })
      .def("predict", [](Asker& asker, const std::shared_ptr<Pair>& pair,
                         const std::string& verifier, int gamma, std::optional<int> horizon,
                         int iterations, bool rational, const std::optional<std::string>& latency) {
        return asker.ask(pair, verifier, {gamma, horizon, iterations}, false, false, rational,
                         latency ? std::optional(read_costs(*latency)) : std::nullopt,
                         ByClosedForm{});
      });
  module.def("answers_csv", [](const std::vector<Answer>& answers) {
    return render(answers_document(answers), Format::csv);
  });
  module.def("answers_json", [](const std::vector<Answer>& answers) {
    return render(answers_document(answers), Format::json);
  });
  module.def("answers_table", [](const std::vector<Answer>& answers) {
    return render(answers_document(answers), Format::table);
  });
  module.def("verifiers", &verifier_list);
  module.attr("UNBOUNDED") = kUnbounded;
  module.attr("LARGEST_LENGTH") = kLargestLength;
}

}  // namespace speclab::python
