#ifdef SPECLAB_HDF5
#include "recorded/hdf5_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "base/text.h"

namespace speclab::hdf5 {
namespace {

/// The longest string that is read.
constexpr std::size_t kLongestWord = 1 << 20;
/// Compressed chunks are kept up to this many bytes a dataset.
constexpr std::size_t kChunkCache = std::size_t{64} << 20;

/// Half precision (IEEE 754 binary16), by its bits.
double from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const double fraction = bits & 1023;
  double value =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  if (exponent == 31) value = fraction > 0 ? NAN : HUGE_VAL;
  return (bits & 0x8000) != 0 ? -value : value;
}

const std::vector<double>& halves() {
  static const std::vector<double> table = [] {
    std::vector<double> values(65536);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = from_half(static_cast<std::uint16_t>(i));
    }
    return values;
  }();
  return table;
}

bool is_half(hid_t type) {
  std::size_t sign = 0, exponent = 0, exponent_size = 0, fraction = 0, fraction_size = 0;
  return H5Tget_size(type) == 2 &&
         H5Tget_fields(type, &sign, &exponent, &exponent_size, &fraction, &fraction_size) >= 0 &&
         sign == 15 && exponent == 10 && exponent_size == 5 && fraction == 0 &&
         fraction_size == 10 && H5Tget_ebias(type) == 15;
}

/// The numbers of a place as they are in memory. @param Number  of the size of the dataset's type
template <class Number>
std::optional<std::string> read_numbers(const Dataset& from, const Part& place,
                                        std::vector<Number>& numbers) {
  const std::lock_guard lock(library());
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // silences the error printer of this thread
  Part first(from.shape.size(), 0);
  Part size = from.shape;
  for (std::size_t i = 0; i < place.size(); ++i) {
    first[i] = place[i];
    size[i] = 1;
  }
  hsize_t count = 1;
  for (const hsize_t each : size) count *= each;
  numbers.resize(static_cast<std::size_t>(count));
  const Handle memory(H5Screate_simple(1, &count, nullptr), &H5Sclose);
  if (H5Sselect_hyperslab(from.space.id(), H5S_SELECT_SET, first.data(), nullptr, size.data(),
                          nullptr) < 0 ||
      H5Dread(from.data.id(), from.memory.id(), memory.id(), from.space.id(), H5P_DEFAULT,
              numbers.data()) < 0) {
    return library_error();  // before the library's next call forgets it
  }
  return std::nullopt;
}

}  // namespace

std::mutex& library() {
  static std::mutex mutex;
  return mutex;
}

std::string library_error() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned number, const H5E_error2_t* error, void* into) -> herr_t {
        if (number == 0 && error->desc != nullptr) *static_cast<std::string*>(into) = error->desc;
        return 0;
      },
      &text);
  return text.empty() ? "no reason is given" : abbreviate(text, 120);
}

std::string shape_text(const std::vector<hsize_t>& shape) {
  std::string all;
  for (const hsize_t size : shape) all += fmt::format("[{}]", size);
  return all.empty() ? "a single number" : all;
}

File::File(const std::string& path, std::string name) : name_(std::move(name)) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  file_ = {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), &H5Fclose};
  if (!file_.valid()) {
    refuse("cannot be opened as HDF5: " + library_error() + "; it may be cut off");
  }
}

void File::refuse(const std::string& message) const { throw InputError(name_ + " " + message); }

std::uint64_t File::size() const {
  hsize_t bytes = 0;
  H5Fget_filesize(file_.id(), &bytes);
  return bytes;
}

bool File::has_attribute(const char* name) const { return H5Aexists(file_.id(), name) > 0; }

Handle File::attribute(const char* name) const {
  if (!has_attribute(name)) {
    refuse(fmt::format("lacks the attribute '{}' of its root; see docs/recorded.md", name));
  }
  Handle found(H5Aopen(file_.id(), name, H5P_DEFAULT), &H5Aclose);
  const Handle space(found.valid() ? H5Aget_space(found.id()) : -1, &H5Sclose);
  if (!space.valid() || H5Sget_simple_extent_npoints(space.id()) != 1) {
    refuse(fmt::format("has an attribute '{}' that is not a single value", name));
  }
  return found;
}

std::int64_t File::whole_attribute(const char* name) const {
  const Handle found = attribute(name);
  const Handle type(H5Aget_type(found.id()), &H5Tclose);
  std::int64_t value = 0;
  if (H5Tget_class(type.id()) != H5T_INTEGER || H5Aread(found.id(), H5T_NATIVE_INT64, &value) < 0) {
    refuse(fmt::format("has an attribute '{}' that is not a whole number", name));
  }
  return value;
}

std::string File::word_attribute(const char* name) const {
  const Handle found = attribute(name);
  const Handle type(H5Aget_type(found.id()), &H5Tclose);
  if (H5Tget_class(type.id()) != H5T_STRING) {
    refuse(fmt::format("has an attribute '{}' that is not a string", name));
  }
  std::string value;
  if (H5Tis_variable_str(type.id()) > 0) {
    char* read = nullptr;
    if (H5Aread(found.id(), type.id(), static_cast<void*>(&read)) >= 0 && read != nullptr) {
      value = read;
      H5free_memory(read);
    }
  } else {
    value.resize(std::min<std::size_t>(H5Tget_size(type.id()), kLongestWord));
    if (value.size() == kLongestWord || H5Aread(found.id(), type.id(), value.data()) < 0) {
      value.clear();
    }
    value.resize(std::min(value.size(), value.find('\0')));
  }
  return value;
}

bool File::exists(const std::string& name) const {
  return H5Lexists(file_.id(), name.c_str(), H5P_DEFAULT) > 0;
}

std::size_t File::rank(const std::string& name) const {
  const Handle data(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), &H5Dclose);
  if (!data.valid()) return 0;  // dataset() says what is wrong
  const Handle space(H5Dget_space(data.id()), &H5Sclose);
  return static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.id())));
}

void File::check_members(const std::vector<std::string>& known) const {
  H5G_info_t group;
  if (H5Gget_info(file_.id(), &group) < 0) refuse("has no root; " + library_error());
  for (hsize_t i = 0; i < group.nlinks; ++i) {
    std::array<char, 64> name{};
    H5L_info_t link;
    if (H5Lget_name_by_idx(file_.id(), ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size(),
                           H5P_DEFAULT) < 0 ||
        H5Lget_info(file_.id(), name.data(), &link, H5P_DEFAULT) < 0) {
      refuse("has a member that cannot be read: " + library_error());
    }
    if (std::find(known.begin(), known.end(), name.data()) == known.end()) {
      refuse(fmt::format("has the unknown member '{}'; the members are {}{}",
                         abbreviate(name.data()), join(known), suggestion(name.data(), known)));
    }
    if (link.type != H5L_TYPE_HARD) {
      refuse(fmt::format("has '{}' as a link to elsewhere; it must be in the file", name.data()));
    }
  }
}

Dataset File::dataset(const std::string& name, std::size_t rank) const {
  if (!exists(name)) refuse(fmt::format("lacks the dataset '{}'; see docs/recorded.md", name));
  Dataset found;
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), &H5Pclose);
  H5Pset_chunk_cache(access.id(), H5D_CHUNK_CACHE_NSLOTS_DEFAULT, kChunkCache,
                     H5D_CHUNK_CACHE_W0_DEFAULT);
  found.data = {H5Dopen2(file_.id(), name.c_str(), access.id()), &H5Dclose};
  if (!found.data.valid()) {
    refuse(fmt::format("has '{}', which is no dataset: {}", name, library_error()));
  }
  const Handle made(H5Dget_create_plist(found.data.id()), &H5Pclose);
  if (H5Pget_layout(made.id()) == H5D_VIRTUAL || H5Pget_external_count(made.id()) > 0) {
    refuse(fmt::format("keeps '{}' in another file; it must be in this one", name));
  }
  found.space = {H5Dget_space(found.data.id()), &H5Sclose};
  const int dimensions = H5Sget_simple_extent_ndims(found.space.id());
  if (dimensions >= 0) {
    found.shape.resize(static_cast<std::size_t>(dimensions));
    H5Sget_simple_extent_dims(found.space.id(), found.shape.data(), nullptr);
  }
  if (found.shape.size() == rank) return found;
  refuse(
      fmt::format("has '{}' with the shape {}; it has {} dimensions here: one for the paths of a "
                  "prompt where the attribute 'paths' gives their number, and none without it",
                  name, shape_text(found.shape), rank));
}

Dataset File::integers(const std::string& name, std::size_t rank) const {
  Dataset found = dataset(name, rank);
  Handle type(H5Dget_type(found.data.id()), &H5Tclose);
  // NumPy's booleans are an enumeration of bytes.
  if (H5Tget_class(type.id()) == H5T_ENUM && H5Tget_size(type.id()) == 1) {
    found.memory = std::move(type);
    found.bytes = true;
    return found;
  }
  if (H5Tget_class(type.id()) != H5T_INTEGER) {
    refuse(fmt::format("has '{}' that is not of whole numbers", name));
  }
  found.memory = {H5Tcopy(H5T_NATIVE_INT64), &H5Tclose};
  return found;
}

Dataset File::floats(const std::string& name, std::size_t rank) const {
  Dataset found = dataset(name, rank);
  Handle type(H5Dget_type(found.data.id()), &H5Tclose);
  const std::size_t size = H5Tget_size(type.id());
  const bool real = H5Tget_class(type.id()) == H5T_FLOAT;
  if (real && is_half(type.id())) {
    found.kept = RecordedFloat::float16;
    found.swapped =
        (H5Tget_order(type.id()) == H5T_ORDER_BE) != (std::endian::native == std::endian::big);
    found.memory = std::move(type);  // its own bytes: the library's conversion is slow
  } else if (real && (size == 4 || size == 8)) {
    found.kept = size == 4 ? RecordedFloat::float32 : RecordedFloat::float64;
    found.memory = {H5Tcopy(size == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE), &H5Tclose};
  } else {
    refuse(fmt::format("has '{}' that is not of float16, float32 or float64", name));
  }
  return found;
}

std::optional<std::string> read_integers(const Dataset& from, const Part& place,
                                         std::vector<std::int64_t>& values) {
  if (!from.bytes) return read_numbers(from, place, values);
  thread_local std::vector<std::uint8_t> bytes;
  if (auto why = read_numbers(from, place, bytes)) return why;
  values.assign(bytes.begin(), bytes.end());
  return std::nullopt;
}

std::optional<std::string> read_floats(const Dataset& from, const Part& place,
                                       std::vector<double>& values) {
  if (from.kept == RecordedFloat::float64) return read_numbers(from, place, values);
  if (from.kept == RecordedFloat::float32) {
    thread_local std::vector<float> singles;
    if (auto why = read_numbers(from, place, singles)) return why;
    values.assign(singles.begin(), singles.end());
    return std::nullopt;
  }
  thread_local std::vector<std::uint16_t> read;
  if (auto why = read_numbers(from, place, read)) return why;
  const double* table = halves().data();
  values.resize(read.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    const std::uint16_t bits = read[i];
    values[i] = table[from.swapped ? static_cast<std::uint16_t>(bits << 8 | bits >> 8) : bits];
  }
  return std::nullopt;
}

}  // namespace speclab::hdf5
#endif
