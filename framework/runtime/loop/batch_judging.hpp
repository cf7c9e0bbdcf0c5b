// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/graph/node.hpp"
#include "semblance/matrix.hpp"

namespace semblance {

/// Whether a node's scores depend on all samples of a batch (NoveltyCalibrator::judges_batches()).
bool judges_batches(const Node& node);

/// Changes the scores that such a node has given all samples of a batch; others stay as they are.
void judge_batch(const Node& node, MutableMatrixView scores);

}  // namespace semblance
