// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace semblance::cli {

/// For each row of predictions/SOLVER.csv, 1 if the prediction is the label, otherwise 0; for each
/// pair, 1 if its score has the sign of its label. Empty if labels are missing. Throws Error if the
/// file cannot be read or has another form.
std::vector<std::uint8_t> read_prediction_rows(const std::filesystem::path& file);

}  // namespace semblance::cli
