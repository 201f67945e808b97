#include "experiment/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "base/error.h"
#include "base/text.h"
#include "experiment/store.h"
#include "experiment/whole_numbers.h"
#include "system/read_file.h"

namespace speclab {
namespace {

std::string g_build;

namespace fs = std::filesystem;

/// The record of a file that must be a shard's store.
ShardRecord record_of(const std::string& file) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed) || fs::file_size(file, failed) == 0) {
    throw InputError("there is no shard's store " + quoted_path(file) +
                     "; give the files that sharded runs left in their folders of results");
  }
  const auto record = Store(file).shard();
  if (!record) {
    throw InputError(quoted_path(file) +
                     " is a store of whole results and no shard's; leave it out");
  }
  return *record;
}

/// "shards 2 and 5 of 7 are", "shard 2 of 3 is".
std::string missing_text(const std::vector<int>& numbers, int of) {
  std::string text = numbers.size() == 1 ? "shard " : "shards ";
  constexpr std::size_t kMostNamed = 8;
  const std::size_t named = std::min(numbers.size(), kMostNamed);
  for (std::size_t i = 0; i < named; ++i) {
    if (i > 0) text += i + 1 == numbers.size() ? " and " : ", ";
    text += std::to_string(numbers[i]);
  }
  if (named < numbers.size()) text += fmt::format(" and {} more", numbers.size() - named);
  return fmt::format("{} of {} {}", text, of, numbers.size() == 1 ? "is" : "are");
}

}  // namespace

std::string Shard::text() const { return fmt::format("{}/{}", number, of); }

bool Shard::has(std::size_t item) const {
  return item % static_cast<std::size_t>(of) == static_cast<std::size_t>(number - 1);
}

std::uint64_t Shard::begin(std::uint64_t trials) const {
  const auto parts = static_cast<std::uint64_t>(of);
  const auto before = static_cast<std::uint64_t>(number - 1);
  return trials / parts * before + trials % parts * before / parts;
}

std::uint64_t Shard::end(std::uint64_t trials) const {
  return number == of ? trials : Shard{number + 1, of}.begin(trials);
}

void set_build(const std::string& build) { g_build = build; }

std::string shard_version() {
  return g_build.empty() ? kResultsVersion : fmt::format("{} of {}", kResultsVersion, g_build);
}

std::string difference_of(const ShardRecord& other, const ShardRecord& one) {
  if (other.version != one.version) {
    return fmt::format("version {} rather than {}", other.version, one.version);
  }
  if (other.seed != one.seed) return fmt::format("seed {} rather than {}", other.seed, one.seed);
  if (other.work != one.work) {
    return fmt::format("'{}' rather than '{}'", abbreviate(other.work, 200),
                       abbreviate(one.work, 200));
  }
  if (other.shard.of != one.shard.of) {
    return fmt::format("{} shards rather than {}", other.shard.of, one.shard.of);
  }
  return "";
}

std::string whole_store(const std::string& folder) {
  return (fs::path(folder) / "results.sqlite").string();
}

std::string shard_store(const std::string& folder, Shard shard) {
  if (shard.whole()) return whole_store(folder);
  const std::string name = fmt::format("results.shard-{}-of-{}.sqlite", shard.number, shard.of);
  return (fs::path(folder) / name).string();
}

std::vector<std::string> shard_stores(const std::string& folder) {
  constexpr std::string_view kBegin = "results.shard-", kEnd = ".sqlite";
  std::vector<std::tuple<std::int64_t, std::int64_t, std::string>> found;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) continue;
    const std::string middle = name.substr(
        kBegin.size(), name.size() - std::min(name.size(), kBegin.size() + kEnd.size()));
    const std::vector<std::int64_t> parts = whole_numbers(middle, "-of-");
    if (parts.size() == 2) found.emplace_back(parts[1], parts[0], entry.path().string());
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> files;
  for (const auto& [of, number, file] : found) files.push_back(file);
  return files;
}

ShardSet::ShardSet(std::vector<std::string> files, const ShardRecord* expected)
    : files_(std::move(files)) {
  if (files_.empty()) throw InputError("there are no shards; give their stores");
  record_ = record_of(files_.front());
  ShardRecord own = record_;
  own.version = shard_version();
  std::map<int, std::string> known;
  for (const std::string& file : files_) {
    const ShardRecord record = record_of(file);
    ShardRecord wanted = expected != nullptr ? *expected : own;
    wanted.shard.of = record.shard.of;  // looked at last
    std::string wrong = difference_of(record, wanted);
    if (!wrong.empty()) {
      throw InputError(fmt::format(
          "{} is a shard of another run than {}: {}; leave it out, or run it again",
          quoted_path(file),
          expected != nullptr || file == files_.front() ? "this one" : quoted_path(files_.front()),
          wrong));
    }
    wrong = difference_of(record, record_);
    if (!wrong.empty()) {
      throw InputError(fmt::format("{} and {} are not of one run: {}; give the shards of one run",
                                   quoted_path(file), quoted_path(files_.front()), wrong));
    }
    const auto [other, is_new] = known.emplace(record.shard.number, file);
    if (!is_new) {
      throw InputError(fmt::format("{} and {} are both shard {}; leave one of them out",
                                   quoted_path(other->second), quoted_path(file),
                                   record.shard.text()));
    }
    if (!record.finished) {
      throw InputError(fmt::format("shard {} in {} is not finished; run it to its end",
                                   record.shard.text(), quoted_path(file)));
    }
  }
  std::vector<int> missing;
  for (int i = 1; i <= record_.shard.of; ++i) {
    if (!known.contains(i)) missing.push_back(i);
  }
  if (!missing.empty()) {
    throw InputError(fmt::format("{} missing beside {}; run what is missing, or name its store too",
                                 missing_text(missing, record_.shard.of),
                                 quoted_path(files_.front())));
  }
}

MergedRows ShardSet::add_to(Store& whole) const {
  MergedRows rows;
  whole.soon([&] {
    for (const std::string& file : files_) {
      Store shard(file);
      whole.add(shard, record_.seed, rows);
    }
  });
  return rows;
}

}  // namespace speclab
