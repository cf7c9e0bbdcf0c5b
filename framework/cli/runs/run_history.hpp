// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "history/history.hpp"
#include "runtime/services/run_options.hpp"

namespace semblance::cli {

/// Records one run or study in a history, from its start on: in that of the folder around its
/// output folder or, where the user chose that folder and there is none around it, in that of
/// runs/. One of several workers (RunOptions::shared) records their run only when it has written
/// the results. A run that is destroyed before it has ended has failed. A history that cannot be
/// written is a warning, never a failure of the run.
class RunHistory {
 public:
  /// `kind` is "run" or "study", `name` and `seed` are the pipeline's. `out_was_given`: by the
  /// user.
  RunHistory(std::string kind, const std::string& name, std::uint64_t seed,
             const RunOptions& options, bool out_was_given);
  ~RunHistory();
  RunHistory(const RunHistory&) = delete;
  RunHistory& operator=(const RunHistory&) = delete;

  /// Records that it ended, and the results in `folder`; not `done`: it was stopped.
  void ended(bool done, const std::filesystem::path& folder) noexcept;

 private:
  void record(const std::string& status) noexcept;

  std::filesystem::path root_;
  HistoryEntry entry_;
  bool warns_;
  bool shared_;
  bool open_ = false;  ///< it is in the history and has not ended
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace semblance::cli
