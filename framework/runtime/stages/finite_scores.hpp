// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "runtime/graph/compilation.hpp"
#include "semblance/matrix.hpp"

namespace semblance {

/// The scores of rows as they leave a node that scores, each with its values; `inputs` are the rows
/// that it scored, side by side, or none. Throws RowError about the first row with a value that is
/// not finite, with the value's name, and the largest input of the row. Only the ends of intervals
/// may be infinite: their calibrator had too few samples, and has said so. Rows of a node that
/// scores pairs are pairs, which an Error names.
void check_scores(const Compilation& graph, const Node& node, MatrixView scores,
                  std::span<const MatrixView> inputs);

/// The same for the decision values of a machine, rows x `count`.
void check_decisions(const Compilation& graph, const Node& node, std::span<const double> values,
                     std::size_t count, MatrixView inputs);

}  // namespace semblance
