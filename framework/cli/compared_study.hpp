// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "cli/compared_runs.hpp"
#include "report/tables/comparison.hpp"

namespace semblance::cli {

/// The results of a study, compared by another figure that its variants recorded: their folders
/// have it. `table` has the study's methods and blocks, `folder` is the study's. Throws UsageError
/// for a figure that no variant has, or of several nodes, or of which it is unclear which of two
/// values is better; Error if the folders of the variants are missing.
ResultTable table_of_study(const ResultTable& table, const std::filesystem::path& folder,
                           const ComparedFigure& compared, const InstalledFigures& installed);

}  // namespace semblance::cli
