// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "cli/past_runs/past_run.hpp"

namespace semblance::cli {

/// Writes the runs into a folder as MLflow stores runs in files (its "file store", often called
/// mlruns): an experiment per pipeline or study, in it a folder per run with meta.yaml, params/,
/// metrics/, tags/ and artifacts/. An experiment of the same name that exists there is used, runs
/// that an earlier call wrote are written again, and other runs are left alone. Curves over whole
/// numbers become metrics with steps. Throws Error.
void write_mlflow_store(const std::vector<PastRun>& runs, const std::filesystem::path& store);

}  // namespace semblance::cli
