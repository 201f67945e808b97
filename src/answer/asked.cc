#include "answer/asked.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "system/read_file.h"
#include "verifiers/plugin.h"

namespace speclab {
namespace {

using nlohmann::json;

/// What the question reads besides its own text: where it is the same, so is the answer.
json digests(const Question& question) {
  json found = json::array();
  for (const auto& files : {question.pair->inputs(), question.verifier.inputs}) {
    for (const InputFile& file : files) found.push_back({file.path, file.digest});
  }
  const std::string plugin = plugin_digest(question.verifier.info->name);
  if (!plugin.empty()) found.push_back({"the plugin of " + question.verifier.name, plugin});
  return found;
}

/// What is kept between questions.
struct Desk {
  std::mutex mutex;
  std::string pair;
  std::unique_ptr<Bench> bench;
  std::map<std::string, Question> questions;
};

Desk& desk() {
  static Desk the_one;
  return the_one;
}

Question read_question(Bench& bench, const json& text) {
  Lengths lengths{text.at("gamma").get<int>(), std::nullopt, text.at("iterations").get<int>()};
  if (text.contains("horizon")) lengths.horizon = text.at("horizon").get<int>();
  Question question =
      bench.question(text.at("pair").get<std::string>(), text.at("verifier").get<std::string>(),
                     lengths, static_cast<Arithmetic>(text.at("arithmetic").get<int>()));
  question.law = text.at("law").get<bool>();
  question.long_run = text.at("long_run").get<bool>();
  const json here = digests(question);
  if (question.key() != text.at("key").get<std::string>() || here != text.at("digests")) {
    throw InputError(
        fmt::format("the question reads other files here than where it was asked ({}); give all "
                    "ranks the same: {}",
                    here.dump(), question.key()));
  }
  return question;
}

}  // namespace

json question_json(const Question& question) {
  for (const InputFile& file : question.pair->inputs()) check_lasting(file.path);
  json text{{"pair", question.pair->name()},
            {"verifier", question.verifier.name},
            {"gamma", question.lengths.gamma},
            {"iterations", question.lengths.iterations},
            {"law", question.law},
            {"long_run", question.long_run},
            {"arithmetic", static_cast<int>(question.arithmetic)},
            {"key", question.key()},
            {"digests", digests(question)}};
  if (question.lengths.horizon) text["horizon"] = *question.lengths.horizon;
  return text;
}

json method_json(const BySimulation& method) {
  return {{"estimator", static_cast<int>(method.estimator)},
          {"seed", method.seed},
          {"first", method.first_trial},
          {"trials", method.trials}};
}

BySimulation read_method(const json& text) {
  BySimulation method;
  method.estimator = static_cast<Estimator>(text.at("estimator").get<int>());
  method.seed = text.at("seed").get<std::uint64_t>();
  method.first_trial = text.at("first").get<std::uint64_t>();
  method.trials = text.at("trials").get<std::uint64_t>();
  return method;
}

Asked::Asked(const json& text) : lock_(desk().mutex) {
  Desk& kept = desk();
  const auto pair = text.at("pair").get<std::string>();
  if (kept.bench == nullptr || kept.pair != pair) {
    kept.questions.clear();
    kept.bench = std::make_unique<Bench>();
    kept.pair = pair;
  }
  const std::string asked = text.dump();
  auto known = kept.questions.find(asked);
  if (known == kept.questions.end()) {
    if (kept.questions.size() > 1000) kept.questions.clear();
    known = kept.questions.emplace(asked, read_question(*kept.bench, text)).first;
  }
  bench_ = kept.bench.get();
  question_ = &known->second;
}

}  // namespace speclab
