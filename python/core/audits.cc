#include "audits.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "audit/audit.h"
#include "audit/document.h"
#include "audit/vectors.h"
#include "base/error.h"
#include "long_run.h"
#include "report/report.h"

namespace py = pybind11;

namespace speclab::python {
namespace {

using Array = py::array_t<double, py::array::c_style>;
using Tokens = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

/// Rows of all requests as one array: [R, K, n, V].
Array stacked_rows(std::span<const VerifyRequest> requests,
                   std::vector<VerifyRequest::Rows> VerifyRequest::*rows) {
  const auto& first = requests.front().*rows;
  Array stacked(
      {requests.size(), first.size(), first.front().size(), first.front().front().size()});
  double* to = stacked.mutable_data();
  for (const VerifyRequest& request : requests) {
    for (const auto& chain : request.*rows) {
      for (const auto& row : chain) to = std::copy(row.begin(), row.end(), to);
    }
  }
  return stacked;
}

/// Drafted tokens of all requests: [R, K, g].
py::array_t<std::int64_t> stacked_drafts(std::span<const VerifyRequest> requests) {
  const auto& first = requests.front().drafts;
  py::array_t<std::int64_t> stacked({requests.size(), first.size(), first.front().size()});
  std::int64_t* to = stacked.mutable_data();
  for (const VerifyRequest& request : requests) {
    for (const auto& chain : request.drafts) to = std::copy(chain.begin(), chain.end(), to);
  }
  return stacked;
}

/// Given numbers of all requests as lists of lists: [R][B][..].
py::list numbers_of(std::span<const VerifyRequest> requests,
                    std::vector<std::vector<double>> VerifyRequest::*numbers) {
  py::list all;
  for (const VerifyRequest& request : requests) all.append(py::cast(request.*numbers));
  return all;
}

/// A number that is out of range stays out of range.
std::int32_t narrow(std::int64_t value) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX));
}

/// What stands in one row of an answer's tokens [g + 1]: up to the padding of -1 at its end.
std::vector<Token> unpadded(const std::int64_t* from, py::ssize_t size) {
  while (size > 0 && from[size - 1] == -1) --size;
  std::vector<Token> tokens;
  for (py::ssize_t i = 0; i < size; ++i) {
    tokens.push_back(narrow(from[i]));
  }
  return tokens;
}

/// A function of Python behind the audit's interface. Its Python side (speclab/_audit.py) makes one
/// batch of all requests:
///   verify(draft_probs [R,K,g,V], target_probs [R,K,g+1,V], drafts [R,K,g], counts [R],
///          seeds [R], coins, draws [R][B][..]) -> (accepted [N], tokens [N,g+1]), N the sum of
///          counts
///   generate(pair text, gamma, drafts, horizon, count, seed)
///       -> (tokens [count,T], accepted numbers of all decodes one after another, how many [count])
class PythonImplementation final : public Implementation {
 public:
  PythonImplementation(py::object verify, py::object generate)
      : verify_(std::move(verify)), generate_(std::move(generate)) {}

  std::vector<VerifyReply> verify(std::span<const VerifyRequest> requests) override {
    if (requests.empty()) return {};
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    std::vector<std::uint64_t> counts, seeds;
    for (const VerifyRequest& request : requests) {
      counts.push_back(request.count);
      seeds.push_back(request.seed);
    }
    const auto [accepted, tokens] =
        verify_(stacked_rows(requests, &VerifyRequest::draft_rows),
                stacked_rows(requests, &VerifyRequest::target_rows), stacked_drafts(requests),
                counts, seeds, numbers_of(requests, &VerifyRequest::coins),
                numbers_of(requests, &VerifyRequest::draws))
            .cast<std::pair<Tokens, Tokens>>();
    return replies(requests, accepted, tokens);
  }

  GenerateReply generate(const GenerateRequest& request) override {
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    const auto [tokens, accepted, counts] = generate_(request.pair, request.gamma, request.drafts,
                                                      request.horizon, request.count, request.seed)
                                                .cast<std::tuple<Tokens, Tokens, Tokens>>();
    GenerateReply reply;
    const std::int64_t* token = tokens.data();
    const std::int64_t* number = accepted.data();
    for (py::ssize_t b = 0; b < counts.size(); ++b) {
      reply.tokens.emplace_back();
      for (py::ssize_t i = 0; i < tokens.shape(1); ++i) {
        reply.tokens.back().push_back(narrow(*token++));
      }
      reply.accepted.emplace_back();
      for (std::int64_t i = 0; i < counts.data()[b]; ++i) {
        reply.accepted.back().push_back(narrow(*number++));
      }
    }
    check_reply(request, reply);
    return reply;
  }

 private:
  static std::vector<VerifyReply> replies(std::span<const VerifyRequest> requests,
                                          const Tokens& accepted, const Tokens& tokens) {
    const std::int64_t* count = accepted.data();
    const std::int64_t* row = tokens.data();
    const py::ssize_t width = tokens.shape(1);
    std::vector<VerifyReply> all;
    for (const VerifyRequest& request : requests) {
      VerifyReply& reply = all.emplace_back();
      for (std::size_t b = 0; b < request.count; ++b, ++count, row += width) {
        reply.accepted.push_back(narrow(*count));
        reply.tokens.push_back(unpadded(row, width));
      }
      check_reply(request, reply);
    }
    return all;
  }

  py::object verify_;
  py::object generate_;
};

AuditOptions options_of(const std::string& rule, const std::string& mode, int drafts,
                        double false_alarm, double power, std::uint64_t seed,
                        std::uint64_t most_trials) {
  AuditOptions options;
  options.rule = rule;
  options.mode = read_mode(mode);
  options.drafts = drafts;
  options.false_alarm = false_alarm;
  options.power = power;
  options.seed = seed;
  options.most_trials = most_trials;
  return options;
}

}  // namespace

void bind_audits(py::module_& module) {
  module.def("audit",
             [](const std::string& rule, const std::string& mode, int drafts, double false_alarm,
                double power, std::uint64_t seed, std::uint64_t most_trials, py::object verify,
                py::object generate, const py::object& progress) {
               const AuditOptions options =
                   options_of(rule, mode, drafts, false_alarm, power, seed, most_trials);
               PythonImplementation implementation(std::move(verify), std::move(generate));
               AuditProgress report_progress;
               if (!progress.is_none()) {
                 report_progress = [&progress](std::uint64_t done, std::uint64_t wanted) {
                   const py::gil_scoped_acquire lock;
                   progress(done, wanted);
                 };
               }
               const AuditReport report =
                   long_run([&] { return audit(options, implementation, report_progress); });
               return render(audit_document(report), Format::json);
             });
  module.def("audit_cases",
             [](const std::string& rule, const std::string& mode, int drafts, double false_alarm,
                double power, std::uint64_t seed, std::uint64_t most_trials) {
               const AuditOptions options =
                   options_of(rule, mode, drafts, false_alarm, power, seed, most_trials);
               const auto cases = long_run([&] { return audit_cases(options); });
               return render(cases_document(cases), Format::json);
             });
  module.def("vectors", [](const std::string& rule, const std::string& battery) {
    const RuleVectors made = long_run([&] { return rule_vectors(rule, read_battery(battery)); });
    return std::pair{made.vectors, made.controls};
  });
}

}  // namespace speclab::python
