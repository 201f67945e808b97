// Recordings as JSON lines, and the checks of every recording.
#include "recorded/recording.h"

#include <cmath>

#include "catch.h"
#include "model/registry.h"
#include "recorded/fault.h"
#include "recording_text.h"
#include "temporary_file.h"

namespace speclab::recording_test {
namespace {

RecordedText two_positions() {
  return {{1, 0},
          {{0.25, 0.5, 0.25}, {0.5, 0.25, 0.25}},
          {{0.125, 0.375, 0.5}, {1, 0, 0}, {0.25, 0.25, 0.5}},
          {}};
}

/// What is refused of a text, or nothing.
std::string fault(const std::string& text) {
  const TemporaryFile file(text);
  return recordings::fault(file.path());
}

TEST_CASE("a recording of JSON lines gives its paths and rows") {
  RecordedText second = two_positions();
  second.starts = {1, 1};
  second.target.pop_back();
  const TemporaryFile file(recording_head(3) + two_positions().line() + "\n" + second.line());
  const auto recording = open_recording(file.path());
  CHECK(recording->shape().vocabulary == 3);
  CHECK(recording->shape().prompts == 2);
  CHECK(recording->path(0).tokens == std::vector<Token>{1, 0});
  CHECK(recording->path(0).starts == std::vector<int>{0});
  CHECK(recording->path(0).segment(0) == 2);
  CHECK(recording->path(1).starts == std::vector<int>{0, 1});
  CHECK(recording->path(1).segment(0) == 1);
  CHECK(recording->path(1).segment(1) == 1);
  RecordedRow row;
  recording->read(RecordedModel::target, 0, 1, row);
  CHECK(row.law == std::vector<double>{1, 0, 0});
  recording->read(RecordedModel::draft, 0, 0, row);
  CHECK(row.law == std::vector<double>{0.25, 0.5, 0.25});
  CHECK(recording->has_row(RecordedModel::target, 0, 2));
  CHECK_FALSE(recording->has_row(RecordedModel::target, 1, 2));
  CHECK_FALSE(recording->has_row(RecordedModel::draft, 0, 2));
}

TEST_CASE("two recordings that are open at once do not share state") {
  RecordedText other = two_positions();
  other.tokens = {2, 2};
  const TemporaryFile one(recording_head(3) + two_positions().line());
  const TemporaryFile two(recording_head(3) + other.line());
  const auto first = open_recording(one.path());
  const auto second = open_recording(two.path());
  for (int i = 0; i < 2; ++i) {
    CHECK(first->path(0).tokens == std::vector<Token>{1, 0});
    CHECK(second->path(0).tokens == std::vector<Token>{2, 2});
  }
}

TEST_CASE("logits are softened in doubles") {
  const TemporaryFile file(
      recording_head(3, "logits") +
      R"({"tokens": [0], "draft": [[1000, "-inf", 1000]], "target": [[0, 0, 0]]})");
  const auto recording = open_recording(file.path());
  RecordedRow row;
  recording->read(RecordedModel::draft, 0, 0, row);
  CHECK(row.law == std::vector<double>{0.5, 0, 0.5});
  recording->read(RecordedModel::target, 0, 0, row);
  for (const double share : row.law) CHECK(share == Approx(1.0 / 3).epsilon(1e-15));
  const auto refused = [](const std::string& row_text, const std::string& reason) {
    CHECK_THAT(fault(recording_head(2, "logits") +
                     R"({"tokens": [0], "draft": [[1, 1]], "target": [)" + row_text + "]}"),
               Containing("prompt 0, position 0, target row: " + reason));
  };
  refused(R"(["-inf", "-inf"])", "every logit is -inf");
  refused(R"([1, "inf"])", "token 1 has \"inf\"");
  refused("[1, null]", "token 1 has null");
}

TEST_CASE("a softmax in single precision is read and a row off by a hundredth is not") {
  for (const Token vocabulary : {2, 32'000, 128'000, 1 << 20}) {
    for (const RecordedFloat kept :
         {RecordedFloat::float16, RecordedFloat::float32, RecordedFloat::float64}) {
      CHECK(most_missing(kept, vocabulary) < 0.0099);
      CHECK(most_missing(kept, vocabulary) >= most_missing(RecordedFloat::float32, vocabulary));
    }
    // The sum of V numbers 1/V in single precision, added sequentially.
    const float share = 1.0F / static_cast<float>(vocabulary);
    float sum = 0;
    for (Token x = 0; x < vocabulary; ++x) sum += share;
    CHECK(std::abs(sum - 1) <= most_missing(RecordedFloat::float32, vocabulary));
  }
  CHECK(most_missing(RecordedFloat::float32, 128'000) == Approx(0.00763).epsilon(0.01));
  RecordedText text = two_positions();
  text.target[1] = {1 - 0x1p-23, 0, 0};
  CHECK(fault(recording_head(3) + text.line()).empty());
  text.target[1] = {0.99, 0, 0};
  CHECK_THAT(fault(recording_head(3) + text.line()),
             Containing("prompt 0, position 1, target row: it sums to 0.99, not to 1 within"));
}

TEST_CASE("a faulty recording of JSON lines is refused with its place") {
  const std::string head = recording_head(3);
  const std::string good = two_positions().line();
  CHECK(fault(head + good).empty());
  const auto refused = [](const std::string& text, const std::string& reason) {
    CHECK_THAT(fault(text), Containing(reason));
  };
  refused("", "is empty");
  refused(head, "has no prompt");
  refused(head + good + good.substr(0, good.size() / 2), "prompt 1 is not valid JSON");
  refused(head.substr(0, 30) + "\n" + good, "line 1 is not valid JSON");
  refused("[1]\n" + good, "line 1 is not a JSON object");
  refused(R"({"format": "other", "version": 1, "vocabulary": 3, "rows": "logits"})"
          "\n" +
              good,
          "has the format 'other'");
  refused(R"({"format": "speclab-recorded", "version": 2, "vocabulary": 3, "rows": "logits"})"
          "\n" +
              good,
          "has version 2; this program reads version 1");
  refused(R"({"format": "speclab-recorded", "version": 1, "vocabulary": 3})"
          "\n" +
              good,
          "lacks the key \"rows\"");
  refused(recording_head(3, "odds") + good, "has rows 'odds'");
  refused(recording_head(0) + good, "has a vocabulary of 0");
  refused(recording_head(4) + good, "it has 3 entries; the vocabulary is 4");
  refused(head + R"({"tokens": [0], "start": [1], "draft": [[1,0,0]], "target": [[1,0,0]]})",
          "has the unknown key 'start'; the keys are tokens, starts, emitted, draft, target; did "
          "you mean "
          "'starts'?");
  refused(head + R"({"tokens": [0, 1], "draft": [[1,0,0]], "target": [[1,0,0]]})",
          "draft has 1 rows; give a list of 2, one a position");
  refused(head + R"({"tokens": [0], "draft": [[1,0,0]], "target": [[1,0,0],[1,0,0],[1,0,0]]})",
          "target has 3 rows; give a list of 1 or 2");
  refused(head + R"({"tokens": [0], "draft": [5], "target": [[1,0,0]]})", "it is not a list");
  refused(head + R"({"tokens": ["a"], "draft": [[1,0,0]], "target": [[1,0,0]]})",
          "tokens: entry 0 is \"a\"");
  refused(head + R"({"tokens": [], "draft": [], "target": []})", "prompt 0 has no token");
  // Its 64 bits are those of -1, which ends a path.
  refused(head + R"({"tokens": [0, 18446744073709551615], "draft": [[1,0,0],[1,0,0]], )" +
              R"("target": [[1,0,0],[1,0,0]]})",
          "entry 1 is 18446744073709551615; give a whole number");
}

TEST_CASE("a faulty path or row is refused with its prompt and position") {
  const std::string head = recording_head(3);
  const auto refused = [&](void (*change)(RecordedText&), const std::string& reason) {
    RecordedText text = two_positions();
    change(text);
    CHECK_THAT(fault(head + two_positions().line() + text.line()), Containing(reason));
  };
  refused([](RecordedText& text) { text.tokens[1] = 3; },
          "prompt 1, position 1: token 3 is none of the vocabulary's 0 to 2");
  refused([](RecordedText& text) { text.tokens[0] = -2; }, "prompt 1, position 0: token -2");
  refused([](RecordedText& text) { text.tokens[0] = -1; },
          "prompt 1, position 1: token 0 comes after a -1");
  refused(
      [](RecordedText& text) {
        text.starts = {1, 2};
      },
      "prompt 1, position 1: starts has 2; it is 1 where an iteration begins, else 0");
  refused([](RecordedText& text) { text.starts = {0, 0}; }, "prompt 1 has no start");
  refused([](RecordedText& text) { text.emitted = {0}; }, "emitted has 1 entries and tokens has 2");
  refused(
      [](RecordedText& text) {
        text.emitted = {text.tokens[0], 3};
      },
      "prompt 1, position 1: the emitted token 3 is none of the vocabulary");
  refused(
      [](RecordedText& text) {
        text.emitted = {text.tokens[0] == 0 ? 1 : 0, 0};
      },
      "prompt 1, position 1: the emitted token 0 stands behind one that is not the path's");
  refused([](RecordedText& text) { text.starts = {1}; }, "starts has 1 entries and tokens has 2");
  refused(
      [](RecordedText& text) {
        text.tokens[1] = -1;
        text.starts = {1, 1};
      },
      "prompt 1, position 1: an iteration starts where the path has no token");
  refused(
      [](RecordedText& text) {
        text.draft[1] = {-0.5, 0.75, 0.75};
      },
      "prompt 1, position 1, draft row: token 0 has -0.5");
  refused(
      [](RecordedText& text) {
        text.draft[1] = {0, 1.25, -0.25};
      },
      "prompt 1, position 1, draft row: token 2 has -0.25");
  refused(
      [](RecordedText& text) {
        text.target[2] = {0.5, 0.25, 1e308};
      },
      "prompt 1, position 2, target row: it sums to 1e+308");
  refused([](RecordedText& text) { text.draft[0].pop_back(); },
          "prompt 1, position 0, draft row: it has 2 entries; the vocabulary is 3");
}

TEST_CASE("a recording that is not there is refused") {
  CHECK_THROWS_WITH(make_pair("recorded(/nowhere/at/all)"), Containing("cannot read"));
  CHECK_THROWS_WITH(make_pair("recorded(/)"), Containing("is a directory"));
}

}  // namespace
}  // namespace speclab::recording_test
