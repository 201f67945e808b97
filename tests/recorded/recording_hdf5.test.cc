// Recordings in HDF5, written by the library's own calls and conversions.
#ifdef SPECLAB_HDF5
#include "recorded/written_hdf5.h"
#endif

#include <fmt/format.h>

#include <filesystem>
#include <functional>

#include "base/error.h"
#include "catch.h"
#include "recorded/recording.h"
#include "scratch.h"
#include "system/read_file.h"

namespace speclab::recording_hdf5_test {
namespace {

#ifdef SPECLAB_HDF5

using namespace written_hdf5;

TEST_CASE("an HDF5 recording gives its paths and rows") {
  const Scratch scratch;
  for (const hid_t type : {half(), H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_IEEE_F32BE}) {
    File file;
    file.data["draft"].type = type;
    file.data["target"].type = type;
    file.data["starts"] = {{2, 2}, {1, 1, 1, 0}, H5T_STD_U8LE};
    const auto recording = open_recording(file.write(scratch.file("x.h5")));
    CHECK(recording->shape().vocabulary == 3);
    CHECK(recording->shape().prompts == 2);
    CHECK(recording->path(0).tokens == std::vector<Token>{1, 0});
    CHECK(recording->path(0).starts == std::vector<int>{0, 1});
    CHECK(recording->path(1).tokens == std::vector<Token>{2});
    CHECK(law(*recording, RecordedModel::draft, 0, 1) == std::vector<double>{.5, .25, .25});
    CHECK(law(*recording, RecordedModel::target, 0, 0) == std::vector<double>{.125, .375, .5});
    CHECK(law(*recording, RecordedModel::target, 1, 1) == std::vector<double>{0, .5, .5});
    CHECK(recording->has_row(RecordedModel::target, 0, 2));
    CHECK_FALSE(recording->has_row(RecordedModel::target, 0, 3));
    CHECK_FALSE(recording->has_row(RecordedModel::draft, 0, 2));
  }
}

TEST_CASE("starts may be booleans of NumPy") {
  const Scratch scratch;
  File file;
  file.data["starts"] = {{2, 2}, {1, 1, 1, 0}, boolean()};
  const auto recording = open_recording(file.write(scratch.file("x.h5")));
  CHECK(recording->path(0).starts == std::vector<int>{0, 1});
  CHECK(recording->path(1).starts == std::vector<int>{0});
}

TEST_CASE("a group in the place of a dataset is refused") {
  const Scratch scratch;
  File file;
  file.data.erase("draft");
  const std::string path = file.write(scratch.file("x.h5"));
  const hid_t opened = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Gclose(H5Gcreate2(opened, "draft", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(opened);
  CHECK_THAT(fault(path), Containing("has 'draft', which is no dataset"));
}

TEST_CASE("words of an HDF5 recording may have a fixed size") {
  const Scratch scratch;
  for (const hsize_t size :
       {hsize_t{16}, hsize_t{17}, hsize_t{40}}) {  // 16: without a zero at the end
    File file;
    file.word_size = size;
    CHECK(fault(file.write(scratch.file("x.h5"))).empty());
    file.words["rows"] = "probabilitie";
    CHECK_THAT(fault(file.write(scratch.file("x.h5"))), Containing("probabilitie"));
  }
}

TEST_CASE("numbers corrupted on disk are refused") {
  const Scratch scratch;
  const std::vector<std::pair<hid_t, std::string>> first_numbers{
      {half(), {"\x00\x34\x00\x38", 4}},
      {H5T_IEEE_F32LE, {"\x00\x00\x80\x3e\x00\x00\x00\x3f", 8}},
      {H5T_IEEE_F64LE, {"\0\0\0\0\0\0\xd0\x3f\0\0\0\0\0\0\xe0\x3f", 16}}};
  for (const auto& [type, quarter_half] : first_numbers) {
    File file;
    file.data["draft"].type = type;
    file.data["draft"].checked = true;
    const std::string path = file.write(scratch.file("x.h5"));
    CHECK(fault(path).empty());
    std::string bytes = read_file(path);
    const std::size_t at = bytes.find(quarter_half);
    REQUIRE(at != std::string::npos);
    bytes[at] = 1;  // far below what is kept of a sum: only the checksum detects it
    CHECK_THAT(fault(scratch.write("y.h5", bytes)),
               Containing("prompt 0, position 0: cannot be read: ") && !Containing("no reason"));
  }
}

TEST_CASE("checksums of rows and paths are checked") {
  const Scratch scratch;
  File right;
  right.data["draft"].type = H5T_IEEE_F64LE;
  right.data["draft_sums"] = {
      {2, 2}, {16000 * 0x1p48, 15968 * 0x1p48, 16304 * 0x1p48, 0}, H5T_STD_I64LE};
  right.data["path_sums"] = {{2}, {1, -1}, H5T_STD_I64LE};
  right.data["starts"] = {{2, 2}, {1, 1, 1, 0}, H5T_STD_U8LE};
  right.data["start_sums"] = {{2}, {4, 1}, H5T_STD_I64LE};
  const auto recording = open_recording(right.write(scratch.file("right.h5")));
  CHECK(law(*recording, RecordedModel::draft, 0, 1) == std::vector<double>{.5, .25, .25});
  CHECK(law(*recording, RecordedModel::draft, 1, 0) == std::vector<double>{0, 0, 1});
  CHECK(recording->path(1).tokens == std::vector<Token>{2});

  File row = right;
  row.data["draft"].values[3] += 0x1p-50;  // far below what is kept of a sum
  const auto other = open_recording(row.write(scratch.file("row.h5")));
  CHECK(law(*other, RecordedModel::draft, 0, 0) == std::vector<double>{.25, .5, .25});
  CHECK_THROWS_WITH(law(*other, RecordedModel::draft, 0, 1),
                    Containing("prompt 0, position 1: cannot be read: its checksum is another"));
  File token = right;
  token.data["tokens"].values[0] = 2;
  CHECK_THROWS_WITH(open_recording(token.write(scratch.file("token.h5")))->path(0),
                    Containing("checksum is another"));
  File start = right;
  start.data["starts"].values[1] = 0;
  CHECK_THROWS_WITH(open_recording(start.write(scratch.file("start.h5")))->path(0),
                    Containing("checksum is another"));
  File shape = right;
  shape.data["draft_sums"] = {{2}, {0, 0}, H5T_STD_I64LE};
  CHECK_THROWS_AS(open_recording(shape.write(scratch.file("shape.h5"))), InputError);
}

TEST_CASE("half precision is read exactly") {
  const Scratch scratch;
  // The library's own conversion gives the number again; 2^-20 and 3 2^-24 are below its normals.
  const std::vector<double> row{0.5, 0x1p-20, 3 * 0x1p-24, 1.0 / 3, 0.1666};
  File file;
  file.numbers["vocabulary"] = 5;
  file.data["tokens"] = {{1, 1}, {0}, H5T_STD_I32LE};
  for (const char* model : {"draft", "target"}) file.data[model] = {{1, 1, 5}, row, half()};
  const auto recording = open_recording(file.write(scratch.file("x.h5")));
  const std::vector<double> kept{0.5, 0x1p-20, 3 * 0x1p-24, 1365 * 0x1p-12, 1365 * 0x1p-13};
  double sum = 0;
  for (const double each : kept) sum += each;
  const auto found = law(*recording, RecordedModel::draft, 0, 0);
  for (std::size_t x = 0; x < 5; ++x) CHECK(found[x] == Approx(kept[x] / sum).epsilon(1e-15));
}

TEST_CASE("a sum may be as far from 1 as the kept numbers are coarse") {
  const Scratch scratch;
  File file;
  file.data["draft"].values[0] += 0x1p-12;  // a half's spacing at 1/4
  file.data["draft"].type = half();
  CHECK(fault(file.write(scratch.file("x.h5"))).empty());
  for (const hid_t type : {H5T_IEEE_F32LE, H5T_IEEE_F64LE}) {
    file.data["draft"].type = type;
    CHECK_THAT(fault(file.write(scratch.file("x.h5"))),
               Containing("draft row: it sums to 1.00024"));
  }
}

TEST_CASE("the likeliest tokens and the mass of the rest are read") {
  const Scratch scratch;
  File file;
  file.data.erase("draft");
  file.data.erase("target");
  file.data["tokens"] = {{1, 1}, {2}, H5T_STD_I32LE};
  file.data["draft_ids"] = {{1, 1, 2}, {2, 0}, H5T_STD_I32LE};
  file.data["draft_values"] = {{1, 1, 2}, {.5, .25}, H5T_IEEE_F32LE};
  file.data["draft_rest"] = {{1, 1}, {.25}, H5T_IEEE_F32LE};
  file.data["target_ids"] = {{1, 1, 2}, {1, 2}, H5T_STD_I32LE};
  file.data["target_values"] = {{1, 1, 2}, {.75, .25}, H5T_IEEE_F32LE};
  file.data["target_rest"] = {{1, 1}, {0}, H5T_IEEE_F32LE};
  int written = 0;
  const auto recording_of = [&](const File& made) {
    return open_recording(made.write(scratch.file(fmt::format("{}.h5", ++written))));
  };
  const auto recording = recording_of(file);
  RecordedRow row;
  recording->read(RecordedModel::draft, 0, 0, row);
  CHECK(row.known == std::vector<Token>{0, 2});
  CHECK(row.law == std::vector<double>{.25, .5});
  CHECK(row.rest == .25);
  // Nothing is left: the row is whole.
  recording->read(RecordedModel::target, 0, 0, row);
  CHECK(row.whole());
  CHECK(row.law == std::vector<double>{0, .75, .25});
  // Every token is listed: nothing can be left.
  file.numbers["vocabulary"] = 2;
  file.data["tokens"].values = {1};
  file.data["target_ids"].values = file.data["draft_ids"].values = {1, 0};
  recording_of(file)->read(RecordedModel::target, 0, 0, row);
  CHECK(row.law == std::vector<double>{.25, .75});
  CHECK_THROWS_WITH(recording_of(file)->read(RecordedModel::draft, 0, 0, row),
                    Containing("every token is listed and the rest is 0.25"));
  file.data["draft_rest"].values = {0x1p-24};  // no more than rounding
  file.data["draft_values"].values = {.5, .5};
  recording_of(file)->read(RecordedModel::draft, 0, 0, row);
  CHECK(row.law == std::vector<double>{.5, .5});
  file.numbers["vocabulary"] = 3;
  file.data["draft_ids"].values = {2, 2};
  RecordedRow twice;
  CHECK_THROWS_WITH(recording_of(file)->read(RecordedModel::draft, 0, 0, twice),
                    Containing("token 2 is listed twice"));
  file.words["rows"] = "logits";
  CHECK_THROWS_WITH(recording_of(file), Containing("the rest is a mass"));
}

TEST_CASE("a faulty HDF5 recording is refused with its place") {
  const Scratch scratch;
  const auto refused = [&](const std::function<void(File&)>& change, const std::string& reason) {
    File file;
    change(file);
    CHECK_THAT(fault(file.write(scratch.file("x.h5"))), Containing(reason));
  };
  CHECK(fault(File().write(scratch.file("good.h5"))).empty());
  refused([](File& f) { f.words.erase("format"); }, "lacks the attribute 'format'");
  refused([](File& f) { f.words["format"] = "x"; }, "has the format 'x'");
  refused([](File& f) { f.numbers["version"] = 7; }, "has version 7");
  refused([](File& f) { f.numbers["vocabulary"] = 4; }, "with rows of 3; the vocabulary is 4");
  refused([](File& f) { f.data.erase("tokens"); }, "lacks the dataset 'tokens'");
  refused([](File& f) { f.data.erase("target"); }, "has whole rows and rows of the likeliest");
  refused([](File& f) { f.data["start"] = f.data["tokens"]; },
          "has the unknown member 'start'; the members are");
  refused([](File& f) { f.data["tokens"].type = H5T_IEEE_F32LE; }, "not of whole numbers");
  refused([](File& f) { f.data["draft"].type = H5T_STD_I32LE; }, "not of float16, float32 or");
  refused(
      [](File& f) {
        f.data["tokens"].shape = {1, 2, 2};
      },
      "has 'tokens' with the shape [1][2][2]; it has 2 dimensions here");
  refused([](File& f) { f.data["draft"].shape = {1, 2, 2, 3}; }, "[1][2][2][3]; it has 3");
  refused(
      [](File& f) {
        f.data["draft"].shape = {1, 4, 3};
      },
      "has 'draft' with the shape [1][4][3] for tokens that are [2][2]; give a row a token");
  refused(
      [](File& f) {
        f.data["starts"] = {{2, 1}, {1, 1}, H5T_STD_U8LE};
      },
      "has starts that are [2][1] and tokens that are [2][2]");
  refused(
      [](File& f) {
        f.data["starts"] = {{2, 2}, {1, 0, 0, 0}, H5T_STD_U8LE};
      },
      "prompt 1 has no start");
  refused(
      [](File& f) {
        f.data["tokens"].values = {1, 3, 2, -1};
      },
      "prompt 0, position 1: token 3 is none");
  refused(
      [](File& f) {
        f.data["tokens"].values = {1, 0, -1, 2};
      },
      "prompt 1, position 1: token 2 comes after a -1");
  refused([](File& f) { f.data["draft"].values[3] = NAN; },
          "prompt 0, position 1, draft row: token 0 has nan");
  refused([](File& f) { f.data["target"].values[2] = -.5; },
          "prompt 0, position 0, target row: token 2 has -0.5");
  refused([](File& f) { f.data["target"].values[9] = .51; },
          "prompt 1, position 0, target row: it sums to 1.01");
  refused([](File& f) { f.data["target"].values[12] = INFINITY; },
          "prompt 1, position 1, target row: token 0 has inf");
}

TEST_CASE("an HDF5 recording that is cut off or scrambled is refused") {
  const Scratch scratch;
  const std::string whole = File().write(scratch.file("whole.h5"));
  const auto size = std::filesystem::file_size(whole);
  for (const auto left : {size / 4, size / 2, size - 1}) {
    const std::string cut = scratch.file("cut.h5");
    std::filesystem::copy_file(whole, cut, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut, left);
    CHECK_THAT(fault(cut), Containing("cannot be opened as HDF5"));
  }
  CHECK_THAT(fault(scratch.write("head.h5", "\x89HDF\r\n\x1a\n and no more")),
             Containing("cannot be opened as HDF5"));
}

#else

TEST_CASE("without HDF5 a recording says what is missing") {
  const Scratch scratch;
  CHECK_THROWS_WITH(open_recording(scratch.write("x.h5", "\x89HDF\r\n\x1a\n")),
                    Containing("install HDF5"));
}

#endif

}  // namespace
}  // namespace speclab::recording_hdf5_test
