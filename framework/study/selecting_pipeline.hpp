// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "pipeline/pipeline.hpp"

namespace semblance {

struct Selection;

/// A pipeline and what cross-validation has to choose for it first.
struct SelectingPipeline : Pipeline {
  std::shared_ptr<const Selection> selection;  ///< none: it runs as it is
};

}  // namespace semblance
