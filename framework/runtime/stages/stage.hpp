// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "report/trace.hpp"
#include "runtime/rows/row_sizes.hpp"
#include "runtime/rows/row_span.hpp"
#include "semblance/matrix.hpp"

namespace semblance {

/// One step of a stage: computes a node's rows for a block from those of its inputs.
struct StageStep {
  enum class Work {
    rows,    ///< the node's own
    gather,  ///< copies the rows of its input to where the node wants them
    reads    ///< rows of the node that were kept before
  };
  std::size_t node = 0;
  Work work = Work::rows;
  std::vector<std::size_t> inputs;  ///< indices of earlier steps
  RowSizes sizes;
  RowSpan rows;  ///< it is skipped for blocks outside
  Trace::Label label = 0;
  /// first_row, input views, output.
  std::function<void(std::size_t, const std::vector<MatrixView>&, MutableMatrixView)> compute;
  /// The rows as they lie in memory already; without data where they do not. Then nothing is
  /// computed, unless they have to go somewhere for good.
  std::function<MatrixView(std::size_t first, std::size_t count)> in_place = {};
  /// Where the rows go for good, if anywhere: computed in place, nothing is copied.
  std::function<MutableMatrixView(std::size_t first, std::size_t count)> destination;
  /// Called once a block is through the whole stage.
  std::function<void(std::size_t first, std::size_t count)> done;
};

/// What has to be computed for some rows: the one form in which the graph is evaluated, whether
/// blocks of rows stream through it, several at a time (streaming.hpp), or one block is wanted here
/// and now (compute_block).
struct Stage {
  std::vector<StageStep> steps;  ///< in topological order
  RowSpan rows;                  ///< of the data set
  std::size_t boundary = 0;      ///< no block reaches across this row (training | test)
  /// The only rows that this process computes, where others compute the rest. No block reaches out
  /// of a piece.
  std::optional<std::vector<RowSpan>> pieces = {};
};

/// The rows that a step need not compute, since they lie in memory; without data: it has to.
MatrixView lying_rows(const StageStep& step, std::size_t first, std::size_t count);

/// Runs what step `node` does; what it throws gains its place.
using StepGuard = std::function<void(std::size_t node, const std::function<void()>&)>;

/// Computes rows [first, first + out.rows) of the stage's last step, on the calling thread.
void compute_block(const Stage& stage, std::size_t first, MutableMatrixView out,
                   const StepGuard& guard);

}  // namespace semblance
