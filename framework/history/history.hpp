// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace semblance {

/// One run or study that was started.
struct HistoryEntry {
  std::string id;           ///< eight hexadecimal digits; given by add()
  std::uint64_t order = 0;  ///< entries are listed in this order; given by add()
  std::string kind;         ///< "run", "study"
  std::string name;         ///< of the pipeline or study
  std::string folder;       ///< its path from the history's folder; absolute if it is elsewhere
  std::string started;      ///< ISO 8601, UTC
  double wall_seconds = 0;
  std::uint64_t seed = 0;
  std::string status;   ///< "running", "done", "failed", "stopped"; list() also says "killed"
  std::string owner;    ///< the process that runs it (ProcessIdentity); empty: unknown
  std::string version;  ///< of Semblance
  nlohmann::ordered_json metrics = nlohmann::ordered_json::object();  ///< {NODE: {FIGURE: value}}
  nlohmann::ordered_json units = nlohmann::ordered_json::object();    ///< {NODE: {FIGURE: unit}}
  nlohmann::ordered_json better = nlohmann::ordered_json::object();   ///< {NODE: {FIGURE: "lower"}}
  std::string command;            ///< the command that repeats it
  std::vector<std::string> tags;  ///< given by people: words without blanks, each once
  std::string note;               ///< given by people
};

/// An entry for other programs, and in the history's files.
nlohmann::ordered_json entry_json(const HistoryEntry& entry);

/// Throws Error unless these are tags and a note that people may give to a run: at most 50 tags of
/// at most 64 bytes each, without blanks, commas and control characters, and a note of at most
/// 10,000 bytes.
void check_annotation(const std::vector<std::string>& tags, const std::string& note);

/// The history of runs: the folder ROOT/.history, where ROOT is usually the folder with the runs'
/// own folders. Each entry is a JSON file that its run writes when it starts and when it ends; tags
/// and notes are in a file of their own. Files appear whole or not at all, so several processes may
/// use a history at once, also on file systems without locks. Members throw Error with the file,
/// the problem and what to do.
class History {
 public:
  enum class Open { or_create, existing };

  History(const std::filesystem::path& root, Open how);

  /// Adds an entry; sets its id and order.
  void add(HistoryEntry& entry);

  /// Replaces what a run says of itself in the entry with this id.
  void update(const HistoryEntry& entry);

  /// All entries in the order they were added. A run whose process has ended without saying so is
  /// "killed"; so is one of another machine whose folder shows no sign of life.
  std::vector<HistoryEntry> list() const;

  /// The entry whose id is `id`, or the only one whose id begins with it.
  HistoryEntry find(const std::string& id) const;

  /// Replaces the tags and the note of the entry with exactly this id; see check_annotation().
  void annotate(const std::string& id, const std::vector<std::string>& tags,
                const std::string& note);

  /// Removes the entry with exactly this id, but not the run's files.
  void remove(const std::string& id);

  /// ROOT/.history
  static std::filesystem::path folder_in(const std::filesystem::path& root);

 private:
  std::filesystem::path file_of(const std::string& id) const;
  std::filesystem::path annotation_of(const std::string& id) const;
  void require(const std::string& id) const;

  std::filesystem::path root_;
  std::filesystem::path folder_;
};

/// Whether the process that owns a run, as ProcessIdentity::text(), is at work. If it is one of
/// another machine, its progress.json in the run's folder must be at most 20 seconds old.
bool is_alive(const std::string& owner, const std::filesystem::path& progress_file);

/// Deletes the folder of an entry, ROOT/entry.folder. It must be below `root`, not a link, and
/// contain the metrics.json or study.json of a run or study; throws Error otherwise. A missing
/// folder is not an error; returns whether there was one.
bool delete_files(const std::filesystem::path& root, const HistoryEntry& entry);

}  // namespace semblance
