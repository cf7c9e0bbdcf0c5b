// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/past_runs/folder_results.hpp"
#include "history/history.hpp"
#include "serve/http/http.hpp"
#include "support/files/file_state.hpp"

/// The files of assets/, compiled into the program.
namespace semblance::board::assets {

extern const std::string_view style;
extern const std::string_view script;
extern const std::string_view body;

}  // namespace semblance::board::assets

namespace semblance::board {

/// What a run in progress, or a killed one, says of itself.
struct LiveRun {
  nlohmann::ordered_json progress;  ///< the content of progress.json
  std::filesystem::path place;      ///< where it writes: the folder, or `unfinished` in it
  bool alive = false;

  std::string text(const char* field) const;
  std::vector<cli::ReportedFigure> figures() const;
};

/// Reads progress.json in `unfinished` in the folder, or in the folder.
std::optional<LiveRun> live_run(const std::filesystem::path& folder);

/// A run or study as the list shows it.
struct BoardRun {
  std::string id;  ///< of its folder; stays the same when a run ends or enters the history
  std::filesystem::path folder;  ///< absolute
  std::string place;             ///< the folder below the board's folder, for people
  /// As its history has it, or as it would: without an id where no history knows it. Status: also
  /// "damaged". Seconds: NaN where they are not known.
  HistoryEntry entry;
  bool has_seed = true;                      ///< false: the seed is not known
  std::vector<cli::ReportedFigure> figures;  ///< headlines
  std::filesystem::path root;                ///< of its history
  bool gone = false;                         ///< its folder is not there any more
  bool replaced = false;                     ///< its folder has a later run's results
  std::string problem;                       ///< why its folder cannot be read
};

struct BoardRuns {
  std::vector<BoardRun> runs;         ///< in no order
  std::vector<std::string> problems;  ///< histories and folders that cannot be read
};

/// All runs of some folders and of the histories in them. Nothing is stored: each call looks at
/// what has changed. Thread-safe.
class BoardIndex {
 public:
  /// Each is the folder of a run or study, or has such folders at most two levels below.
  explicit BoardIndex(std::vector<std::filesystem::path> roots);

  /// What is there now. Looks at most twice a second.
  std::shared_ptr<const BoardRuns> runs();

  /// The run of this id; nothing if there is none.
  std::optional<BoardRun> find(const std::string& id);

  /// Stores the tags and the note in the run's history. A run that no history knows enters the one
  /// in the folder around its own, which is made if need be. Throws Error.
  void annotate(const std::string& id, const std::vector<std::string>& tags,
                const std::string& note);

 private:
  using Clock = std::chrono::steady_clock;
  /// A folder that no history knows, as it was read.
  struct Read {
    FileState results;
    BoardRun run;
  };

  /// A history as it was read.
  struct Known {
    std::filesystem::file_time_type written;  ///< its folder
    bool settled = false;  ///< it was not written right before that, and no run goes on
    std::vector<HistoryEntry> entries;
  };

  void add_history(const std::filesystem::path& root, BoardRuns& found);
  void add_history_beside(const std::filesystem::path& run, BoardRuns& found);
  void look_at(const std::filesystem::path& folder, int depth, BoardRuns& found,
               std::vector<std::filesystem::path>& folders);
  void add_folder(const std::filesystem::path& folder, BoardRuns& found);
  std::string place_of(const std::filesystem::path& folder) const;

  std::vector<std::filesystem::path> roots_;
  std::mutex mutex_;
  Clock::time_point looked_at_;
  std::map<std::filesystem::path, Read> read_;
  std::map<std::filesystem::path, Known> histories_;
  std::map<std::filesystem::path, std::size_t> owners_;  ///< rows by folder, during a look
  std::shared_ptr<const BoardRuns> runs_;
};

}  // namespace semblance::board

/// The answers to the requests of the board's page.
namespace semblance::board {

/// The list: {"problems", "runs": [row]}, in no order.
nlohmann::ordered_json list_json(const BoardRuns& all);

/// A row of the list, with its figures by key: {"value", "text", "better"}, and the best methods of
/// a study.
nlohmann::ordered_json row_json(const BoardRun& run);

/// A row, and what its folder says: {"folder", "command", "parameters", "all_figures", "curves",
/// "log", "progress", "files", "remarks": what is wrong}.
nlohmann::ordered_json details_json(const BoardRun& run);

/// Runs side by side: {"runs": [{"place", "remarks"}], "figures": [{"key", "better", "values"}],
/// "parameters": [{"key", "values"}] that differ, "curves": [{"key", "values": [{"x", "y"}]}],
/// "tests": the paired tests of `semblance compare` as text, or {"problem"}}. `metric` and `better`
/// as its options.
nlohmann::ordered_json comparison_json(const std::vector<BoardRun>& runs, const std::string& metric,
                                       const std::string& better);

/// The answers of a board: GET / is the page; /api/runs, /api/run/ID and /api/compare?ids=ID,ID are
/// what it shows (board_json.hpp); /api/runs?seen=VERSION is short if nothing has changed; POST
/// /api/annotate {"id", "tags", "note"} stores tags and a note; /page/ID/FILE is a file of a run's
/// folder.
class BoardService final : public serving::HttpHandler {
 public:
  explicit BoardService(BoardIndex& index) : index_(index) {}

  std::optional<serving::HttpAnswer> without_body(const serving::HttpRequest& request) override;
  serving::HttpAnswer with_body(serving::HttpRequest&& request) override;

 private:
  serving::HttpAnswer answer(const serving::HttpRequest& request);
  serving::HttpAnswer list(const serving::HttpRequest& request);
  serving::HttpAnswer comparison(const serving::HttpRequest& request);
  serving::HttpAnswer file(const std::string& path);

  BoardIndex& index_;
};

}  // namespace semblance::board
