// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/past_runs/folder_results.hpp"
#include "history/history.hpp"

namespace semblance::cli {

/// A run or study of the history with all that its folder still says.
struct PastRun {
  HistoryEntry entry;
  std::filesystem::path folder;
  /// All figures of the folder; only the history's where the folder is missing, damaged, or has a
  /// later run's results.
  std::vector<ReportedFigure> figures;
  std::vector<ReportedCurve> curves;
  std::vector<std::pair<std::string, std::string>> parameters;
  std::string problem;  ///< why the folder says nothing, or not all; empty: it does
};

/// Reads the folder of an entry of a history, or of a run that no history knows.
PastRun past_run(HistoryEntry entry, const std::filesystem::path& folder);

/// The runs as a table for spreadsheets: one line per run, one column per parameter and figure.
std::string csv_of(const std::vector<PastRun>& runs);

/// The runs as lines of JSON, one object each.
std::string json_lines_of(const std::vector<PastRun>& runs);

/// Writes the runs into a folder as MLflow stores runs in files (its "file store", often called
/// mlruns): an experiment per pipeline or study, in it a folder per run with meta.yaml, params/,
/// metrics/, tags/ and artifacts/. An experiment of the same name that exists there is used, runs
/// that an earlier call wrote are written again, and other runs are left alone. Curves over whole
/// numbers become metrics with steps. Throws Error.
void write_mlflow_store(const std::vector<PastRun>& runs, const std::filesystem::path& store);

}  // namespace semblance::cli
