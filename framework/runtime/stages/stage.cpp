// SPDX-License-Identifier: MIT
#include "runtime/stages/stage.hpp"

namespace semblance {
namespace {

/// For each step the last one that uses its rows; the step itself where none does.
std::vector<std::size_t> last_users(const Stage& stage) {
  std::vector<std::size_t> users(stage.steps.size());
  for (std::size_t s = 0; s < users.size(); ++s) {
    users[s] = s;
    for (const std::size_t input : stage.steps[s].inputs) users[input] = s;
  }
  return users;
}

}  // namespace

MatrixView rows_in_place(const StageStep& step, std::size_t first, std::size_t count) {
  if (!step.in_place || step.destination) return {};
  return step.in_place(first, count);
}

void compute_block(const Stage& stage, std::size_t first, MutableMatrixView out,
                   const StepGuard& guard) {
  const std::size_t last = stage.steps.size() - 1;
  const auto users = last_users(stage);
  std::vector<FloatMatrix> buffers(stage.steps.size());
  std::vector<MatrixView> rows(stage.steps.size());
  for (std::size_t s = 0; s <= last; ++s) {
    const StageStep& step = stage.steps[s];
    if (const MatrixView there = rows_in_place(step, first, out.rows); there.data && s != last) {
      rows[s] = there;
      continue;
    }
    MutableMatrixView to = out;
    if (step.destination) {
      to = step.destination(first, out.rows);
    } else if (s != last) {
      step.sizes.shape(buffers[s], first, out.rows);
      to = buffers[s].view();
    }
    std::vector<MatrixView> inputs;
    for (const std::size_t input : step.inputs) inputs.push_back(rows[input]);
    guard(step.node, [&] { step.compute(first, inputs, to); });
    rows[s] = to;
    for (const std::size_t input : step.inputs)
      if (users[input] == s) buffers[input] = {};
  }
  if (stage.steps[last].destination) copy_rows(rows[last], out);
  for (const StageStep& step : stage.steps)
    if (step.done) step.done(first, out.rows);
}

}  // namespace semblance
