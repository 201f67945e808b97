#pragma once

// HDF5 files made by the library's own calls from the bytes of an input: right ones and nearly
// right ones.
#include <array>
#include <map>

#include "fuzz.h"
#include "recorded/hdf5_file.h"

namespace speclab::fuzz {

/// An input as decisions, one a byte: 0 is the usual one, and all that follow its end.
class Decisions {
 public:
  Decisions(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  unsigned next() { return at_ < size_ ? data_[at_++] : 0; }
  /// One of 0 .. n - 1.
  unsigned below(unsigned n) { return next() % n; }
  [[nodiscard]] bool ended() const { return at_ >= size_; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

/// A file in memory with what the decisions say.
class MadeHdf5 {
 public:
  explicit MadeHdf5(Decisions& from) : from_(from) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
    H5Pset_fapl_core(access.id(), 1 << 14, 0);
    if (from_.below(2) == 1)
      H5Pset_libver_bounds(access.id(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    file_ = {H5Fcreate("made", H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), &H5Fclose};
    make_attributes();
    make_datasets();
    if (from_.below(8) == 7) make_other("odd");
  }

  [[nodiscard]] std::string bytes() const {
    H5Fflush(file_.id(), H5F_SCOPE_LOCAL);
    std::string image(
        static_cast<std::size_t>(std::max<ssize_t>(H5Fget_file_image(file_.id(), nullptr, 0), 0)),
        '\0');
    H5Fget_file_image(file_.id(), image.data(), image.size());
    return image;
  }

  using Shape = std::vector<hsize_t>;

  /// Whether the datasets are of one recording: a row a token (or one more of the target), each as
  /// wide as the vocabulary or with its tokens and its rest.
  [[nodiscard]] bool fits() const {
    const Shape tokens = shape("tokens");
    if (tokens.size() != (paths_ > 0 ? 3 : 2) || (paths_ > 0 && tokens[1] != paths_)) return false;
    const Shape starts = shape("starts");
    if (!starts.empty() && starts != Shape{tokens.front(), tokens.back()}) return false;
    return fits("draft", tokens, 0) && (fits("target", tokens, 0) || fits("target", tokens, 1));
  }

 private:
  using Handle = hdf5::Handle;

  /// Empty where there is no such dataset.
  [[nodiscard]] Shape shape(const std::string& name) const {
    const auto found = shapes_.find(name);
    return found == shapes_.end() ? Shape() : found->second;
  }

  [[nodiscard]] bool fits(const std::string& model, Shape rows, hsize_t after) const {
    rows.back() += after;
    const Shape values = shape(model + "_values");
    Shape whole = rows, known = rows;
    whole.push_back(static_cast<hsize_t>(vocabulary_));
    if (values.empty()) return shape(model) == whole;
    known.push_back(values.back());
    return values == known && shape(model + "_ids") == known && shape(model + "_rest") == rows;
  }

  void make_attributes() {
    word("format", "speclab-recorded");
    word("rows", from_.below(4) == 1 ? "logits" : "probabilities");
    number("version", 1);
    const unsigned width = from_.next();
    vocabulary_ = width == 255 ? 1 << 20 : 1 + (width + 2) % 5;
    number("vocabulary", vocabulary_);
    paths_ = from_.below(4);
    if (paths_ > 0) number("paths", static_cast<std::int64_t>(paths_));
    if (from_.below(16) == 1) word("tokenizer", "bytes");
  }

  /// A string, of fixed or variable length, or what is none.
  void word(const char* name, std::string value) {
    const unsigned choice = from_.next();
    if (choice == 255) return;
    if (choice == 254) return number(name, 7);
    if (choice > 192) value.resize(choice - 192, 'x');
    const bool variable = choice % 2 == 0;
    const Handle type(H5Tcopy(H5T_C_S1), &H5Tclose);
    H5Tset_size(type.id(), variable ? H5T_VARIABLE : std::max<std::size_t>(value.size(), 1));
    const Handle space(choice % 16 == 15 ? H5Screate(H5S_NULL) : H5Screate(H5S_SCALAR), &H5Sclose);
    const Handle made(H5Acreate2(file_.id(), name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
                      &H5Aclose);
    const char* text = value.c_str();
    // One of variable length that is never written is null.
    if (choice % 32 == 30) return;
    H5Awrite(made.id(), type.id(), variable ? static_cast<const void*>(&text) : text);
  }

  void number(const char* name, std::int64_t value) {
    const unsigned choice = from_.next();
    if (choice == 255) return;
    if (choice >= 240) value = value * 1'000'000'007 - choice;
    const hsize_t two = 2;
    const Handle space(
        choice % 16 == 15 ? H5Screate_simple(1, &two, nullptr) : H5Screate(H5S_SCALAR), &H5Sclose);
    const Handle made(
        H5Acreate2(file_.id(), name, type_of(choice), space.id(), H5P_DEFAULT, H5P_DEFAULT),
        &H5Aclose);
    const std::array<std::int64_t, 2> values{value, value};
    H5Awrite(made.id(), H5T_NATIVE_INT64, values.data());
  }

  /// The type that numbers are kept in; 0 gives the usual one of whole numbers, 1 of real ones.
  [[nodiscard]] hid_t type_of(unsigned choice) {
    static const hid_t half = [] {
      const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
      H5Tset_fields(type, 15, 10, 5, 0, 10);
      H5Tset_size(type, 2);
      H5Tset_ebias(type, 15);
      return type;
    }();
    static const hid_t swapped = [] {
      const hid_t type = H5Tcopy(half);
      H5Tset_order(type, H5T_ORDER_BE);
      return type;
    }();
    static const hid_t odd = [] {  // three bytes, with an offset
      const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
      H5Tset_fields(type, 23, 15, 8, 2, 13);
      H5Tset_size(type, 3);
      return type;
    }();
    static const hid_t flags = [] {
      const hid_t type = H5Tenum_create(H5T_NATIVE_INT8);
      for (const auto& [name, value] : std::map<const char*, signed char>{{"F", 0}, {"T", 1}}) {
        H5Tenum_insert(type, name, &value);
      }
      return type;
    }();
    const std::array<hid_t, 14> types{H5T_STD_I32LE,  H5T_IEEE_F32LE, H5T_IEEE_F64LE, half,
                                      H5T_STD_U8LE,   H5T_STD_I64BE,  H5T_STD_U64LE,  flags,
                                      H5T_IEEE_F32BE, swapped,        H5T_STD_B16LE,  odd,
                                      H5T_C_S1,       H5T_IEEE_F64BE};
    return types[choice % types.size()];
  }

  void make_datasets() {
    const hsize_t prompts = 1 + from_.below(3);
    const hsize_t positions = from_.next() == 255 ? 2'000'000 : 1 + from_.below(3);
    const auto vocabulary = static_cast<hsize_t>(vocabulary_);
    Shape tokens{prompts};
    if (paths_ > 0) tokens.push_back(paths_);
    tokens.push_back(positions);
    dataset("tokens", tokens, false);
    if (from_.below(4) == 1) dataset("starts", {prompts, positions}, false);
    const unsigned likeliest = from_.below(4) == 1 ? 1 + from_.below(3) : 0;
    const unsigned after = from_.below(3);
    for (const std::string model : {"draft", "target"}) {
      Shape rows = tokens;
      if (model == "target" && after == 1) ++rows.back();
      Shape rest = rows;
      rows.push_back(likeliest > 0 ? likeliest : vocabulary);
      if (likeliest == 0) {
        dataset(model, rows, true);
        continue;
      }
      dataset(model + "_values", rows, true);
      dataset(model + "_ids", rows, false);
      dataset(model + "_rest", rest, true);
    }
  }

  void dataset(const std::string& name, Shape shape, bool real) {
    const unsigned choice = from_.next();
    if (choice == 255) return;
    if (choice >= 248) return make_other(name);
    if (choice >= 240) shape[choice % shape.size()] += choice % 3;
    if (choice >= 236 && choice < 240) shape.push_back(1);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose);
    const unsigned layout = from_.next();
    set_layout(creation.id(), layout, shape);
    const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                       &H5Sclose);
    const hid_t type = type_of((real ? 1 : 0) + (choice < 236 ? choice / 4 : 0));
    const Handle made(H5Dcreate2(file_.id(), name.c_str(), type, space.id(), H5P_DEFAULT,
                                 creation.id(), H5P_DEFAULT),
                      &H5Dclose);
    if (made.valid()) shapes_[name] = shape;
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    if (layout == 255 || count < 0 || count > 1000) return;  // the fill value, never written
    const std::vector<double> values = numbers(static_cast<std::size_t>(count), shape.back(), real);
    H5Dwrite(made.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }

  static void set_layout(hid_t creation, unsigned layout, const Shape& shape) {
    if (layout % 4 == 1) H5Pset_layout(creation, H5D_COMPACT);
    if (layout % 4 >= 2) {
      Shape chunk(shape.size(), 1);
      chunk.back() = std::max<hsize_t>(std::min<hsize_t>(shape.back(), 4), 1);
      H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
      if (layout % 4 == 3) H5Pset_deflate(creation, 1);
    }
  }

  /// Tokens 0, or laws that are uniform, but for what the decisions change.
  std::vector<double> numbers(std::size_t count, hsize_t width, bool real) {
    constexpr std::array<double, 14> kOdd{0,   1,    -1,  0.5,    2,         3,        1e-300,
                                          NAN, 1e30, -.5, 0.0039, -HUGE_VAL, HUGE_VAL, 1e-5};
    std::vector<double> values(count, real ? 1.0 / static_cast<double>(width) : 0.0);
    for (unsigned changes = from_.below(8); changes > 0 && count > 0; --changes) {
      values[from_.next() % count] = kOdd[from_.below(kOdd.size())];
    }
    return values;
  }

  /// A member that is no dataset of the file's own, or one that is kept twice.
  void make_other(const std::string& name) {
    const char* at = name.c_str();
    switch (from_.below(5)) {
      case 0:
        H5Gclose(H5Gcreate2(file_.id(), at, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        return;
      case 1:
        H5Lcreate_soft("/tokens", file_.id(), at, H5P_DEFAULT, H5P_DEFAULT);
        shapes_[name] = shape("tokens");
        return;
      case 2:
        H5Lcreate_external("/nonexistent.h5", "/tokens", file_.id(), at, H5P_DEFAULT, H5P_DEFAULT);
        return;
      case 3:
        H5Lcreate_hard(file_.id(), "/tokens", file_.id(), at, H5P_DEFAULT, H5P_DEFAULT);
        shapes_[name] = shape("tokens");
        return;
      default:
        H5Lcreate_soft(at, file_.id(), at, H5P_DEFAULT, H5P_DEFAULT);  // to itself
    }
  }

  Decisions& from_;
  Handle file_;
  std::map<std::string, Shape> shapes_;  ///< of the datasets that were made
  std::int64_t vocabulary_ = 3;
  hsize_t paths_ = 0;
};

}  // namespace speclab::fuzz
