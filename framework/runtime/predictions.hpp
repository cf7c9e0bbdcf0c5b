// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "semblance/matrix.hpp"
#include "semblance/pairs.hpp"

namespace semblance {

/// Writes FOLDER/NAME.csv (row, label where known, predicted, one score a class) and
/// FOLDER/NAME.npy (the scores, float32). Scores in the CSV have all their digits. Returns the
/// files written. Ties go to the class that comes first.
std::vector<std::filesystem::path> write_predictions(const std::filesystem::path& folder,
                                                     const std::string& name, MatrixView scores,
                                                     std::span<const std::int32_t> labels,
                                                     std::span<const std::string> classes);

/// The same of pairs: FOLDER/NAME.csv has first, second (rows as the source counts them, those for
/// training first), label (same, different, or nothing where unknown) and score.
std::vector<std::filesystem::path> write_pair_predictions(const std::filesystem::path& folder,
                                                          const std::string& name,
                                                          const PairSet& pairs, MatrixView scores);

}  // namespace semblance
