// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "runtime/session/run_data.hpp"

namespace semblance {

/// Fills the session's record from its nodes: figures, times, memory.
void complete_record(RunProgress& progress, RunData& data);

/// Writes the scores of a solver, if it has any, below `folder` as NAME.csv and NAME.npy.
void write_scores(const RunProgress& progress, std::size_t solver,
                  const std::filesystem::path& folder, const std::string& name);

}  // namespace semblance
