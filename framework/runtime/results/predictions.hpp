// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "runtime/rows/row_tags.hpp"
#include "semblance/matrix.hpp"
#include "semblance/pairs.hpp"

namespace semblance {

/// Scores to be written, and what one is called: "score", "probability".
struct NamedScores {
  MatrixView scores;
  std::string name;
};

/// Writes FOLDER/NAME.csv (row: its number in the data, label where known, predicted, one score a
/// class, and last its name where rows have names) and FOLDER/NAME.npy (the scores, float32).
/// Scores in the CSV have all their digits. Returns the files written. Ties go to the class that
/// comes first.
std::vector<std::filesystem::path> write_predictions(const std::filesystem::path& folder,
                                                     const std::string& name,
                                                     const NamedScores& named,
                                                     std::span<const std::int32_t> labels,
                                                     std::span<const std::string> classes,
                                                     const RowTags& tags);

/// The same of pairs: FOLDER/NAME.csv has first, second (numbers of rows in the data), label (same,
/// different, or nothing where unknown), score, and last both names where rows have names. `tags`
/// are those of all rows.
std::vector<std::filesystem::path> write_pair_predictions(const std::filesystem::path& folder,
                                                          const std::string& name,
                                                          const PairSet& pairs, MatrixView scores,
                                                          const RowTags& tags);

}  // namespace semblance
