// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/board/board.hpp"
#include "registry/figures.hpp"
#include "semblance/error.hpp"
#include "support/hash.hpp"
#include "support/utc_time.hpp"

namespace semblance::board {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr int deepest = 2;
constexpr auto between_looks = 500ms;
/// The time for reading folders that no history knows, per look.
constexpr auto for_reading = 250ms;
/// Two changes within this time may leave the same time at a folder.
constexpr auto resolution = 100ms;

std::string id_of(const fs::path& folder) { return hash_of(folder.string()).substr(0, 16); }

std::string utc_of(fs::file_time_type time) {
  const auto system = std::chrono::file_clock::to_sys(time);
  return utc_text(std::chrono::floor<std::chrono::seconds>(system));
}

FileState state_of_results(const fs::path& folder) {
  const FileState study = file_state(folder / "study.json");
  return study.there ? study : file_state(folder / "metrics.json");
}

/// Puts what a run in progress, or a killed one, says of itself into its row.
void apply(const LiveRun& live, BoardRun& run) {
  run.name = live.text("pipeline");
  run.started = live.text("started");
  run.wall_seconds = live.number("elapsed");
  run.command = live.text("command");
  if (live.progress.contains("seed") && live.progress["seed"].is_number_unsigned())
    run.seed = live.progress["seed"].get<std::uint64_t>();
  run.figures = live.figures();
  // Those of single folds and variants are none of the whole.
  std::erase_if(run.figures,
                [](const auto& figure) { return figure.node.find('[') != std::string::npos; });
  run.status = live.alive ? "running" : "killed";
}

}  // namespace

BoardIndex::BoardIndex(std::vector<fs::path> roots) : roots_(std::move(roots)) {
  for (fs::path& root : roots_) {
    root = fs::absolute(root / "").lexically_normal().parent_path();
    std::error_code failure;
    if (const fs::path real = fs::canonical(root, failure); !failure) root = real;
  }
}

std::string BoardIndex::place_of(const fs::path& folder) const {
  for (const fs::path& root : roots_) {
    const fs::path below = folder.lexically_relative(root.parent_path());
    if (!below.empty() && *below.begin() != "..") return below.string();
  }
  return folder.string();
}

void BoardIndex::look_at_history(const fs::path& folder) {
  Known& known = histories_[folder];
  known.folder = folder;
  known.seen = number_;
  const FileState now = file_state(History::file_in(folder));
  if (now == known.file && known.problem.empty()) return;
  known.file = now;
  known.problem.clear();
  try {
    known.entries = History(folder, History::Open::existing).list();
    known.file = file_state(History::file_in(folder));
  } catch (const std::exception& problem) {
    known.problem = problem.what();
  }
}

void BoardIndex::look_at(const fs::path& path, int depth) {
  std::error_code failure;
  const auto written = fs::last_write_time(path, failure);
  if (failure) return;
  Folder& folder = folders_[path];
  if (folder.seen == number_) return;
  if (!folder.settled || folder.written != written) {
    const auto now = fs::file_time_type::clock::now();
    const auto contents = contents_of(path);
    if (!contents) return;
    folder.contents = *contents;
    folder.written = written;
    folder.settled = now - written > resolution;
  }
  folder.seen = number_;
  if (folder.contents.history) look_at_history(path);
  if (folder.contents.is_run() || depth == deepest) return;
  for (const fs::path& below : folder.contents.folders) look_at(below, depth + 1);
}

/// The rows of the histories' entries. The last entry of a folder is that of its results.
void BoardIndex::add_known(BoardRuns& found) {
  for (auto& [root, known] : histories_) {
    if (!known.problem.empty()) found.problems.push_back(known.problem);
    for (const HistoryEntry& entry : known.entries) {
      BoardRun run;
      run.folder = (root / entry.folder).lexically_normal();
      run.id = id_of(run.folder);
      if (known.only_one && std::ranges::find(roots_, run.folder) == roots_.end()) continue;
      run.place = place_of(run.folder);
      run.kind = entry.kind;
      run.name = entry.name;
      run.started = entry.started;
      run.wall_seconds = entry.wall_seconds;
      run.seed = entry.seed;
      run.status = entry.status;
      run.command = entry.command;
      run.figures = cli::figures_of(entry);
      run.tags = entry.tags;
      run.note = entry.note;
      run.history_id = entry.id;
      const auto folder = folders_.find(run.folder);
      run.gone = folder == folders_.end() || !folder->second.contents.is_run();
      const auto [owner, is_new] = owners_.try_emplace(run.folder, found.runs.size());
      if (!is_new) {
        BoardRun& earlier = found.runs[owner->second];
        earlier.id += "-" + earlier.history_id;
        earlier.replaced = true;
        owner->second = found.runs.size();
      }
      found.runs.push_back(std::move(run));
    }
  }
}

/// Reads what a folder says of its run. False where it had been read before.
bool BoardIndex::read(const fs::path& path, Folder& folder) {
  const FileState state = state_of_results(path);
  if (folder.run && state == folder.results) return false;
  BoardRun run;
  run.id = id_of(path);
  run.folder = path;
  run.place = place_of(path);
  run.name = path.filename().string();
  run.kind = folder.contents.is_study ? "study" : "run";
  run.started = utc_of(folder.written);
  run.status = "killed";
  folder.results = state;
  if (state.there) try {
      const cli::FolderResults results = cli::read_results(path);
      run.kind = results.kind;
      run.name = results.name;
      run.seed = results.seed;
      run.wall_seconds = results.wall_seconds;
      run.status = results.stopped_by.empty() ? "done" : "stopped";
      run.figures = cli::headline_figures(results);
      std::error_code failure;
      const auto end = fs::last_write_time(path / "metrics.json", failure);
      const auto took = std::chrono::duration_cast<fs::file_time_type::duration>(
          std::chrono::duration<double>(std::isfinite(run.wall_seconds) ? run.wall_seconds : 0));
      run.started = utc_of((failure ? folder.written : end) - took);
      run.command = (run.kind == "study" ? "semblance ablate " : "semblance run ") +
                    (path / (run.kind == "study" ? "study.yaml" : "pipeline.yaml")).string();
    } catch (const std::exception& problem) {
      run.status = "damaged";
      run.problem = problem.what();
    }
  folder.run = std::move(run);
  return true;
}

/// The rows of folders that no history knows, and of runs in progress in any folder.
void BoardIndex::add_others(BoardRuns& found) {
  std::vector<std::pair<const fs::path*, Folder*>> unread;
  for (auto& [path, folder] : folders_) {
    if (!folder.contents.is_run()) continue;
    const auto owner = owners_.find(path);
    if (folder.contents.progress || folder.contents.unfinished) {
      const auto live = live_run(path);
      if (live && (live->alive || (owner == owners_.end() && !folder.contents.results))) {
        BoardRun run;
        run.id = id_of(path);
        run.folder = path;
        run.place = place_of(path);
        run.kind = folder.contents.is_study ? "study" : "";
        apply(*live, run);
        if (owner != owners_.end()) {
          BoardRun& earlier = found.runs[owner->second];
          earlier.id += "-" + earlier.history_id;
          // Until the new run ends, the folder has the earlier one's results.
          earlier.replaced = live->place == path;
        }
        found.runs.push_back(std::move(run));
        continue;
      }
    }
    if (owner == owners_.end()) unread.emplace_back(&path, &folder);
  }
  std::ranges::sort(unread, std::ranges::greater(),
                    [](const auto& item) { return item.second->written; });
  const auto end = Clock::now() + for_reading;
  for (const auto& [path, folder] : unread) {
    if (!folder->run && Clock::now() > end) {
      BoardRun run;
      run.id = id_of(*path);
      run.folder = *path;
      run.place = place_of(*path);
      run.name = path->filename().string();
      run.started = utc_of(folder->written);
      run.status = "reading";
      found.runs.push_back(std::move(run));
      ++found.unread;
      continue;
    }
    read(*path, *folder);
    found.runs.push_back(*folder->run);
  }
}

void BoardIndex::look() {
  ++number_;
  owners_.clear();
  BoardRuns found;
  for (const fs::path& root : roots_) {
    std::error_code none;
    if (!fs::is_directory(root, none))
      found.problems.push_back("the folder '" + root.string() + "' is gone");
    look_at(root, 0);
    // A run's own folder: its history is beside it.
    const auto folder = folders_.find(root);
    if (folder != folders_.end() && folder->second.contents.is_run() &&
        fs::exists(History::file_in(root.parent_path()), none)) {
      const bool shown =
          histories_.contains(root.parent_path()) && histories_[root.parent_path()].seen == number_;
      look_at_history(root.parent_path());
      if (!shown) histories_[root.parent_path()].only_one = true;
    }
  }
  std::erase_if(folders_, [&](const auto& item) { return item.second.seen != number_; });
  std::erase_if(histories_, [&](const auto& item) { return item.second.seen != number_; });
  add_known(found);
  add_others(found);
  runs_ = std::make_shared<const BoardRuns>(std::move(found));
}

std::shared_ptr<const BoardRuns> BoardIndex::runs() {
  const std::lock_guard lock(mutex_);
  if (!runs_ || Clock::now() - looked_at_ > between_looks) {
    look();
    looked_at_ = Clock::now();
  }
  return runs_;
}

std::optional<BoardRun> BoardIndex::find(const std::string& id) {
  const auto all = runs();
  const auto found = std::ranges::find(all->runs, id, &BoardRun::id);
  if (found == all->runs.end()) return std::nullopt;
  return *found;
}

void BoardIndex::annotate(const std::string& id, const std::vector<std::string>& tags,
                          const std::string& note) {
  const auto run = find(id);
  if (!run) throw Error("there is no run '" + id + "'");
  check_annotation(tags, note);
  const fs::path root = run->folder.parent_path();
  if (!run->history_id.empty()) {
    History(root, History::Open::existing).annotate(run->history_id, tags, note);
  } else {
    if (run->status == "running" || run->status == "reading")
      throw Error("tags and notes are stored in the history, which a run enters when it ends");
    HistoryEntry entry;
    entry.kind = run->kind;
    entry.name = run->name;
    entry.folder = run->folder.filename().string();
    entry.started = run->started;
    entry.wall_seconds = std::isfinite(run->wall_seconds) ? run->wall_seconds : 0;
    entry.seed = run->seed.value_or(0);
    entry.status = run->status == "done" || run->status == "stopped" ? run->status : "failed";
    entry.command = run->command;
    for (const auto& figure : run->figures) {
      entry.metrics[figure.node][figure.figure] = figure.value;
      entry.units[figure.node][figure.figure] = name(figure.unit);
    }
    entry.tags = tags;
    entry.note = note;
    History(root, History::Open::or_create).add(entry);
  }
  const std::lock_guard lock(mutex_);
  runs_ = nullptr;
}

}  // namespace semblance::board
