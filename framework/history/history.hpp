// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace semblance {

namespace sqlite {
class Database;
}

/// One run or study that was started.
struct HistoryEntry {
  std::string id;       ///< eight hexadecimal digits; given by add()
  std::string kind;     ///< "run", "study"
  std::string name;     ///< of the pipeline or study
  std::string folder;   ///< its name below the history's folder
  std::string started;  ///< ISO 8601, UTC
  double wall_seconds = 0;
  std::uint64_t seed = 0;
  std::string status;   ///< "done", "failed", "stopped"
  std::string version;  ///< of Semblance
  nlohmann::ordered_json metrics = nlohmann::ordered_json::object();  ///< {NODE: {FIGURE: value}}
  nlohmann::ordered_json units = nlohmann::ordered_json::object();    ///< {NODE: {FIGURE: unit}}
  std::string command;            ///< the command that repeats it
  std::vector<std::string> tags;  ///< given by people: words without blanks, each once
  std::string note;               ///< given by people
};

/// A tag as people may give it: not empty, without blanks, commas and control characters, at most
/// 64 bytes. Returns what is wrong with it, or nothing.
std::string tag_problem(const std::string& tag);

/// Throws Error unless these are tags and a note that people may give to a run: tags without a
/// problem, 50 at most, and a note of at most 10,000 bytes.
void check_annotation(const std::vector<std::string>& tags, const std::string& note);

/// The history of the runs whose folders are in one folder: the file history.sqlite there. Several
/// processes may use it at once: each change is one transaction with a rollback journal (WAL would
/// need shared memory, which network folders lack), and waits up to ten seconds for other
/// processes. A process that is killed leaves the history as it was before its change. All members
/// throw Error with the file, the problem and what to do.
class History {
 public:
  enum class Open { or_create, existing };

  History(const std::filesystem::path& folder, Open how);
  ~History();
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  /// Adds an entry under a new id, which is returned.
  std::string add(const HistoryEntry& entry);

  /// All entries in the order they were added.
  std::vector<HistoryEntry> list() const;

  /// The entry whose id is `id`, or the only one whose id begins with it.
  HistoryEntry find(const std::string& id) const;

  /// Replaces the tags and the note of the entry with exactly this id; see check_annotation().
  void annotate(const std::string& id, const std::vector<std::string>& tags,
                const std::string& note);

  /// Removes the entry with exactly this id, but not its files.
  void remove(const std::string& id);

  /// FOLDER/history.sqlite
  static std::filesystem::path file_in(const std::filesystem::path& folder);

 private:
  void prepare();
  void require_changed(const std::string& id) const;

  std::unique_ptr<sqlite::Database> database_;
};

/// Deletes the folder of an entry, FOLDER/entry.folder. It must be directly below `folder`, not a
/// link, and contain the metrics.json or study.json of a run or study; throws Error otherwise. A
/// missing folder is not an error; returns whether there was one.
bool delete_files(const std::filesystem::path& folder, const HistoryEntry& entry);

}  // namespace semblance
