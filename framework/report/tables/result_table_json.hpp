// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "report/tables/comparison.hpp"

namespace semblance {

/// A table with the name of its study.
struct StudyTable {
  std::string study;
  ResultTable table;
};

/// The content of study.json: {"study", "metric", "unit" (of the metric: plain, share, count,
/// seconds or bytes), "higher_is_better", "slots": [{"name", "alternatives"}], "blocks", "over":
/// the slot whose choices are the blocks, or empty, "baseline": index of a method or null,
/// "methods": [{"name", "choices", "measurements": [{"value": number or null, "error", "correct": a
/// 0 or 1 per test sample, "test_rows", "trained", "tested", "drawn_from"}]}]}. A slot's
/// alternatives are those that its methods chose, in their order. Values that are not finite are
/// null.
nlohmann::ordered_json result_table_json(const ResultTable& table, const std::string& study_name);

/// The output of compare() for the table, so that it need not be recomputed: {"blocks_are":
/// "independent", "overlapping", "same_rows" or "unknown", "row_groups", "friedman_p",
/// "critical_difference", "methods": [{"name", "mean", "deviation", "standard_error",
/// "average_rank", "difference", "difference_low", "difference_high", "best", "tests": {"t": {"p",
/// "p_holm"} or {"remark"}, "wilcoxon", "mcnemar"}}]}. Missing values are null or omitted.
nlohmann::ordered_json comparison_json(const ResultTable& table, const Comparison& comparison);

/// The complete study.json: both, the latter under "comparison", there with the "effects" of slots:
/// [{"slot", "combinations", "choices": as "methods"}] (slot_effects()).
nlohmann::ordered_json study_json(const ResultTable& table, const Comparison& comparison,
                                  const std::string& study_name);

/// Restores the table of result_table_json, bit by bit. Unknown keys are ignored, a missing unit is
/// plain, and a missing "over" is empty; any other deviation from that form is an Error "FILE:
/// methods[2].choices must be ...".
StudyTable result_table_from_json(const nlohmann::ordered_json& stored, const std::string& file);

/// Reads study.json; throws Error.
StudyTable read_study(const std::filesystem::path& file);

/// A JSON file; throws Error with its name if it cannot be read or is not JSON.
nlohmann::ordered_json read_json(const std::filesystem::path& file);

}  // namespace semblance
