// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "report/run_record.hpp"
#include "report/tables/comparison.hpp"
#include "runtime/run/run.hpp"

namespace semblance::cli {

/// The figures of a result in the history.
struct HeadlineMetrics {
  nlohmann::ordered_json values =
      nlohmann::ordered_json::object();  ///< {NODE or METHOD: {FIGURE: value}}
  nlohmann::ordered_json units = nlohmann::ordered_json::object();  ///< of the same figures
};

/// Records one run or study in the history of the folder that contains its output folder. Create it
/// before the run starts; report how the run ended with one of the three functions. Records only if
/// the user did not choose the output folder, or if that history already exists: otherwise only the
/// requested files are left. A history that cannot be written is a warning, never a failure of the
/// run; a run without an output folder is not recorded.
class RunHistory {
 public:
  /// `kind` is "run" or "study", `name` and `seed` are the pipeline's.
  RunHistory(std::string kind, const std::string& name, std::uint64_t seed,
             const RunOptions& options, bool out_was_given);

  void done(const RunRecord& record, const HeadlineMetrics& metrics) {
    remember(record, "done", metrics);
  }
  void stopped(const RunRecord& record, const HeadlineMetrics& metrics) {
    remember(record, "stopped", metrics);
  }

  /// Records what is known about a run that threw: its start and the time since.
  void failed();

 private:
  void remember(const RunRecord& record, const std::string& status,
                const HeadlineMetrics& metrics) noexcept;

  std::string kind_;
  std::filesystem::path out_;
  bool out_was_given_;
  RunRecord started_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Runs `run` and records how it ended. `entry_of` returns the result's record and its figures for
/// the history, as a pair.
template <class Run, class EntryOf>
auto remembered(RunHistory& history, const Run& run, const EntryOf& entry_of) {
  try {
    auto result = run();
    const auto [record, metrics] = entry_of(result);
    if (result.end == RunEnd::done)
      history.done(*record, metrics);
    else
      history.stopped(*record, metrics);
    return result;
  } catch (...) {
    history.failed();
    throw;
  }
}

/// The headline figures of a run's evaluators; those where lower is better come first: an error
/// before an accuracy.
HeadlineMetrics headline_metrics(const RunRecord& record);

/// The same for a study: the best methods and the mean of the metric.
HeadlineMetrics headline_metrics(const ResultTable& table, const Comparison& comparison);

}  // namespace semblance::cli
