// HDF5 recordings of several paths a prompt, and names that are no text.
#ifdef SPECLAB_HDF5
#include <functional>

#include "recorded/written_hdf5.h"
#include "recording_text.h"
#include "scratch.h"

namespace speclab::recording_hdf5_paths_test {
namespace {

using namespace written_hdf5;

/// Two prompts of two paths of up to two tokens, V = 2; the second path of the second has one.
File several() {
  File file;
  file.numbers["vocabulary"] = 2;
  file.numbers["paths"] = 2;
  file.data["tokens"] = {{2, 2, 2}, {1, 0, 0, 1, 1, 1, 0, -1}, H5T_STD_I32LE};
  file.data["starts"] = {{2, 2}, {1, 0, 1, 0}, H5T_STD_U8LE};
  std::vector<double> rows;
  for (int i = 1; i <= 12; ++i) rows.insert(rows.end(), {i / 16.0, 1 - i / 16.0});
  file.data["target"] = {{2, 2, 3, 2}, rows, H5T_IEEE_F64LE};
  rows.resize(16);
  file.data["draft"] = {{2, 2, 2, 2}, rows, H5T_IEEE_F32LE};
  return file;
}

TEST_CASE("an HDF5 recording of several paths is that of JSON lines") {
  const Scratch scratch;
  const auto row = [](int i) { return std::vector{i / 16.0, 1 - i / 16.0}; };
  std::vector<RecordedText> first{{{1, 0}, {row(1), row(2)}, {row(1), row(2), row(3)}, {1, 0}},
                                  {{0, 1}, {row(3), row(4)}, {row(4), row(5), row(6)}, {1, 0}}};
  std::vector<RecordedText> second{{{1, 1}, {row(5), row(6)}, {row(7), row(8), row(9)}, {1, 0}},
                                   {{0}, {row(7)}, {row(10), row(11)}, {1, 0}}};
  const auto listed = open_recording(scratch.write(
      "x.jsonl", recording_head(2, "probabilities", 2) + paths_line(first) + paths_line(second)));
  const auto found = open_recording(several().write(scratch.file("x.h5")));
  CHECK(found->shape().paths == 2);
  CHECK(listed->shape().paths == 2);
  for (const std::int64_t p : {0, 1}) {
    for (const int k : {0, 1}) {
      const RecordedPath path = found->path({p, k});
      CHECK(path.tokens == listed->path({p, k}).tokens);
      CHECK(path.starts == listed->path({p, k}).starts);
      for (int i = 0; i <= static_cast<int>(path.tokens.size()); ++i) {
        for (const RecordedModel model : {RecordedModel::draft, RecordedModel::target}) {
          if (model == RecordedModel::draft && i == static_cast<int>(path.tokens.size())) continue;
          RecordedRow one;
          RecordedRow other;
          found->read(model, {p, k}, i, one);
          listed->read(model, {p, k}, i, other);
          CHECK(one.law == other.law);
        }
      }
    }
  }
  CHECK(found->path({1, 1}).tokens == std::vector<Token>{0});
  CHECK_FALSE(listed->has_row(RecordedModel::draft, {1, 1}, 1));
}

TEST_CASE("an HDF5 recording of likeliest tokens may have no draft's rows") {
  const Scratch scratch;
  File file;
  file.words["drafts"] = "argmax";
  file.data.erase("draft");
  const auto found = open_recording(file.write(scratch.file("x.h5")));
  CHECK(found->shape().likeliest);
  CHECK(found->shape().whole_rows);
  CHECK(found->has_row(RecordedModel::target, {0}, 2));
  CHECK_FALSE(found->has_row(RecordedModel::draft, {0}, 0));
  CHECK(law(*found, RecordedModel::target, {0}, 0) == std::vector<double>{.125, .375, .5});
  // The likeliest tokens of the target alone.
  file.data.erase("target");
  file.data["target_ids"] = {{2, 2, 1}, {1, 0, 2, 0}, H5T_STD_I32LE};
  file.data["target_values"] = {{2, 2, 1}, {.5, .25, .5, .5}, H5T_IEEE_F64LE};
  file.data["target_rest"] = {{2, 2}, {.5, .75, .5, .5}, H5T_IEEE_F64LE};
  const auto few = open_recording(file.write(scratch.file("y.h5")));
  CHECK_FALSE(few->shape().whole_rows);
  RecordedRow row;
  few->read(RecordedModel::target, {0}, 1, row);
  CHECK(row.known == std::vector<Token>{0});
  CHECK(row.rest == 0.75);
  file.words["drafts"] = "greedy";
  CHECK_THAT(fault(file.write(scratch.file("z.h5"))), Containing("has drafts 'greedy'"));
  file.words["drafts"] = "sampled";
  CHECK_THAT(fault(file.write(scratch.file("w.h5"))), Containing("lacks the dataset 'draft'"));
}

TEST_CASE("a faulty HDF5 recording of several paths is refused with its place") {
  const Scratch scratch;
  const auto refused = [&](const std::function<void(File&)>& change, const std::string& reason) {
    File file = several();
    change(file);
    CHECK_THAT(fault(file.write(scratch.file("x.h5"))), Containing(reason));
  };
  CHECK(fault(several().write(scratch.file("good.h5"))).empty());
  refused([](File& f) { f.numbers["paths"] = 3; },
          "has tokens of 2 paths a prompt; its attribute 'paths' is 3");
  refused([](File& f) { f.numbers["paths"] = 0; }, "has 0 paths a prompt; give a whole number");
  refused([](File& f) { f.numbers.erase("paths"); },
          "has 'tokens' with the shape [2][2][2]; it has 2 dimensions here");
  refused(
      [](File& f) {
        f.data["draft"].shape = {2, 4, 2};
      },
      "has 'draft' with the shape [2][4][2]; it has 4 dimensions here");
  refused(
      [](File& f) {
        f.data["target"].shape = {1, 4, 3, 2};
      },
      "has 'target' with the shape [1][4][3][2] for tokens that are [2][2][2]; give one more "
      "than or just a row a token");
  refused(
      [](File& f) {
        f.data["starts"] = {{2, 2}, {1, 0, 1, 1}, H5T_STD_U8LE};
      },
      "prompt 1, path 1, position 1: an iteration starts where the path has no token");
  refused([](File& f) { f.data["tokens"].values[3] = 2; },
          "prompt 0, path 1, position 1: token 2 is none");
  refused([](File& f) { f.data["draft"].values[6] = .5; },
          "prompt 0, path 1, position 1, draft row: it sums to 1.25");
  refused(
      [](File& f) {
        for (const std::string model : {"draft", "target"}) {
          f.data.erase(model);
          f.data[model + "_ids"] = {{2, 2, 2, 1}, std::vector<double>(8, 0.0), H5T_STD_I32LE};
          f.data[model + "_values"] = {{2, 2, 2, 1}, std::vector<double>(8, .5), H5T_IEEE_F32LE};
          f.data[model + "_rest"] = {{2, 2, 2}, std::vector<double>(8, .5), H5T_IEEE_F32LE};
        }
      },
      "keeps the likeliest tokens of several paths");
}

TEST_CASE("names that are no text do not reach a message of an HDF5 recording") {
  const Scratch scratch;
  const auto clean = [](const std::string& message) {
    CHECK_FALSE(message.empty());
    for (const char c : message) CHECK((c >= ' ' && c <= '~'));
  };
  File file;
  file.data["\xff\xfe\x1b[31m"] = file.data["tokens"];
  clean(fault(file.write(scratch.file("name.h5"))));
  file = {};
  file.words["format"] = "speclab\x9b\xc3";
  clean(fault(file.write(scratch.file("format.h5"))));
  file = {};
  file.words["rows"] = "\n\xe2\x80";
  clean(fault(file.write(scratch.file("rows.h5"))));
}

}  // namespace
}  // namespace speclab::recording_hdf5_paths_test
#endif
