// What is kept under a version of results must not change: numbers of another speclab would stand
// beside ours. tests/data/results.txt records digests of what is found, verifier by verifier, and
// their version.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "answer/answer.h"
#include "answer/bench.h"
#include "answer/stored.h"
#include "base/error.h"
#include "base/random.h"
#include "catch.h"
#include "experiment/store.h"
#include "temporary_file.h"
#include "verifiers/registry.h"

namespace speclab::results_version_test {
namespace {

const std::string kRecord = SPECLAB_SOURCE_DIR "/tests/data/results.txt";

/// What f gives, or the code of its refusal.
template <class F>
std::string or_refusal(const F& f) {
  try {
    return f();
  } catch (const Error& error) {
    return fmt::format("refused with {}", static_cast<int>(error.code()));
  }
}

/// The fractions that are found and those of the closed forms: doubles may differ in their last
/// digit from compiler to compiler, and are made from these.
std::string fractions(const Answer& answer) {
  std::string text;
  for (const auto& found : answer.found.all()) {
    for (const auto& finding : found.values) {
      text += fmt::format("{} {} {}\n", quantity(found.id).path(), index_text(finding.index),
                          finding.value.fraction ? to_text(*finding.value.fraction) : "");
    }
  }
  for (const Prediction& form : answer.predictions) {
    text += fmt::format("{} {} {}\n", form.claim, form.index.value_or(-1),
                        form.exact ? to_text(*form.exact) : "");
  }
  return text;
}

/// Pairs of every way of drawing: few tokens, an alias table, contexts, a text, filters.
class Battery {
 public:
  Battery() : text_("the cat sat on the mat and the dog sat on the cat. the end of the text.\n") {
    for (const std::string& spec : {std::string("bernoulli(draft=2/3,target=1/3)"),
                                    std::string("zipf(vocabulary=50,draft=1.2,target=1)"),
                                    std::string("markov(vocabulary=3,horizon=6,seed=10)"),
                                    std::string("tree(vocabulary=2,depth=6,seed=7)"),
                                    std::string("zipf(vocabulary=20,draft=1.2,target=1,top-k=5)"),
                                    "ngram(text=" + text_.path() + ",vocabulary=12)"}) {
      pairs_.push_back(bench_.pair(spec));
    }
  }

  /// @param any_pair  whether it runs on any pair, or on small ones alone
  std::string digest(const Verifier& verifier, bool any_pair = true) {
    std::string text;
    for (const PairPointer& pair : pairs_) {
      text += or_refusal([&] { return trials(pair, verifier, Estimator::plain); }) + "\n";
      if (!any_pair) break;
    }
    text += or_refusal([&] { return trials(pairs_[0], verifier, Estimator::conditional); }) + "\n";
    text += or_refusal([&] {
      return fractions(
          bench_.answer({pairs_[0], verifier, {2, std::nullopt, 0}, false, Arithmetic::rational},
                        ByEnumeration{}));
    });
    return fmt::format("{:016x}", task_hash(text));
  }

 private:
  std::string trials(const PairPointer& pair, const Verifier& verifier, Estimator estimator) {
    const bool plain = estimator == Estimator::plain;
    const Lengths lengths{3, plain ? std::optional(6) : std::nullopt, plain ? 2 : 0};
    const BySimulation method{.estimator = estimator, .trials = 64, .threads = 1};
    return tally_text(
        bench_.sample({pair, verifier, lengths, false, Arithmetic::floating}, method).tally);
  }

  TemporaryFile text_;
  Bench bench_;
  std::vector<PairPointer> pairs_;
};

struct Record {
  std::string version;
  std::map<std::string, std::string> digests;  ///< by verifier
};

Record on_record() {
  std::ifstream file(kRecord);
  Record record;
  std::getline(file, record.version);
  for (std::string digest, verifier; file >> digest && std::getline(file >> std::ws, verifier);) {
    record.digests[verifier] = digest;
  }
  return record;
}

Record found() {
  Record record{kResultsVersion, {}};
  Battery battery;
  std::set<std::string_view> any_pair;
  for (const VerifierInfo& row : verifier_rows()) any_pair.insert(row.example);
  for (const VerifierInfo& row : all_verifier_rows()) {
    record.digests[std::string(row.example)] =
        battery.digest(make_verifier(row.example), any_pair.contains(row.example));
  }
  return record;
}

/// The verifiers on record whose digests are others now, or missing.
std::vector<std::string> changed(const Record& record, const Record& now) {
  std::vector<std::string> names;
  for (const auto& [verifier, digest] : record.digests) {
    const auto again = now.digests.find(verifier);
    if (again == now.digests.end() || again->second != digest) names.push_back(verifier);
  }
  return names;
}

}  // namespace

// SPECLAB_RECORD_RESULTS=1 writes the record anew, unless numbers changed under one version.
TEST_CASE("what is found changes with the version of results and only with it") {
  const Record record = on_record();
  const Record now = found();
  const auto others = changed(record, now);
  const bool same_version = record.version == now.version;
  if (std::getenv("SPECLAB_RECORD_RESULTS") != nullptr && (!same_version || others.empty())) {
    std::ofstream file(kRecord);
    file << now.version << "\n";
    for (const auto& [verifier, digest] : now.digests) file << digest << " " << verifier << "\n";
    return;
  }
  INFO(
      "raise the number in kResultsVersion (src/experiment/store.h), then record what is found "
      "now: "
      "SPECLAB_RECORD_RESULTS=1 and this test");
  CHECK(same_version);
  CHECK(others == std::vector<std::string>{});
  // A verifier that is new is recorded too.
  CHECK(record.digests.size() == now.digests.size());
  CHECK(now.digests.size() > 20);
}

TEST_CASE("a digest of results changes with the numbers") {
  Battery battery;
  const std::string token = battery.digest(make_verifier("token"));
  CHECK(token == Battery().digest(make_verifier("token")));
  CHECK(token != battery.digest(make_verifier("block")));
  const Record record{"1", {{"token", token}, {"gone", "0"}}};
  CHECK(changed(record, {"1", {{"token", token}}}) == std::vector<std::string>{"gone"});
  CHECK(changed(record, {"1", {{"token", "0"}, {"gone", "0"}}}) ==
        std::vector<std::string>{"token"});
}

}  // namespace speclab::results_version_test
