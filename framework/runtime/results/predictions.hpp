// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "runtime/rows/row_tags.hpp"
#include "semblance/matrix.hpp"
#include "semblance/pairs.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// Scores to be written, and their name: "score", "probability".
struct NamedScores {
  MatrixView scores;
  std::string name;
  bool sets = false;  ///< whether a class is in a sample's set if its score is at least 0
};

/// Writes FOLDER/NAME.csv (row: its number in the data, label where known, predicted, for sets the
/// names of their classes, one score per class, and last its name where samples have names) and
/// FOLDER/NAME.npy (the scores, float32). Scores in the CSV have all their digits. Ties go to the
/// class that comes first. Returns the files written.
std::vector<std::filesystem::path> write_predictions(const std::filesystem::path& folder,
                                                     const std::string& name,
                                                     const NamedScores& named,
                                                     std::span<const std::int32_t> labels,
                                                     std::span<const std::string> classes,
                                                     const RowTags& tags);

/// Writes estimates in the same way: FOLDER/NAME.csv has row, for each number to predict its true
/// value (empty where unknown) and "predicted NUMBER", and last the name. A number that is called
/// like another column is "NUMBER (target)" in both. `targets` is row-major.
std::vector<std::filesystem::path> write_estimates(const std::filesystem::path& folder,
                                                   const std::string& name, MatrixView estimates,
                                                   std::span<const double> targets,
                                                   std::span<const std::string> names,
                                                   const RowTags& tags);

/// Writes intervals in the same way: after "predicted NUMBER" come "low NUMBER" and "high NUMBER".
/// `intervals` has lower end, estimate and upper end of each number.
std::vector<std::filesystem::path> write_intervals(const std::filesystem::path& folder,
                                                   const std::string& name, MatrixView intervals,
                                                   std::span<const double> targets,
                                                   std::span<const std::string> names,
                                                   const RowTags& tags);

/// Writes novelty scores in the same way: FOLDER/NAME.csv has row, label where known, predicted
/// (usual: a score of at least 0; novel), score, and last the name.
std::vector<std::filesystem::path> write_novelty(const std::filesystem::path& folder,
                                                 const std::string& name, MatrixView scores,
                                                 std::span<const std::int32_t> labels,
                                                 std::span<const std::string> classes,
                                                 const RowTags& tags);

/// Writes the scores of pairs in the same way: FOLDER/NAME.csv has first, second (numbers of
/// samples in the data), label (same, different, or empty where unknown), score, and last both
/// names where samples have names. `tags` are those of all samples.
std::vector<std::filesystem::path> write_pair_predictions(const std::filesystem::path& folder,
                                                          const std::string& name,
                                                          const PairSet& pairs, MatrixView scores,
                                                          const RowTags& tags);

/// Some of the samples [first, first + predicted.size()), for the page (sample_to_json()): for each
/// class the first that are right and the first that are wrong. `predicted` has one class per
/// sample. Empty where samples are not sequences, strings or sets.
nlohmann::ordered_json drawn_samples(const Dataset& data, std::size_t first,
                                     std::span<const std::int32_t> predicted, const RowTags& tags);

}  // namespace semblance
