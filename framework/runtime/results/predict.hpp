// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "pipeline/pipeline.hpp"
#include "report/run_record.hpp"
#include "runtime/results/model.hpp"
#include "runtime/services/run_options.hpp"

namespace semblance {

struct PredictResult {
  std::size_t rows = 0;   ///< that solvers predicted
  std::size_t pairs = 0;  ///< that pair solvers did
  std::vector<std::filesystem::path> files;
  std::vector<NodeRecord> evaluations;  ///< of evaluators, where all the new rows carry labels
  bool new_data = false;                ///< not the rows that the training run tested on
};

/// Gives a session of the model's pipeline what its nodes have learned, and makes it ready to apply
/// it. Throws Error where a node differs from the one that the model was trained with.
void restore_model(Session& session, const Model& model);

/// Applies a model: `pipeline` is the model's own, its sources replaced or given other parameters.
/// Predicts all rows of those sources that `model.shapes.changed` names; of others the test rows,
/// or all rows where there are none. Writes scores and labels to options.out. The same rows get the
/// same bits as in the run that trained. Where options.transport leads to other ranks, each
/// computes some of the rows, and the first writes. Throws Error.
PredictResult predict(const Pipeline& pipeline, const Catalogue& catalogue,
                      const RunOptions& options, const Model& model);

}  // namespace semblance
