// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

#include "report/trace.hpp"
#include "runtime/services/run_context.hpp"
#include "runtime/stages/stage.hpp"

namespace semblance {

struct StageServices {
  RunServices& run;
  Trace* trace = nullptr;
  /// The step, seconds spent, rows done.
  std::function<void(const StageStep& step, double seconds, std::size_t rows)> worked;
  StepGuard guard;
};

/// Streams rows through the stage, as a oneTBB flow graph with a bounded number of blocks in
/// progress. Throws what a step threw, or Cancelled when a stop was requested.
void stream(const Stage& stage, StageServices& services);

}  // namespace semblance
