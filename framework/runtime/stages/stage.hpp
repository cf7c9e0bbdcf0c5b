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
    reads    ///< reads retained rows of the node
  };
  std::size_t node = 0;
  Work work = Work::rows;
  std::vector<std::size_t> inputs;  ///< indices of earlier steps
  RowSizes sizes;
  RowSpan rows;  ///< it is skipped for blocks outside
  Trace::Label label = 0;
  /// first_row, input views, output.
  std::function<void(std::size_t, const std::vector<MatrixView>&, MutableMatrixView)> compute;
  /// The rows that are already in memory; without data where they are not. Then nothing is
  /// computed, unless the rows have a destination.
  std::function<MatrixView(std::size_t first, std::size_t count)> in_place = {};
  /// Where the rows are stored, if anywhere: computed in place, nothing is copied.
  std::function<MutableMatrixView(std::size_t first, std::size_t count)> destination;
  /// Called once a block has passed the whole stage.
  std::function<void(std::size_t first, std::size_t count)> done;
};

/// The computation of some rows. The graph is evaluated only in this form, whether blocks of rows
/// stream through it, several at a time (streaming.hpp), or one block is needed immediately
/// (compute_block).
struct Stage {
  std::vector<StageStep> steps;  ///< in topological order
  RowSpan rows;                  ///< of the data set
  std::size_t boundary = 0;      ///< no block crosses this row (training | test)
  /// The only rows that this process computes, where other processes compute the remaining ones. No
  /// block crosses the end of a piece.
  std::optional<std::vector<RowSpan>> pieces = {};
};

/// The rows that a step need not compute, since they are in memory; without data: it has to.
MatrixView rows_in_place(const StageStep& step, std::size_t first, std::size_t count);

/// Runs the work of step `node`; an exception gains its place.
using StepGuard = std::function<void(std::size_t node, const std::function<void()>&)>;

/// Computes rows [first, first + out.rows) of the stage's last step, on the calling thread.
void compute_block(const Stage& stage, std::size_t first, MutableMatrixView out,
                   const StepGuard& guard);

}  // namespace semblance
