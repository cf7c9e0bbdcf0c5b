// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "pipeline/pipeline.hpp"

namespace semblance {

struct Selection;

/// A pipeline, and the selection that cross-validation must make for it first.
struct SelectingPipeline : Pipeline {
  std::shared_ptr<const Selection> selection;  ///< none: it runs unchanged
};

}  // namespace semblance
