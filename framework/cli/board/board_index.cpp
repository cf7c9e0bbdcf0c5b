// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include "cli/board/board.hpp"
#include "runtime/services/progress_file.hpp"
#include "semblance/error.hpp"
#include "support/files/hash.hpp"
#include "support/json_text.hpp"
#include "support/utc_time.hpp"

namespace semblance::board {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr int deepest = 2;
constexpr auto between_looks = 500ms;
/// Two changes within this time may leave the same time at a folder.
constexpr auto resolution = 100ms;

std::string id_of(const fs::path& folder) { return hash_of(folder.string()).substr(0, 16); }

bool there(const fs::path& path) {
  std::error_code none;
  return fs::exists(path, none);
}

bool is_study(const fs::path& folder) {
  return there(folder / "study.json") || there(folder / "study.yaml");
}

/// Whether it is the folder of a run or study, finished or not.
bool is_run(const fs::path& folder) {
  return there(folder / "metrics.json") || there(folder / "study.json") ||
         there(ProgressFile::file_in(folder)) || there(folder / "unfinished");
}

FileState state_of_results(const fs::path& folder) {
  const FileState study = file_state(folder / "study.json");
  return study.there ? study : file_state(folder / "metrics.json");
}

/// Puts what a run in progress, or a killed one, says of itself into its row.
void apply(const LiveRun& live, BoardRun& run) {
  run.figures = live.figures();
  // Those of single folds and variants are none of the whole.
  std::erase_if(run.figures,
                [](const auto& figure) { return figure.node.find('[') != std::string::npos; });
  if (const auto elapsed = live.progress.find("elapsed");
      elapsed != live.progress.end() && elapsed->is_number())
    run.entry.wall_seconds = elapsed->get<double>();
}

std::optional<LiveRun> live_run_in(const fs::path& place) {
  const fs::path file = ProgressFile::file_in(place);
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  LiveRun run;
  run.place = place;
  try {
    run.progress = parse_json(std::string(std::istreambuf_iterator<char>(in), {}));
  } catch (const std::exception&) {
    return std::nullopt;
  }
  if (!run.progress.is_object()) return std::nullopt;
  run.alive = is_alive(run.text("owner"), file);
  return run;
}

/// When results were written, less what they took.
std::string start_of(const fs::path& folder, double seconds) {
  std::error_code failure;
  auto end = fs::last_write_time(folder / "metrics.json", failure);
  if (failure) end = fs::last_write_time(folder, failure);
  if (failure) return "";
  const auto took = std::chrono::duration_cast<fs::file_time_type::duration>(
      std::chrono::duration<double>(std::isfinite(seconds) ? seconds : 0));
  return utc_text(
      std::chrono::floor<std::chrono::seconds>(std::chrono::file_clock::to_sys(end - took)));
}

/// What a folder that no history knows says of its run.
BoardRun read_folder(const fs::path& folder) {
  BoardRun run;
  run.folder = folder;
  HistoryEntry& entry = run.entry;
  entry.name = folder.filename().string();
  entry.kind = is_study(folder) ? "study" : "run";
  entry.status = "killed";
  entry.wall_seconds = std::numeric_limits<double>::quiet_NaN();
  run.has_seed = false;
  if (!state_of_results(folder).there) return run;
  try {
    const cli::FolderResults results = cli::read_results(folder);
    entry.kind = results.kind;
    entry.name = results.name;
    entry.seed = results.seed;
    run.has_seed = true;
    entry.wall_seconds = results.wall_seconds;
    entry.status = results.stopped_by.empty() ? "done" : "stopped";
    run.figures = cli::headline_figures(results);
    entry.command = (entry.kind == "study" ? "semblance ablate " : "semblance run ") +
                    (folder / (entry.kind == "study" ? "study.yaml" : "pipeline.yaml")).string();
  } catch (const std::exception& problem) {
    entry.status = "damaged";
    run.problem = problem.what();
  }
  entry.started = start_of(folder, entry.wall_seconds);
  return run;
}

}  // namespace

std::string LiveRun::text(const char* field) const {
  const auto found = progress.find(field);
  return found != progress.end() && found->is_string() ? found->get<std::string>() : "";
}

std::vector<cli::ReportedFigure> LiveRun::figures() const {
  HistoryEntry entry;
  if (progress.contains("figures")) entry.metrics = progress["figures"];
  if (progress.contains("units")) entry.units = progress["units"];
  return cli::figures_of(entry);
}

std::optional<LiveRun> live_run(const fs::path& folder) {
  auto beside = live_run_in(folder / "unfinished");
  if (beside && beside->alive) return beside;
  return live_run_in(folder);
}

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

/// The rows of a history's entries. The last entry of a folder is that of its results.
void BoardIndex::add_history(const fs::path& root, BoardRuns& found) {
  Known& known = histories_[root];
  std::error_code failure;
  const auto written = fs::last_write_time(History::folder_in(root), failure);
  if (failure || !known.settled || known.written != written) try {
      const auto now = fs::file_time_type::clock::now();
      known.entries = History(root, History::Open::existing).list();
      known.written = written;
      known.settled =
          now - written > resolution &&
          std::ranges::find(known.entries, "running", &HistoryEntry::status) == known.entries.end();
    } catch (const std::exception& problem) {
      known.settled = false;
      found.problems.emplace_back(problem.what());
    }
  for (const HistoryEntry& entry : known.entries) {
    BoardRun run;
    run.folder = (root / entry.folder).lexically_normal();
    run.id = id_of(run.folder);
    run.place = place_of(run.folder);
    run.entry = entry;
    run.figures = cli::figures_of(entry);
    run.root = root;
    run.gone = !there(run.folder);
    if (entry.status == "running" || entry.status == "killed")
      if (const auto live = live_run(run.folder)) apply(*live, run);
    const auto [owner, is_new] = owners_.try_emplace(run.folder, found.runs.size());
    if (!is_new) {
      BoardRun& earlier = found.runs[owner->second];
      earlier.id += "-" + earlier.entry.id;
      // Until the new run ends, the folder may have the earlier one's results.
      earlier.replaced = entry.status != "running" || !there(run.folder / "unfinished");
      owner->second = found.runs.size();
    }
    found.runs.push_back(std::move(run));
  }
}

/// The row of a folder that no history knows.
void BoardIndex::add_folder(const fs::path& folder, BoardRuns& found) {
  if (owners_.contains(folder)) return;
  const auto live = live_run(folder);
  const FileState state = state_of_results(folder);
  const auto known = read_.find(folder);
  if (known == read_.end() || known->second.results != state) {
    BoardRun run = read_folder(folder);
    run.id = id_of(folder);
    run.place = place_of(folder);
    read_[folder] = {state, std::move(run)};
  }
  BoardRun run = read_[folder].run;
  if (live && (live->alive || !state.there)) {
    run.entry.name = live->text("pipeline");
    run.entry.started = live->text("started");
    run.entry.command = live->text("command");
    run.entry.status = live->alive ? "running" : "killed";
    apply(*live, run);
  }
  owners_[folder] = found.runs.size();
  found.runs.push_back(std::move(run));
}

/// Adds the histories in a folder, and collects the folders of runs.
void BoardIndex::look_at(const fs::path& folder, int depth, BoardRuns& found,
                         std::vector<fs::path>& folders) {
  if (owners_.contains(folder)) return;
  if (is_run(folder)) return folders.push_back(folder);
  if (there(History::folder_in(folder))) add_history(folder, found);
  if (depth == deepest) return;
  std::error_code failure;
  for (fs::directory_iterator item(folder, failure), end; !failure && item != end;
       item.increment(failure)) {
    std::error_code none;
    if (!item->path().filename().string().starts_with('.') &&
        item->symlink_status(none).type() == fs::file_type::directory)
      look_at(item->path(), depth + 1, found, folders);
  }
}

/// A run's own folder: its history may be beside it, with others that are not shown.
void BoardIndex::add_history_beside(const fs::path& run, BoardRuns& found) {
  if (!there(History::folder_in(run.parent_path()))) return;
  const std::size_t before = found.runs.size();
  add_history(run.parent_path(), found);
  std::erase_if(found.runs, [&](const BoardRun& other) {
    return &other >= &found.runs[before] && other.folder != run;
  });
  std::erase_if(owners_,
                [&](const auto& owner) { return owner.second >= before && owner.first != run; });
  if (owners_.contains(run)) owners_[run] = found.runs.size() - 1;
}

std::shared_ptr<const BoardRuns> BoardIndex::runs() {
  const std::lock_guard lock(mutex_);
  if (runs_ && Clock::now() - looked_at_ < between_looks) return runs_;
  owners_.clear();
  BoardRuns found;
  std::vector<fs::path> folders;
  for (const fs::path& root : roots_) {
    if (!there(root)) found.problems.push_back("the folder '" + root.string() + "' is gone");
    look_at(root, 0, found, folders);
  }
  for (const fs::path& root : roots_)
    if (is_run(root) && !owners_.contains(root)) add_history_beside(root, found);
  // Last: histories know more of their runs.
  for (const fs::path& folder : folders) add_folder(folder, found);
  runs_ = std::make_shared<const BoardRuns>(std::move(found));
  looked_at_ = Clock::now();
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
  HistoryEntry entry = run->entry;
  History history(entry.id.empty() ? run->folder.parent_path() : run->root,
                  History::Open::or_create);
  if (entry.id.empty()) {
    entry.folder = run->folder.filename().string();
    if (!std::isfinite(entry.wall_seconds)) entry.wall_seconds = 0;
    if (entry.status == "damaged") entry.status = "failed";
    cli::set_figures(entry, run->figures);
    history.add(entry);
  }
  history.annotate(entry.id, tags, note);
  const std::lock_guard lock(mutex_);
  runs_ = nullptr;
}

}  // namespace semblance::board
