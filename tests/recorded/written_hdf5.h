#pragma once

// HDF5 recordings written by the library's own calls and conversions; where HDF5 is installed.
#include <hdf5.h>

#include <map>
#include <string>
#include <vector>

#include "recorded/fault.h"
#include "recorded/recording.h"

namespace speclab::written_hdf5 {

using Shape = std::vector<hsize_t>;

/// A dataset to be written from doubles.
struct Data {
  Shape shape;
  std::vector<double> values;
  hid_t type;
  bool checked = false;  ///< in one chunk with a checksum, so that changed bytes cannot be read
};

inline hid_t half() {
  const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
  H5Tset_fields(type, 15, 10, 5, 0, 10);
  H5Tset_size(type, 2);
  H5Tset_ebias(type, 15);
  return type;
}

/// As NumPy keeps booleans.
inline hid_t boolean() {
  const hid_t type = H5Tenum_create(H5T_NATIVE_INT8);
  const signed char no = 0, yes = 1;
  H5Tenum_insert(type, "FALSE", &no);
  H5Tenum_insert(type, "TRUE", &yes);
  return type;
}

/// A file: of two prompts of up to two tokens, V = 3; the second path has one.
struct File {
  std::map<std::string, std::string> words{{"format", "speclab-recorded"},
                                           {"rows", "probabilities"}};
  hsize_t word_size = 0;  ///< bytes of a word, filled up with zeros; 0: of variable length
  std::map<std::string, std::int64_t> numbers{{"version", 1}, {"vocabulary", 3}};
  std::map<std::string, Data> data{
      {"tokens", {{2, 2}, {1, 0, 2, -1}, H5T_STD_I32LE}},
      {"draft", {{2, 2, 3}, {.25, .5, .25, .5, .25, .25, 0, 0, 1, 0, 0, 0}, H5T_IEEE_F32LE}},
      {"target",
       {{2, 3, 3},
        {.125, .375, .5, 1, 0, 0, .25, .25, .5, .5, .5, 0, 0, .5, .5, 0, 0, 0},
        H5T_IEEE_F64LE}}};

  std::string write(const std::string& path) const {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t one = H5Screate(H5S_SCALAR);
    for (const auto& [name, word] : words) {
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, word_size > 0 ? word_size : H5T_VARIABLE);
      std::string filled = word;
      if (word_size > 0) filled.resize(word_size);
      const char* text = filled.data();
      const hid_t made = H5Acreate2(file, name.c_str(), type, one, H5P_DEFAULT, H5P_DEFAULT);
      H5Awrite(made, type, word_size > 0 ? text : static_cast<const void*>(&text));
      H5Aclose(made);
    }
    for (const auto& [name, number] : numbers) {
      const hid_t made =
          H5Acreate2(file, name.c_str(), H5T_STD_I64LE, one, H5P_DEFAULT, H5P_DEFAULT);
      H5Awrite(made, H5T_NATIVE_INT64, &number);
      H5Aclose(made);
    }
    for (const auto& [name, each] : data) {
      const hid_t space =
          H5Screate_simple(static_cast<int>(each.shape.size()), each.shape.data(), nullptr);
      const hid_t kept = H5Pcreate(H5P_DATASET_CREATE);
      if (each.checked) {
        H5Pset_chunk(kept, static_cast<int>(each.shape.size()), each.shape.data());
        H5Pset_fletcher32(kept);
      }
      const hid_t made =
          H5Dcreate2(file, name.c_str(), each.type, space, H5P_DEFAULT, kept, H5P_DEFAULT);
      H5Pclose(kept);
      if (H5Tget_class(each.type) == H5T_ENUM) {
        const std::vector<signed char> bytes(each.values.begin(), each.values.end());
        H5Dwrite(made, each.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
      } else {
        H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, each.values.data());
      }
      H5Dclose(made);
      H5Sclose(space);
    }
    H5Sclose(one);
    H5Fclose(file);
    return path;
  }
};

inline std::vector<double> law(const Recording& recording, RecordedModel model, PathNumber at,
                               int position) {
  RecordedRow row;
  recording.read(model, at, position, row);
  return row.law;
}

using recordings::fault;

}  // namespace speclab::written_hdf5
