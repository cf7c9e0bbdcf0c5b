// SPDX-License-Identifier: MIT
#include "runtime/pulled_rows.hpp"

#include <algorithm>

namespace semblance {

void pull(Session& session, std::size_t i, std::size_t first, MutableMatrixView out) {
  const auto& node = session.node(i);
  const auto& run = *session.runs[i];
  if (run.rows_ready) {
    const MatrixView kept = run.rows->view(first, out.rows);
    for (std::size_t r = 0; r < out.rows; ++r) std::copy_n(kept.row(r), kept.cols, out.row(r));
    run.rows->release(first, out.rows);
    return;
  }
  std::vector<FloatMatrix> inputs;
  std::vector<MatrixView> views;
  for (const std::size_t input : node.inputs) {
    inputs.emplace_back(out.rows, session.node(input).output.size());
    pull(session, input, first, inputs.back().view());
  }
  for (const auto& input : inputs) views.push_back(input.view());
  if (node.kind == NodeKind::source) session.dataset(i);
  session.guard(i, "computing rows", [&] { session.compute(i, first, views, out); });
}

MatrixView PulledRows::view(std::size_t first, std::size_t count) const {
  FloatMatrix rows(count, cols());
  pull(session_, node_, first, rows.view());
  const std::lock_guard lock(mutex_);
  return views_.emplace(std::pair(first, count), std::move(rows))->second.view();
}

void PulledRows::release(std::size_t first, std::size_t count) const {
  const std::lock_guard lock(mutex_);
  const auto found = views_.find({first, count});
  if (found != views_.end()) views_.erase(found);
}

std::shared_ptr<const Rows> training_rows(Session& session, std::size_t i) {
  const auto& run = *session.runs[i];
  if (run.rows_ready)
    return std::make_shared<RowRange>(run.rows, 0, session.node(i).outline->train_rows);
  return std::make_shared<PulledRows>(session, i);
}

}  // namespace semblance
