// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/graph/scoring_node.hpp"

namespace semblance {

/// A node that gives samples class scores, estimates of numbers, or novelty scores.
class RowScoringNode : public ScoringNode {
 public:
  void scored(RunProgress& progress, RunData& data) override;
  void save_labels(const std::filesystem::path& folder) const override;
  void load_labels(const std::filesystem::path& folder) override;
  std::vector<std::filesystem::path> write_scores(const RunProgress& progress,
                                                  const std::filesystem::path& folder,
                                                  const std::string& name) const override;
  std::vector<std::uint8_t> correct(const RunProgress& progress) const override;
  Predicted predict(RunProgress& progress, RunData& data) override;
  bool all_labelled() const override;

  /// The name of a score in files of scores: the first word of each column.
  virtual std::string name_of_scores() const { return "score"; }

  /// The predicted class of each scored sample.
  std::vector<std::int32_t> predicted(const RunProgress& progress) const;

 private:
  bool gives(PortType type) const { return facts().spec->info().output->type == type; }
};

}  // namespace semblance
