// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace semblance::cli {

/// The rows of predictions/SOLVER.csv.
struct PredictionRows {
  std::vector<std::uint8_t> correct;  ///< 1 where predicted is the label; empty without labels
  std::string labels;                 ///< one a line
};

/// Throws Error where the file cannot be read or is not of that form.
PredictionRows read_prediction_rows(const std::filesystem::path& file);

}  // namespace semblance::cli
