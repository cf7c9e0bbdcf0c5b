// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pipeline/yaml_tree.hpp"
#include "report/tables/comparison.hpp"

namespace semblance::cli {

/// What a run left in its folder: metrics.json, pipeline.yaml and predictions/.
class FinishedRun {
 public:
  /// Throws Error where a file is missing or damaged.
  explicit FinishedRun(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }
  const std::string& pipeline() const { return pipeline_; }
  std::uint64_t seed() const { return seed_; }

  /// The resolved pipeline but for its seed: the same text for the same method.
  const std::string& configuration() const { return configuration_; }

  /// Its evaluators, in the order of metrics.json.
  std::vector<std::string> evaluators() const;

  bool has_node(const std::string& node) const { return nodes_.contains(node); }

  /// The numbers that a node reported, by name. None: the run was stopped before.
  std::vector<std::string> figures(const std::string& node) const;

  /// A figure of a node; for an evaluator's error rate or accuracy with the test rows that the
  /// classifier got right, from predictions/. Throws Error where these do not add up to the figure,
  /// and for a time from the store that was measured with other threads than the run's.
  Measurement measure(const std::string& node, const std::string& figure) const;

 private:
  void read_pipeline();
  void check_time(const std::string& node, const std::string& figure) const;
  void add_rows(const std::string& node, const std::string& figure, Measurement& result) const;
  std::string definition_of_sources(const std::string& node) const;

  std::filesystem::path folder_;
  std::string pipeline_;
  std::uint64_t seed_ = 0;
  std::size_t threads_ = 0;  ///< 0: metrics.json does not say
  std::string configuration_;
  nlohmann::ordered_json nodes_;
  YamlNode definition_;  ///< of the nodes; its places are not to be used
};

}  // namespace semblance::cli
