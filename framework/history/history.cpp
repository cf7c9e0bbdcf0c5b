// SPDX-License-Identifier: MIT
#include "history/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <random>

#include "history/sqlite.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

constexpr int schema_version = 3;
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
  units TEXT NOT NULL DEFAULT '{}',
  tags TEXT NOT NULL DEFAULT '[]',
  note TEXT NOT NULL DEFAULT ''
))";

/// The addition of version 2 to version 1: the units of older entries are unknown.
constexpr const char* units_of_version_2 =
    "ALTER TABLE runs ADD COLUMN units TEXT NOT NULL DEFAULT '{}'";

/// The addition of version 3 to version 2.
constexpr const char* annotations_of_version_3 =
    "ALTER TABLE runs ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';"
    "ALTER TABLE runs ADD COLUMN note TEXT NOT NULL DEFAULT ''";

constexpr const char* selected =
    "SELECT id, kind, name, folder, started, wall_seconds, seed, status, version, metrics, "
    "command, units, tags, note FROM runs ORDER BY number";

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
  const auto tags = nlohmann::ordered_json::parse(row.text(12), nullptr, false);
  const bool only_texts =
      tags.is_array() && std::ranges::all_of(tags, [](const auto& tag) { return tag.is_string(); });
  if (only_texts) entry.tags = tags.get<std::vector<std::string>>();
  entry.note = row.text(13);
  if (end.ec != std::errc() || entry.metrics.is_discarded() || entry.units.is_discarded() ||
      !only_texts)
    throw Error(fmt::format(
        "the history '{}': the entry '{}' is damaged; move the file away to start a new one",
        file.string(), entry.id));
  return entry;
}

std::string text_of(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string new_id() {
  std::random_device random;
  return fmt::format("{:08x}", random());
}

}  // namespace

std::string tag_problem(const std::string& tag) {
  constexpr std::size_t longest = 64;
  const bool plain =
      std::ranges::none_of(tag, [](unsigned char c) { return c <= ' ' || c == 127 || c == ','; });
  if (!tag.empty() && tag.size() <= longest && plain) return "";
  return fmt::format(
      "'{}' cannot be a tag: tags are words of at most {} bytes, without blanks and "
      "commas",
      tag, longest);
}

void check_annotation(const std::vector<std::string>& tags, const std::string& note) {
  constexpr std::size_t most_tags = 50, longest_note = 10'000;
  for (const std::string& tag : tags)
    if (const std::string problem = tag_problem(tag); !problem.empty()) throw Error(problem);
  if (tags.size() > most_tags || note.size() > longest_note)
    throw Error(
        fmt::format("a run has at most {} tags, and a note of {} bytes", most_tags, longest_note));
}

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
  if (version() == 1 || version() == 2) {
    sqlite::Transaction transaction(db);
    // Another process may have been faster.
    if (version() == 1) db.execute(units_of_version_2);
    if (version() < 3) db.execute(annotations_of_version_3);
    db.execute(fmt::format("PRAGMA user_version = {}", schema_version).c_str());
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
                           "status, version, metrics, command, units, tags, note) "
                           "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(id).bind(entry.kind).bind(entry.name).bind(entry.folder).bind(entry.started);
  insert.bind(entry.wall_seconds).bind(std::to_string(entry.seed)).bind(entry.status);
  insert.bind(entry.version);
  insert.bind(text_of(entry.metrics)).bind(entry.command).bind(text_of(entry.units));
  insert.bind(text_of(entry.tags)).bind(entry.note).step();
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

void History::annotate(const std::string& id, const std::vector<std::string>& tags,
                       const std::string& note) {
  check_annotation(tags, note);
  sqlite::Transaction transaction(*database_);
  sqlite::Statement(*database_, "UPDATE runs SET tags = ?, note = ? WHERE id = ?")
      .bind(text_of(tags))
      .bind(note)
      .bind(id)
      .step();
  require_changed(id);
  transaction.commit();
}

void History::require_changed(const std::string& id) const {
  if (database_->changes() == 0)
    throw Error(
        fmt::format("the history '{}' has no entry '{}' any more", database_->file().string(), id));
}

void History::remove(const std::string& id) {
  sqlite::Transaction transaction(*database_);
  sqlite::Statement(*database_, "DELETE FROM runs WHERE id = ?").bind(id).step();
  require_changed(id);
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
