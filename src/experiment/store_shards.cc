// The part of a store that records its shard, and adding up the stores of shards.
#include <fmt/format.h>

#include "base/error.h"
#include "base/random.h"
#include "base/text.h"
#include "experiment/store_statement.h"
#include "system/read_file.h"

namespace speclab {
namespace {

std::uint64_t shard_checksum(const ShardRecord& record) {
  return task_hash(fmt::format("shard {} {} {} {} {}:{} {}:{}", record.shard.number,
                               record.shard.of, record.seed, record.finished, record.version.size(),
                               record.version, record.work.size(), record.work));
}

}  // namespace

std::optional<ShardRecord> Store::shard() {
  if (!Statement(*this, "SELECT 1 FROM sqlite_schema WHERE name = 'shard'").step()) return {};
  Statement query(*this,
                  "SELECT number, parts, seed, finished, version, work, checksum FROM shard");
  if (!query.step()) return {};
  ShardRecord record;
  record.shard = {static_cast<int>(query.number(0)), static_cast<int>(query.number(1))};
  record.seed = query.number(2);
  record.finished = query.number(3) != 0;
  record.version = query.text(4);
  record.work = query.text(5);
  const Shard& shard = record.shard;
  const bool possible =
      shard.of > 1 && shard.of <= kMostShards && shard.number >= 1 && shard.number <= shard.of;
  if (!possible || query.number(6) != shard_checksum(record) || query.step()) {
    throw InputError("the results file " + quoted_path(path_) +
                     " has a damaged row about its shard; remove the file and run the shard "
                     "again");
  }
  return record;
}

void Store::write_shard(const ShardRecord& record) {
  together([&] {
    execute(
        "CREATE TABLE IF NOT EXISTS shard (number INTEGER NOT NULL, parts INTEGER NOT NULL, seed "
        "INTEGER NOT NULL, version TEXT NOT NULL, work TEXT NOT NULL, finished INTEGER NOT NULL, "
        "checksum INTEGER NOT NULL)");
    execute("DELETE FROM shard");
    write("INSERT INTO shard VALUES (?, ?, ?, ?, ?, ?, ?)",
          static_cast<std::uint64_t>(record.shard.number),
          static_cast<std::uint64_t>(record.shard.of), record.seed, record.version, record.work,
          std::uint64_t{record.finished}, shard_checksum(record));
  });
}

void Store::begin_shard(const ShardRecord& record) {
  if (const auto known = shard()) {
    const std::string wrong = difference_of(*known, record);
    if (wrong.empty() && known->shard == record.shard) return;
    throw InputError(fmt::format(
        "the results file {} is a shard of another run: {}; remove it, or give another folder for "
        "results",
        quoted_path(path_),
        wrong.empty()
            ? fmt::format("shard {} rather than {}", known->shard.text(), record.shard.text())
            : wrong));
  }
  write_shard(record);
}

void Store::finish_shard() {
  ShardRecord record = shard().value();
  if (record.finished) return;
  record.finished = true;
  write_shard(record);
}

bool Store::holds(const Row& row) {
  const auto found = [&](Statement query) {
    if (!query.step()) return false;
    if (query.number(0) == row.checksum()) return true;
    throw InputError(fmt::format(
        "the results file {} holds another result of '{}' than a shard does; give another folder "
        "for results",
        quoted_path(path_), abbreviate(row.task)));
  };
  if (row.chunk) {
    return found(Statement(*this,
                           "SELECT checksum FROM chunk WHERE task = ? AND version = ? AND seed = ? "
                           "AND first = ? AND count = ?",
                           row.task, kResultsVersion, row.seed, row.range.first, row.range.count));
  }
  return found(Statement(*this, "SELECT checksum FROM answer WHERE task = ? AND version = ?",
                         row.task, kResultsVersion));
}

void Store::add(Store& other, std::uint64_t seed, MergedRows& rows) {
  const auto take = [&](Row row, std::uint64_t checksum) {
    other.check_row(row, checksum);
    if (!holds(row)) put(std::move(row));
  };
  Statement answers(other, "SELECT task, body, checksum FROM answer WHERE version = ?",
                    kResultsVersion);
  for (; answers.step(); ++rows.answers) {
    take({false, answers.text(0), 0, {}, answers.text(1)}, answers.number(2));
  }
  Statement chunks(other,
                   "SELECT task, first, count, tally, checksum FROM chunk WHERE version = ? AND "
                   "seed = ? ORDER BY task, first",
                   kResultsVersion, seed);
  for (; chunks.step(); ++rows.ranges) {
    rows.trials += chunks.number(2);
    take({true, chunks.text(0), seed, {chunks.number(1), chunks.number(2)}, chunks.text(3)},
         chunks.number(4));
  }
}

}  // namespace speclab
