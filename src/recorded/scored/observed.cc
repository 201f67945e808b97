#include "recorded/scored/observed.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "recorded/scored/source.h"
#include "recorded/scored/text.h"

namespace speclab {
namespace {

constexpr std::string_view kHistogram = "acceptance_histogram";

/// The object that holds the histogram, within a few levels.
const Json* holder_of(const Json& json, int levels) {
  if (!json.is_object()) return nullptr;
  const Json* histogram = json.find(kHistogram);
  if (histogram != nullptr && !histogram->is_null()) return &json;
  for (const auto& [key, value] : json.items()) {
    const Json* found = levels > 0 ? holder_of(value, levels - 1) : nullptr;
    if (found != nullptr) return found;
  }
  return nullptr;
}

/// Steps by accepted tokens.
std::vector<double> counts_of(const Json& histogram, const std::string& place) {
  std::vector<double> counts;
  const auto check_drafts = [&](std::size_t tokens) {
    if (tokens <= kMostScored) return;
    throw InputError(
        fmt::format("{}: {} is of drafts of {} tokens; texts are scored for drafts of {} at most",
                    place, kHistogram, tokens, kMostScored));
  };
  const auto put = [&](std::size_t accepted, const Json& steps) {
    if (!steps.is_number() || steps.get<double>() < 0) {
      throw InputError(fmt::format("{}: {}[{}] is {}; give a number of steps", place, kHistogram,
                                   accepted, abbreviate(steps.dump())));
    }
    check_drafts(accepted);
    if (counts.size() <= accepted) counts.resize(accepted + 1, 0.0);
    counts[accepted] += steps.get<double>();
  };
  if (histogram.is_array()) {
    check_drafts(std::max<std::size_t>(histogram.size(), 1) - 1);
    for (std::size_t j = 0; j < histogram.size(); ++j) put(j, histogram[j]);
  } else if (histogram.is_object()) {
    for (const auto& [key, value] : histogram.items()) {
      std::size_t accepted = 0;
      const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), accepted);
      if (error != std::errc() || end != key.data() + key.size()) {
        throw InputError(fmt::format("{}: {} has the key '{}'; give numbers of accepted tokens",
                                     place, kHistogram, abbreviate(key)));
      }
      put(accepted, value);
    }
  } else {
    throw InputError(fmt::format("{}: {} is neither a list nor an object", place, kHistogram));
  }
  return counts;
}

}  // namespace

ObservedRequests read_observed(const std::string& path) {
  LineReader lines(path);
  std::string_view line;
  std::vector<std::vector<double>> counts;
  ObservedRequests observed;
  while (lines.next(line)) {
    const Json json = read_json_line(line, lines.place(), "request");
    const Json* holder = holder_of(json, 3);
    if (holder == nullptr) {
      throw InputError(
          fmt::format("{}: it has no {}; start vLLM with "
                      "per-request-spec-decode-metrics at detailed",
                      lines.place(), kHistogram));
    }
    counts.push_back(counts_of(*holder->find(kHistogram), lines.place()));
    const Json* longest = holder->find("num_spec_tokens");
    const auto most = static_cast<std::uint64_t>(kMostScored);
    const bool stated = longest != nullptr && longest->is_number_unsigned();
    const auto gamma =
        static_cast<int>(stated ? std::min(longest->get<std::uint64_t>(), most) : std::uint64_t{0});
    observed.gamma = std::max({observed.gamma, gamma, static_cast<int>(counts.back().size()) - 1});
  }
  if (counts.empty()) throw InputError(path + " is empty; give one request a line");
  if (observed.gamma < 1) throw InputError(path + " has no step that drafted a token");
  observed.reached.assign(static_cast<std::size_t>(observed.gamma), {});
  for (const std::vector<double>& request : counts) {
    double reached = 0;
    std::vector<double> tail(static_cast<std::size_t>(observed.gamma) + 1, 0.0);
    for (std::size_t i = tail.size(); i-- > 0;) {
      if (i < request.size()) reached += request[i];
      tail[i] = reached;
    }
    observed.steps.push_back(tail[0]);
    for (std::size_t i = 1; i < tail.size(); ++i) observed.reached[i - 1].push_back(tail[i]);
  }
  const bool counts_steps = std::any_of(observed.steps.begin(), observed.steps.end(),
                                        [](double steps) { return steps > 0; });
  if (!counts_steps) throw InputError(path + " counts no step; give requests that drafted tokens");
  return observed;
}

}  // namespace speclab
