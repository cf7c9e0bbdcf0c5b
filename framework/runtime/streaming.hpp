// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "report/trace.hpp"
#include "runtime/plan.hpp"
#include "runtime/run_context.hpp"
#include "semblance/matrix.hpp"

namespace semblance {

/// Rows of a block are computed together; results do not depend on this number.
inline constexpr std::size_t streaming_rows = 128;

/// One step of a stage: computes a node's rows for a block from those of its inputs.
struct StreamStep {
  std::size_t node = 0;
  std::vector<std::size_t> inputs;  ///< indices of earlier steps
  std::size_t cols = 0;
  RowSpan rows;  ///< it is skipped for blocks outside
  Trace::Label label = 0;
  /// first_row, input views, output.
  std::function<void(std::size_t, const std::vector<MatrixView>&, MutableMatrixView)> compute;
  /// Where the rows go for good, if anywhere: computed in place, nothing is copied.
  std::function<MutableMatrixView(std::size_t first, std::size_t count)> destination;
  /// Called once a block is through the whole stage.
  std::function<void(std::size_t first, std::size_t count)> done;
};

/// A stage: blocks of rows stream through the steps, several at a time.
struct Stage {
  std::vector<StreamStep> steps;  ///< in topological order
  RowSpan rows;                   ///< of the data set
  std::size_t boundary = 0;       ///< no block reaches across this row (training | test)
};

struct StageServices {
  RunServices& run;
  Trace* trace = nullptr;
  /// step's node, seconds spent, rows done.
  std::function<void(std::size_t node, double seconds, std::size_t rows)> worked;
  /// Rethrows what step `node` threw, with its place.
  std::function<void(std::size_t node, const std::function<void()>&)> guard;
};

/// Runs the stage as a oneTBB flow graph with a bounded number of blocks under way. Throws what a
/// step threw, or Cancelled when a stop was requested.
void run_stage(const Stage& stage, StageServices& services);

}  // namespace semblance
