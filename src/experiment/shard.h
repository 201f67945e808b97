#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace speclab {

/// The most parts that work is divided into.
inline constexpr int kMostShards = 100'000;

/// Part `number` of `of` parts of some work, from 1 to `of`; 1 of 1 is the whole. What a part has
/// depends on these two numbers alone.
struct Shard {
  int number = 1;
  int of = 1;

  [[nodiscard]] bool whole() const { return of == 1; }
  /// "2/3"
  [[nodiscard]] std::string text() const;
  /// Whether the part has the item of this number: every `of`-th one.
  [[nodiscard]] bool has(std::size_t item) const;
  /// The trials begin .. end - 1 of this part, of the trials 0 .. trials - 1: the parts follow one
  /// another, and their sizes differ by one trial at most.
  [[nodiscard]] std::uint64_t begin(std::uint64_t trials) const;
  [[nodiscard]] std::uint64_t end(std::uint64_t trials) const;

  bool operator==(const Shard&) const = default;
};

/// Names the build of this program, its version and commit. Call before other threads start.
void set_build(const std::string& build);
/// kResultsVersion with the build: shards of two builds are not added up.
std::string shard_version();

/// The record in a shard's store. Shards can be added up where all of it but the number is
/// equal and each is finished.
struct ShardRecord {
  Shard shard;
  std::uint64_t seed = 0;
  std::string version;  ///< shard_version() of the program that made it
  std::string work;     ///< what was divided: names, and a digest of every task
  bool finished = false;

  bool operator==(const ShardRecord&) const = default;
};

/// The first thing by which `other` is of other work than `one`, as "seed 2 rather than 1"; ""
/// where they are shards of one work.
std::string difference_of(const ShardRecord& other, const ShardRecord& one);

/// "FOLDER/results.sqlite", the store of a whole run.
std::string whole_store(const std::string& folder);
/// "FOLDER/results.shard-2-of-3.sqlite"; the whole store for 1 of 1.
std::string shard_store(const std::string& folder, Shard shard);
/// The files of a folder that are named like a shard's store, by number of parts and number.
std::vector<std::string> shard_stores(const std::string& folder);

class Store;

/// The rows that shards have together.
struct MergedRows {
  std::uint64_t answers = 0;
  std::uint64_t ranges = 0;  ///< of trials
  std::uint64_t trials = 0;
};

/// The stores of all shards of one work.
class ShardSet {
 public:
  /// Reads the record of each store.
  /// @param expected  the work that they must be of, or null; its number is not looked at, nor of
  /// how many parts it is
  /// @throws InputError naming the files where one is no shard's store, of other work, of another
  /// seed, version or number of parts, not finished, there twice, or missing
  explicit ShardSet(std::vector<std::string> files, const ShardRecord* expected = nullptr);

  [[nodiscard]] const ShardRecord& record() const { return record_; }
  [[nodiscard]] std::size_t size() const { return files_.size(); }
  /// Adds their rows to a store; a row that is there already stays. @throws InputError naming the
  /// files where a row is damaged, or is another than the one that is there
  MergedRows add_to(Store& whole) const;

 private:
  std::vector<std::string> files_;
  ShardRecord record_;  ///< of the first file
};

}  // namespace speclab
