#include "task_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/interrupt.h"
#include "base/text.h"
#include "model/registry.h"
#include "report/output.h"

namespace speclab {
namespace {

constexpr std::size_t kMostCombinations = 100'000;

/// The exact value of an option's number, or nothing.
std::optional<Rational> number(const std::string& text) {
  try {
    return parse_rational(text);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::uint64_t count(std::string_view option, const std::string& text, std::uint64_t low,
                    std::uint64_t high) {
  const auto value = number(text);
  if (!value || denominator(*value) != 1 || *value < low || *value > high) {
    throw UsageError(fmt::format("--{} takes a whole number from {} to {}, not '{}'", option, low,
                                 high, abbreviate(text)));
  }
  return static_cast<std::uint64_t>(numerator(*value));
}

int length(std::string_view option, const std::string& text) {
  return static_cast<int>(count(option, text, 1, kLargestLength));
}

std::vector<int> read_gammas(const Arguments& arguments) {
  std::vector<int> gammas;
  for (const std::string& text : arguments.all("gamma")) {
    const auto colon = text.find(':');
    if (text == "inf") {
      gammas.push_back(kUnbounded);
    } else if (colon == std::string::npos) {
      if (const auto value = number(text);
          !value || denominator(*value) != 1 || *value < 1 || *value > kLargestLength) {
        throw UsageError(fmt::format(
            "--gamma takes a whole number from 1 to {}, a range such as 1:12, or inf, not '{}'",
            kLargestLength, abbreviate(text)));
      }
      gammas.push_back(length("gamma", text));
    } else {
      const int low = length("gamma", text.substr(0, colon));
      const int high = length("gamma", text.substr(colon + 1));
      if (low > high) {
        throw UsageError(fmt::format("--gamma {} is empty; write {}:{}", text, high, low));
      }
      if (static_cast<std::size_t>(high - low) >= kMostCombinations) {
        throw UsageError(fmt::format("--gamma {} is more than {} lengths; shorten the range", text,
                                     kMostCombinations));
      }
      for (int gamma = low; gamma <= high; ++gamma) gammas.push_back(gamma);
    }
  }
  return gammas;
}

void require(const Arguments& arguments, std::string_view option, std::string_view example) {
  if (!arguments.has(option)) {
    throw UsageError(fmt::format("--{0} is missing; for example --{0} {1}", option, example));
  }
}

}  // namespace

Latency read_latency(const std::string& text) {
  const auto refuse = [&] {
    throw UsageError(
        "--latency takes times such as draft=0.1,verifier=0.02,target=1 (target above "
        "0, the others 0 or more), not '" +
        abbreviate(text) + "'");
  };
  Latency latency;
  std::vector<std::string> seen;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, end - at);
    at = end + 1;
    const auto equals = part.find('=');
    if (equals == std::string::npos) refuse();
    const std::string key = part.substr(0, equals);
    const auto value = number(part.substr(equals + 1));
    double* const place = key == "draft"      ? &latency.draft
                          : key == "verifier" ? &latency.verifier
                          : key == "target"   ? &latency.target
                                              : nullptr;
    if (place == nullptr || !value || *value < 0 || *value > 1'000'000'000 ||
        std::find(seen.begin(), seen.end(), key) != seen.end()) {
      refuse();
    }
    seen.push_back(key);
    *place = to_double(*value);
  }
  if (!(latency.target > 0)) refuse();
  return latency;
}

std::vector<Option> task_options(std::vector<Option> own) {
  std::vector<Option> options{
      {"pair", "SPEC", "draft and target models (speclab list pairs)", true},
      {"verifier", "SPEC",
       "the verifier (speclab list verifiers); all: the example of each but the "
       "wrong ones",
       true},
      {"gamma", "G", "draft length: a number, a range such as 1:12, or inf (up to the horizon)",
       true},
      {"horizon", "T", "whole decodes of T tokens as well"},
      {"iterations", "N", "expected tokens after 1, 2, .., N iterations as well"},
      {"law", "", "the law of the T tokens as well (with --horizon)"}};
  options.insert(options.end(), own.begin(), own.end());
  options.insert(
      options.end(),
      {{"latency", "TIMES",
        "draft=A,verifier=B,target=C: modelled time, work and speedup from what one call takes "
        "(seconds, FLOPs, any one unit)"},
       {"format", "F", "table (default), json, csv or markdown (one row a combination)"},
       {"output", "FILE", "write there instead of standard output; replaced as a whole"},
       {"help", "", "this text"}});
  return options;
}

std::uint64_t read_count(const Arguments& arguments, std::string_view option, std::uint64_t low,
                         std::uint64_t high, std::uint64_t fallback) {
  const auto text = arguments.text(option);
  return text ? count(option, *text, low, high) : fallback;
}

std::size_t read_choice(const Arguments& arguments, std::string_view option,
                        const std::vector<std::string>& names, std::size_t fallback) {
  const auto text = arguments.text(option);
  if (!text) return fallback;
  const auto found = std::find(names.begin(), names.end(), *text);
  if (found == names.end()) {
    throw UsageError(fmt::format("--{} takes {}, not '{}'{}", option, join(names),
                                 abbreviate(*text), suggestion(*text, names)));
  }
  return static_cast<std::size_t>(found - names.begin());
}

Format read_format(const Arguments& arguments) {
  return static_cast<Format>(
      read_choice(arguments, "format", {"table", "json", "csv", "markdown"}, 0));
}

TaskOptions read_task_options(const Arguments& arguments) {
  require(arguments, "pair", "'bernoulli(draft=2/3,target=1/3)'");
  require(arguments, "verifier", "block");
  require(arguments, "gamma", "4");
  TaskOptions options;
  options.gammas = read_gammas(arguments);
  if (const auto text = arguments.text("horizon")) options.horizon = length("horizon", *text);
  options.iterations = static_cast<int>(read_count(arguments, "iterations", 1, kLargestLength, 0));
  options.law = arguments.has("law");
  if (options.law && !options.horizon) throw UsageError("--law needs --horizon");
  if (const auto text = arguments.text("latency")) options.latency = read_latency(*text);
  options.format = read_format(arguments);
  options.output = arguments.text("output");
  for (const std::string& text : arguments.all("verifier")) {
    if (text != "all") {
      options.verifiers.push_back(make_verifier(text));
      continue;
    }
    for (const VerifierInfo& row : verifier_rows()) {
      if (row.kind != VerifierKind::wrong) options.verifiers.push_back(make_verifier(row.example));
    }
  }
  for (const std::string& text : arguments.all("pair")) options.pairs.push_back(make_pair(text));
  if (options.pairs.size() * options.verifiers.size() * options.gammas.size() > kMostCombinations) {
    throw UsageError(
        fmt::format("there are more than {} combinations; ask for fewer", kMostCombinations));
  }
  return options;
}

ExitCode run_combinations(const TaskOptions& options, Arithmetic arithmetic,
                          const std::function<Record(const Setting&, const Verifier&)>& run) {
  const Output output(options.output);
  const std::size_t all = options.pairs.size() * options.verifiers.size() * options.gammas.size();
  Report report;
  std::optional<Error> stopped;
  std::size_t refused = 0;  // by a limit; those after it are run all the same
  for (const PairPointer& pair : options.pairs) {
    for (const Verifier& verifier : options.verifiers) {
      for (const int gamma : options.gammas) {
        if (stopped && stopped->code() != ExitCode::limit) break;
        Setting setting;
        setting.pair = pair;
        setting.verifier = parse_spec(verifier.name);
        setting.gamma = gamma;
        setting.horizon = options.horizon;
        setting.iterations = options.iterations;
        setting.arithmetic = arithmetic;
        setting.latency = options.latency;
        const std::string place = all == 1
                                      ? ""
                                      : fmt::format("{}, {}, gamma {}: ", abbreviate(pair->name()),
                                                    verifier.name, gamma_text(gamma));
        try {
          report.push_back(run(setting, verifier));
          const auto& simulation = report.back().run;
          if (simulation && simulation->interrupted) {
            stopped.emplace(ExitCode::interrupted, fmt::format("{}interrupted after {} trials",
                                                               place, simulation->trials));
          } else if (interrupted()) {
            stopped.emplace(ExitCode::interrupted, fmt::format("interrupted after {} of {} "
                                                               "combinations",
                                                               report.size(), all));
          }
        } catch (const Error& error) {
          if (error.code() != ExitCode::limit && error.code() != ExitCode::interrupted) {
            throw Error(error.code(), place + error.what());
          }
          refused += error.code() == ExitCode::limit ? 1 : 0;
          if (refused <= 1 || error.code() == ExitCode::interrupted) {
            stopped.emplace(error.code(), place + error.what());
          }
        }
      }
    }
  }
  if (stopped && report.size() == all && stopped->code() == ExitCode::interrupted &&
      !(report.back().run && report.back().run->interrupted)) {
    stopped.reset();  // the signal came too late to stop anything
  }
  if (!report.empty()) output.write(render(report, options.format));
  if (stopped && refused > 1 && stopped->code() == ExitCode::limit) {
    throw LimitError(
        fmt::format("{}; so are {} more of {} combinations", stopped->what(), refused - 1, all));
  }
  if (stopped) throw Error(*stopped);
  return ExitCode::done;
}

}  // namespace speclab
