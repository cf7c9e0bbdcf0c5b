// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/past_runs/folder_results.hpp"
#include "report/run_record.hpp"
#include "report/tables/comparison.hpp"

namespace semblance::cli {

/// The results of a run in its folder, to be compared: metrics.json, pipeline.yaml and
/// predictions/.
class FinishedRun {
 public:
  /// Throws Error if a file is missing or damaged.
  explicit FinishedRun(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }
  const std::string& pipeline() const { return results_.name; }
  std::uint64_t seed() const { return results_.seed; }

  /// The resolved pipeline without its seed: the same text for the same method.
  const std::string& configuration() const { return configuration_; }

  /// Its evaluators, in the order of metrics.json.
  std::vector<std::string> evaluators() const;

  bool has_node(const std::string& node) const;

  /// The id of a node's component.
  std::string component(const std::string& node) const;

  /// The numbers that all nodes reported, and those of one. Empty: the run was stopped earlier.
  const std::vector<ReportedFigure>& figures() const { return results_.figures; }
  std::vector<ReportedFigure> figures(const std::string& node) const;

  /// A number that a node reported; nullptr: none.
  const ReportedFigure* figure(const std::string& node, const std::string& name) const;

  /// Whether the node is one that reports this figure or, where none is named, a headline figure of
  /// which one value is better. So is one that ended before it could, if another of its component
  /// did.
  bool judges(const std::string& node, const std::string& figure) const;

  /// A figure of a node, with what it was measured on. For an evaluator's error rate or accuracy it
  /// includes the test samples that the classifier got right, from predictions/. Throws Error where
  /// these do not add up to the figure, and for a time from the store that was measured with a
  /// different number of threads than the run's.
  /// Notes on stored times are added to `notes`, or printed without it.
  Measurement measure(const std::string& node, const std::string& figure,
                      std::vector<std::string>* notes = nullptr) const;

 private:
  void check_time(const std::string& node, const std::string& figure,
                  std::vector<std::string>* notes) const;
  std::vector<std::string> judged_solvers(const std::string& node) const;
  std::optional<RowsRecord> rows_of(const std::string& solver) const;
  void add_judged_rows(const std::string& solver, const std::string& figure,
                       Measurement& result) const;

  std::filesystem::path folder_;
  FolderResults results_;
  std::string configuration_;
  YamlNode definition_;  ///< of the nodes
};

}  // namespace semblance::cli
