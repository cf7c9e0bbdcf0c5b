// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/graph/scoring_node.hpp"
#include "runtime/session/run_data.hpp"

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

  /// The leave-one-out scores of a solver that gives them (PipelineNode::scores_left_out), training
  /// samples x scores, once it has learned.
  FloatMatrix left_out;

 private:
  bool gives(PortType type) const { return facts().spec->info().output->type == type; }
};

/// The labels of some samples as classes of a model. New data may name other classes, fewer, or
/// none, so labels are matched by name. -1: no class of the model.
std::vector<std::int32_t> matched_labels(const Dataset& data, RowSpan rows,
                                         const std::vector<std::string>& classes);

/// The numbers to predict of some samples, row-major, in the order of these names. New data may
/// name other numbers, fewer, or none, so they are matched by name. NaN: unknown.
std::vector<double> matched_targets(const Dataset& data, RowSpan rows,
                                    const std::vector<std::string>& names);

/// The groups of some samples; empty if the data have none.
std::vector<std::int32_t> groups_of(const Dataset& data, RowSpan rows);

/// Warns of labels in the new data that the model has no class for: they may be a mistake.
void report_unknown_labels(RunProgress& progress, RunData& data, std::size_t solver, RowSpan rows,
                           std::span<const std::int32_t> matched);

}  // namespace semblance
