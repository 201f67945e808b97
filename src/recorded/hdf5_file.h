#pragma once

// HDF5 files as recordings need them; included only where HDF5 is installed.
#include <hdf5.h>

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recorded/recording.h"

namespace speclab::hdf5 {

/// The library is not thread-safe: every call to it locks this mutex.
std::mutex& library();

/// An object of the library.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, -1)), close_(std::exchange(other.close_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0 && close_ != nullptr) close_(id_);
  }
  [[nodiscard]] bool valid() const { return id_ >= 0; }
  [[nodiscard]] hid_t id() const { return id_; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

/// Deletes what holds objects of the library, with the library locked also where a constructor
/// fails, after its own lock is released.
struct Close {
  template <class Parts>
  void operator()(Parts* parts) const {
    const std::lock_guard lock(library());
    delete parts;
  }
};

/// A dataset and its numbers' type in memory: 8-byte integers (1 byte where `bytes`), or floating
/// point of the stored precision.
struct Dataset {
  Handle data, memory, space;
  std::vector<hsize_t> shape;
  RecordedFloat kept = RecordedFloat::float64;
  bool bytes = false;    ///< NumPy's booleans
  bool swapped = false;  ///< binary16 in the other byte order
  [[nodiscard]] bool present() const { return data.valid(); }
};

/// "[2][3]".
std::string shape_text(const std::vector<hsize_t>& shape);

/// The library's message about the first error.
std::string library_error();

/// An open file. Its members require library() to be locked; errors are InputErrors "NAME ...".
class File {
 public:
  /// @param name  for messages
  File(const std::string& path, std::string name);

  [[nodiscard]] std::int64_t whole_attribute(const char* name) const;
  [[nodiscard]] std::string word_attribute(const char* name) const;
  [[nodiscard]] bool has_attribute(const char* name) const;

  /// Refuses other members, and links to other files: a misspelt name would change the numbers.
  void check_members(const std::vector<std::string>& known) const;
  [[nodiscard]] bool exists(const std::string& name) const;
  /// The number of dimensions of a dataset.
  [[nodiscard]] std::size_t rank(const std::string& name) const;
  [[nodiscard]] Dataset integers(const std::string& name, std::size_t rank) const;
  [[nodiscard]] Dataset floats(const std::string& name, std::size_t rank) const;

  /// Its length in bytes.
  [[nodiscard]] std::uint64_t size() const;

 private:
  [[noreturn]] void refuse(const std::string& message) const;
  [[nodiscard]] Handle attribute(const char* name) const;
  [[nodiscard]] Dataset dataset(const std::string& name, std::size_t rank) const;

  std::string name_;
  Handle file_;
};

/// The part of a dataset to read: all entries with these first indices, such as {prompt, position}.
using Part = std::vector<hsize_t>;

/// Both lock the library. @returns why the part cannot be read, or nothing
std::optional<std::string> read_integers(const Dataset& from, const Part& place,
                                         std::vector<std::int64_t>& values);
std::optional<std::string> read_floats(const Dataset& from, const Part& place,
                                       std::vector<double>& values);

}  // namespace speclab::hdf5
