// SPDX-License-Identifier: MIT
#include "history/history.hpp"

#include <fmt/format.h>

#include <charconv>
#include <random>

#include "history/sqlite.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

constexpr int schema_version = 2;
constexpr int application = 0x53454D42;  // "SEMB": marks the file as ours

constexpr const char* schema = R"(
CREATE TABLE runs (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  folder TEXT NOT NULL,
  started TEXT NOT NULL,
  wall_seconds REAL NOT NULL,
  seed TEXT NOT NULL,
  status TEXT NOT NULL,
  version TEXT NOT NULL,
  metrics TEXT NOT NULL,
  command TEXT NOT NULL,
  units TEXT NOT NULL DEFAULT '{}'
))";

/// The addition of version 2 to version 1: the units of older entries are unknown.
constexpr const char* units_of_version_2 =
    "ALTER TABLE runs ADD COLUMN units TEXT NOT NULL DEFAULT '{}'";

constexpr const char* selected =
    "SELECT id, kind, name, folder, started, wall_seconds, seed, status, version, metrics, "
    "command, "
    "units FROM runs ORDER BY number";

HistoryEntry entry_of(const sqlite::Statement& row, const fs::path& file) {
  HistoryEntry entry;
  entry.id = row.text(0);
  entry.kind = row.text(1);
  entry.name = row.text(2);
  entry.folder = row.text(3);
  entry.started = row.text(4);
  entry.wall_seconds = row.number(5);
  const std::string seed = row.text(6);
  const auto end = std::from_chars(seed.data(), seed.data() + seed.size(), entry.seed);
  entry.status = row.text(7);
  entry.version = row.text(8);
  entry.metrics = nlohmann::ordered_json::parse(row.text(9), nullptr, false);
  entry.command = row.text(10);
  entry.units = nlohmann::ordered_json::parse(row.text(11), nullptr, false);
  if (end.ec != std::errc() || entry.metrics.is_discarded() || entry.units.is_discarded())
    throw Error(fmt::format(
        "the history '{}': the entry '{}' is damaged; move the file away to start a new one",
        file.string(), entry.id));
  return entry;
}

std::string new_id() {
  std::random_device random;
  return fmt::format("{:08x}", random());
}

}  // namespace

fs::path History::file_in(const fs::path& folder) { return folder / "history.sqlite"; }

History::History(const fs::path& folder, Open how) {
  const fs::path file = file_in(folder);
  if (how == Open::existing && !fs::exists(file))
    throw Error(
        fmt::format("there is no history '{}'; a run without --out starts it", file.string()));
  database_ = std::make_unique<sqlite::Database>(file, how == Open::or_create);
  prepare();
}

History::~History() = default;

void History::prepare() {
  auto& db = *database_;
  const auto version = [&] { return db.integer("PRAGMA user_version"); };
  const auto tables = [&] { return db.integer("SELECT count(*) FROM sqlite_master"); };
  if (version() == 0 && tables() == 0) {
    sqlite::Transaction transaction(db);
    if (version() == 0 && tables() == 0) {  // another process may have been faster
      db.execute(schema);
      db.execute(fmt::format("PRAGMA application_id = {}", application).c_str());
      db.execute(fmt::format("PRAGMA user_version = {}", schema_version).c_str());
    }
    transaction.commit();
  }
  if (db.integer("PRAGMA application_id") != application)
    throw Error(fmt::format("'{}' is a database, but not a history of runs; move it away",
                            db.file().string()));
  if (version() == 1) {
    sqlite::Transaction transaction(db);
    if (version() == 1) {  // another process may have been faster
      db.execute(units_of_version_2);
      db.execute(fmt::format("PRAGMA user_version = {}", schema_version).c_str());
    }
    transaction.commit();
  }
  if (version() != schema_version)
    throw Error(
        fmt::format("the history '{}' has version {}, but this program supports {}; use the newer "
                    "program, or move the file away",
                    db.file().string(), version(), schema_version));
}

std::string History::add(const HistoryEntry& entry) {
  sqlite::Transaction transaction(*database_);
  std::string id;
  for (bool taken = true; taken;) {
    id = new_id();
    sqlite::Statement same(*database_, "SELECT 1 FROM runs WHERE id = ?");
    taken = same.bind(id).step();
  }
  sqlite::Statement insert(*database_,
                           "INSERT INTO runs (id, kind, name, folder, started, wall_seconds, seed, "
                           "status, version, metrics, command, units) "
                           "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(id).bind(entry.kind).bind(entry.name).bind(entry.folder).bind(entry.started);
  insert.bind(entry.wall_seconds).bind(std::to_string(entry.seed)).bind(entry.status);
  insert.bind(entry.version);
  const auto text = [](const nlohmann::ordered_json& json) {
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  insert.bind(text(entry.metrics)).bind(entry.command).bind(text(entry.units)).step();
  transaction.commit();
  return id;
}

std::vector<HistoryEntry> History::list() const {
  sqlite::Statement rows(*database_, selected);
  std::vector<HistoryEntry> entries;
  while (rows.step()) entries.push_back(entry_of(rows, database_->file()));
  return entries;
}

HistoryEntry History::find(const std::string& id) const {
  std::vector<HistoryEntry> found;
  std::string ids;
  for (auto& entry : list()) {
    if (id.empty() || !entry.id.starts_with(id)) continue;
    ids += " " + entry.id;
    found.push_back(std::move(entry));
  }
  if (found.empty())
    throw Error(
        fmt::format("the history '{}' has no entry '{}'; 'semblance history list' shows all",
                    database_->file().string(), id));
  if (found.size() > 1)
    throw Error(fmt::format("'{}' is the beginning of several entries:{}", id, ids));
  return std::move(found.front());
}

void History::remove(const std::string& id) {
  sqlite::Transaction transaction(*database_);
  sqlite::Statement(*database_, "DELETE FROM runs WHERE id = ?").bind(id).step();
  if (database_->changes() == 0)
    throw Error(
        fmt::format("the history '{}' has no entry '{}' any more", database_->file().string(), id));
  transaction.commit();
}

bool delete_files(const fs::path& folder, const HistoryEntry& entry) {
  const fs::path name = entry.folder;
  const fs::path target = folder / name;
  const auto refuse = [&](const char* why) {
    return Error(fmt::format("'{}' was not deleted: {}", target.string(), why));
  };
  if (name.empty() || name != name.filename() || name == "." || name == "..")
    throw refuse("it is not directly inside the folder of the history");
  const auto status = fs::symlink_status(target);
  if (!fs::exists(status)) return false;
  if (!fs::is_directory(status)) throw refuse("it is not a folder");
  if (!fs::exists(target / "metrics.json") && !fs::exists(target / "study.json"))
    throw refuse("it has neither the metrics.json of a run nor the study.json of a study");
  std::error_code failure;
  fs::remove_all(target, failure);
  if (failure) throw refuse(failure.message().c_str());
  return true;
}

}  // namespace semblance
