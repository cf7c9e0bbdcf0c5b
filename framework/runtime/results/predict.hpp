// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "pipeline/pipeline.hpp"
#include "report/run_record.hpp"
#include "runtime/results/model.hpp"
#include "runtime/services/run_options.hpp"

namespace semblance {

class Session;

struct PredictResult {
  std::size_t rows = 0;   ///< samples that solvers predicted
  std::size_t pairs = 0;  ///< pairs that pair solvers predicted
  std::vector<std::filesystem::path> files;
  std::vector<NodeRecord> evaluations;  ///< of evaluators, where all new samples have labels
  bool new_data = false;                ///< samples other than the test samples of the training run
};

/// Gives a session of the model's pipeline what its nodes have learned, and prepares it to apply
/// the model. Throws Error where a node differs from the one that the model was trained with.
void restore_model(Session& session, const Model& model);

/// Applies a model: `pipeline` is the model's own, its sources replaced or given other parameters.
/// Predicts all samples of the sources that `model.shapes.changed` names; of other sources the test
/// samples, or all samples where there are none. Writes scores and labels to options.out. The same
/// samples get the same bits as in the training run. Where options.transport leads to other ranks,
/// each computes some of the samples, and the first writes. Throws Error.
PredictResult predict(const Pipeline& pipeline, const Catalogue& catalogue,
                      const RunOptions& options, const Model& model);

}  // namespace semblance
