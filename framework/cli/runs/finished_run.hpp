// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/yaml_tree.hpp"
#include "report/run_record.hpp"
#include "report/tables/comparison.hpp"
#include "semblance/component_info.hpp"

namespace semblance::cli {

/// The results of a run in its folder: metrics.json, pipeline.yaml and predictions/.
class FinishedRun {
 public:
  /// Throws Error if a file is missing or damaged.
  explicit FinishedRun(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }
  const std::string& pipeline() const { return pipeline_; }
  std::uint64_t seed() const { return seed_; }

  /// The resolved pipeline without its seed: the same text for the same method.
  const std::string& configuration() const { return configuration_; }

  /// Its evaluators, in the order of metrics.json.
  std::vector<std::string> evaluators() const;

  /// All nodes, in the order of metrics.json.
  std::vector<std::string> nodes() const;

  bool has_node(const std::string& node) const { return nodes_.contains(node); }

  /// The numbers that a node reported, by name. Empty: the run was stopped earlier.
  std::vector<std::string> figures(const std::string& node) const;

  /// The meaning of the figures that a node reported; empty for a folder of an older version
  /// without declarations.
  std::vector<FigureInfo> declared(const std::string& node) const;

  /// The id of a node's component.
  std::string component(const std::string& node) const;

  /// A figure of a node, with what it was measured on. For an evaluator's error rate or accuracy it
  /// includes the test samples that the classifier got right, from predictions/. Throws Error where
  /// these do not add up to the figure, and for a time from the store that was measured with a
  /// different number of threads than the run's.
  /// Notes on stored times are added to `notes`, or printed without it.
  Measurement measure(const std::string& node, const std::string& figure,
                      std::vector<std::string>* notes = nullptr) const;

 private:
  void read_pipeline();
  void check_time(const std::string& node, const std::string& figure,
                  std::vector<std::string>* notes) const;
  std::vector<std::string> judged_solvers(const std::string& node) const;
  std::optional<RowsRecord> rows_of(const std::string& solver) const;
  void add_judged_rows(const std::string& solver, const std::string& figure,
                       Measurement& result) const;

  std::filesystem::path folder_;
  std::string pipeline_;
  std::uint64_t seed_ = 0;
  std::size_t threads_ = 0;  ///< 0: not in metrics.json
  std::string configuration_;
  nlohmann::ordered_json nodes_;
  nlohmann::ordered_json declared_ = nlohmann::ordered_json::object();  ///< figures, by component
  nlohmann::ordered_json rows_ = nlohmann::ordered_json::object();      ///< by solver
  YamlNode definition_;  ///< of the nodes; its places are not valid
};

}  // namespace semblance::cli
