// SPDX-License-Identifier: MIT
#include "runtime/results/output_folder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <thread>

#include "runtime/store/state_files.hpp"
#include "runtime/store/work_folder.hpp"
#include "semblance/error.hpp"
#include "support/files/atomic_file.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

constexpr const char* lease_key = "running";
constexpr const char* unfinished_name = "unfinished";
constexpr const char* former_name = ".former";
constexpr const char* marker_name = ".run";  // in `unfinished`: a run has made this folder

/// Collecting what workers have finished takes the folder only for moments.
constexpr std::chrono::seconds longest_collecting{20};

/// All that runs and studies write to their folders. The last entries mark the results as complete:
/// they are written last and removed first.
constexpr std::array result_names = {
    "progress.json", "pipeline.yaml", "study.yaml", "predictions", "model",        "model.new",
    "variants",      "steps",         "table.csv",  "table.md",    "table.tex",    "effects.csv",
    "report.html",   "page.js",       "trace.json", "run.log",     "metrics.json", "study.json"};

[[noreturn]] void refuse_folder(const fs::path& folder, const std::string& who) {
  throw Error("another run is writing to '" + folder.string() + "'" + who +
              "; wait until it ends, or choose another folder with --out DIR");
}

/// The holder of the lease, where known.
std::optional<LeaseRecord> holder(const Leases& leases) {
  for (const LeaseRecord& record : leases.all())
    if (record.key == lease_key && !record.lost) return record;
  return std::nullopt;
}

std::string process_text(const LeaseRecord& of) {
  return " (process " + std::to_string(of.pid) + " on " + of.host + ")";
}

/// Workers meet in their study's folder: they would take another run's files there for its results.
void refuse_where_workers_meet(const fs::path& out) {
  const WorkFolder folder(out);
  if (!folder.exists()) return;
  const auto study = WorkFolder::read(folder.study_file());
  const std::string of = study.is_object()
                             ? study.value("kind", "study") + " '" + study.value("name", "") + "'"
                             : "study";
  throw Error("workers meet in '" + out.string() + "' for the " + of +
              "; join them with --join FOLDER, or choose another folder with --out DIR");
}

/// The file that a run or a study writes last.
fs::path last_file(const fs::path& out) {
  std::error_code ignored;
  return out / (fs::exists(out / "study.yaml", ignored) ? "study.json" : "metrics.json");
}

/// Whether a run has left its results here and ran to its end.
bool holds_finished_run(const fs::path& out) {
  const fs::path file = last_file(out);
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return false;
  try {
    return !parse_json(read_whole_file(file)).contains("stopped_by");
  } catch (const std::exception&) {
    return true;  // unknown files are not this run's to delete
  }
}

/// Whether any run has been here: otherwise a file with the name of a result is the user's.
bool holds_run(const fs::path& out) {
  std::error_code ignored;
  return fs::exists(out / "metrics.json", ignored) || fs::exists(out / "study.json", ignored) ||
         fs::exists(out / "run.log", ignored);
}

/// The marker is removed last, so that what an interruption leaves is still recognized as a run's.
void remove_marked(const fs::path& folder) {
  std::error_code none;
  for (const auto& item : fs::directory_iterator(folder, none))
    if (item.path().filename() != marker_name) fs::remove_all(item.path(), none);
  fs::remove_all(folder, none);
}

/// Removes what a run left that was stopped, killed or failed while it made results beside existing
/// ones.
void remove_unfinished(const fs::path& out) {
  const fs::path folder = out / unfinished_name;
  std::error_code none;
  if (!fs::exists(folder, none)) return;
  if (!fs::is_empty(folder, none) && !holds_run(folder) &&
      !fs::exists(folder / former_name, none) && !fs::exists(folder / marker_name, none))
    throw Error(
        "'" + folder.string() +
        "' is where a run makes its results, but it holds files that no run wrote; move it, or "
        "choose another folder with --out DIR");
  remove_marked(folder);
}

void move_into(const fs::path& from, const fs::path& to) {
  std::error_code failure;
  fs::rename(from, to, failure);
  if (failure)
    throw Error("cannot move '" + from.string() + "' to '" + to.string() +
                "': " + failure.message());
}

/// Whether the file starts with the first line of a predictions' file.
bool is_predictions(const fs::path& csv) {
  std::error_code ignored;
  if (csv.extension() != ".csv" || !fs::exists(fs::path(csv).replace_extension(".npy"), ignored))
    return false;
  std::string line;
  std::ifstream in(csv, std::ios::binary);
  std::getline(in, line);
  // The column of estimates is "predicted PRICE", in quotes if the name needs them.
  const bool predicts =
      line.find(",predicted") != line.npos || line.find(",\"predicted ") != line.npos;
  return (line.starts_with("row,") && predicts) || line.starts_with("first,second,label,score");
}

}  // namespace

FolderClaim::FolderClaim(const fs::path& folder, LeaseTimes times) {
  int problem = 0;
  lock_ = FileLock::attempt_existing(folder, &problem);
  if (problem == EWOULDBLOCK) refuse_folder(folder, "");
  leases_ = std::make_unique<Leases>(folder, times);
  const auto take = [&] {
    try {
      return leases_->take(lease_key);
    } catch (const Error& problem) {
      throw Error(std::string(problem.what()) + "; choose another folder with --out DIR");
    }
  };
  // Long enough to see that a lost lease does not change.
  const auto until = std::chrono::steady_clock::now() + times.lost_after + times.heartbeat;
  while (!(lease_ = take())) {
    const auto other = holder(*leases_);
    if ((other && other->alive) || std::chrono::steady_clock::now() >= until)
      refuse_folder(folder, other ? process_text(*other) : "");
    std::this_thread::sleep_for(times.lost_after / 20);
  }
}

void refuse_where_run_writes(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) return;
  const auto until = std::chrono::steady_clock::now() + longest_collecting;
  while (const auto other = holder(Leases(folder))) {
    if (!other->alive) return;
    if (std::chrono::steady_clock::now() >= until) refuse_folder(folder, process_text(*other));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

void make_output_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw Error("cannot create the output folder '" + folder.string() + "': " + failure.message() +
                "; choose another with --out DIR");
}

namespace {

void make_marked_folder(const fs::path& folder) {
  make_output_folder(folder);
  std::ofstream marker(folder / marker_name);
}

}  // namespace

OutputFolder::OutputFolder(const RunOptions& options) : out_(options.out), place_(options.out) {
  make_output_folder(out_);
  if (options.shared) refuse_where_run_writes(out_);
  if (!options.shared) refuse_where_workers_meet(out_);
  claim_ = std::make_unique<FolderClaim>(out_);
  remove_unfinished(out_);
  remove_abandoned_files(out_);
  if (!holds_run(out_)) return;
  place_ = out_ / unfinished_name;
  make_marked_folder(place_);
}

fs::path OutputFolder::settle(bool finished) {
  if (place_ == out_ || (!finished && holds_finished_run(out_))) return place_;
  replace();
  return out_;
}

/// After an interruption at any point, the file that marks the results as complete is missing.
void OutputFolder::replace() const {
  const fs::path former = place_ / former_name;
  std::error_code none;
  make_output_folder(former);
  for (std::size_t i = result_names.size(); i-- > 0;)
    if (fs::exists(out_ / result_names[i], none))
      move_into(out_ / result_names[i], former / result_names[i]);
  for (const char* name : result_names)
    if (fs::exists(place_ / name, none)) move_into(place_ / name, out_ / name);
  remove_marked(place_);
  remove_abandoned_files(out_);
}

fs::path settled(OutputFolder& folder, bool finished, const RunOptions& options) {
  const fs::path place = folder.settle(finished);
  if (place != options.out)
    tell(options, LogLevel::warning,
         "'" + options.out.string() +
             "' still has the results of the run that finished there before; those of this one, as "
             "far as they go, are in '" +
             place.string() + "'");
  return place;
}

PredictionsFolder::PredictionsFolder(fs::path out)
    : out_(std::move(out)), place_(out_ / unfinished_name) {
  make_output_folder(out_);
  claim_ = std::make_unique<FolderClaim>(out_);
  remove_unfinished(out_);
  make_marked_folder(place_);
}

PredictionsFolder::~PredictionsFolder() { remove_marked(place_); }

void PredictionsFolder::settle(std::vector<fs::path>& files) const {
  std::vector<fs::path> former;
  for (const auto& item : fs::directory_iterator(out_))
    if (item.is_regular_file() && is_predictions(item.path())) former.push_back(item.path());
  for (const fs::path& csv : former) {
    fs::remove(csv);
    fs::remove(fs::path(csv).replace_extension(".npy"));
  }
  for (fs::path& file : files) {
    const fs::path target = out_ / file.filename();
    move_into(file, target);
    file = target;
  }
  std::error_code none;
  // The log of a run that was made here belongs to that run.
  if (!holds_finished_run(out_) && fs::exists(place_ / "run.log", none))
    move_into(place_ / "run.log", out_ / "run.log");
}

}  // namespace semblance
