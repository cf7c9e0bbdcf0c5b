// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/past_runs/folder_results.hpp"

namespace semblance::board {

/// What the names in a folder say about it.
struct FolderContents {
  bool results = false;     ///< metrics.json or study.json
  bool is_study = false;    ///< study.json or study.yaml
  bool progress = false;    ///< progress.json
  bool unfinished = false;  ///< a run makes new results beside these
  bool history = false;     ///< history.sqlite
  std::vector<std::filesystem::path> folders;

  bool is_run() const { return results || progress || unfinished; }
};

/// Nothing where the folder cannot be listed.
std::optional<FolderContents> contents_of(const std::filesystem::path& folder);

/// A run in progress, or a killed one.
struct LiveRun {
  nlohmann::ordered_json progress;  ///< the content of progress.json
  std::filesystem::path place;      ///< where it writes: the folder, or `unfinished` in it
  bool alive = false;

  std::string text(const char* field) const;
  double number(const char* field) const;
  std::vector<cli::ReportedFigure> figures() const;
};

/// Reads progress.json in the folder, or in `unfinished` in it.
std::optional<LiveRun> live_run(const std::filesystem::path& folder);

/// The last lines of a file, at most `most` bytes; empty where it cannot be read.
std::string last_lines(const std::filesystem::path& file, std::size_t most);

}  // namespace semblance::board
