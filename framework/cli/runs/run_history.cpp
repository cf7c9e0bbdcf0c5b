// SPDX-License-Identifier: MIT
#include "cli/runs/run_history.hpp"

#include <fmt/format.h>

#include "cli/past_runs/folder_results.hpp"
#include "support/files/process_identity.hpp"
#include "support/utc_time.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;

fs::path root_of(const fs::path& out, bool out_was_given) {
  std::error_code none;
  const fs::path around = out.parent_path();
  if (!out_was_given || fs::is_directory(History::folder_in(around), none)) return around;
  return fs::absolute("runs");
}

/// The path from the history's folder: it stays right when both are moved together.
std::string path_from(const fs::path& root, const fs::path& out) {
  const fs::path from = out.lexically_relative(root);
  const bool near = !from.empty() && !from.string().starts_with("../..");
  return (near ? from : out).string();
}

}  // namespace

RunHistory::RunHistory(std::string kind, const std::string& name, std::uint64_t seed,
                       const RunOptions& options, bool out_was_given)
    // A user who chose the folder did not ask for a history.
    : warns_(!(out_was_given && options.quiet)), shared_(options.shared != nullptr) {
  const fs::path out = fs::absolute(options.out / "").lexically_normal().parent_path();
  root_ = root_of(out, out_was_given);
  entry_.kind = std::move(kind);
  entry_.name = name;
  entry_.seed = seed;
  entry_.folder = path_from(root_, out);
  entry_.command = options.command;
  entry_.started = utc_now();
  entry_.version = SEMBLANCE_VERSION;
  entry_.status = "running";
  entry_.owner = ProcessIdentity::own().text();
  if (!shared_) record("running");
}

RunHistory::~RunHistory() {
  if (!open_) return;
  const auto took = std::chrono::steady_clock::now() - begin_;
  entry_.wall_seconds = std::chrono::duration<double>(took).count();
  record("failed");
}

void RunHistory::ended(bool done, const fs::path& folder) noexcept {
  try {
    const FolderResults results = read_results(folder);
    entry_.name = results.name;
    entry_.wall_seconds = results.wall_seconds;
    set_figures(entry_, headline_figures(results));
  } catch (const std::exception&) {
    // It was stopped before there was any.
    const auto took = std::chrono::steady_clock::now() - begin_;
    entry_.wall_seconds = std::chrono::duration<double>(took).count();
  }
  record(done ? "done" : "stopped");
}

void RunHistory::record(const std::string& status) noexcept {
  const bool starts = status == "running";
  if (!starts && !open_ && !shared_) return;
  open_ = starts;
  entry_.status = status;
  try {
    History history(root_, History::Open::or_create);
    starts || shared_ ? history.add(entry_) : history.update(entry_);
  } catch (const std::exception& problem) {
    open_ = false;
    if (warns_)
      fmt::print(stderr, "warning: this {} was not recorded in the history: {}\n", entry_.kind,
                 problem.what());
  }
}

}  // namespace semblance::cli
