// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "semblance/matrix.hpp"

namespace semblance {

/// Writes FOLDER/NAME.csv (row, label where known, predicted, one score a class) and
/// FOLDER/NAME.npy (the scores, float32). Scores in the CSV have all their digits. Returns the
/// files written. Ties go to the class that comes first.
std::vector<std::filesystem::path> write_predictions(const std::filesystem::path& folder,
                                                     const std::string& name, MatrixView scores,
                                                     std::span<const std::int32_t> labels,
                                                     std::span<const std::string> classes);

}  // namespace semblance
