// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace semblance::cli {

/// Of each row of predictions/SOLVER.csv 1 where predicted is the label, else 0; of each pair 1
/// where the sign of its score is that of its label. Nothing where labels are missing. Throws Error
/// where the file cannot be read or is not of that form.
std::vector<std::uint8_t> read_prediction_rows(const std::filesystem::path& file);

}  // namespace semblance::cli
