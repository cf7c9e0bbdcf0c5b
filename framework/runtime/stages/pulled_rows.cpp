// SPDX-License-Identifier: MIT
#include "runtime/stages/pulled_rows.hpp"

#include <utility>

#include "runtime/stages/node_row_sizes.hpp"
#include "runtime/stages/stage_builder.hpp"

namespace semblance {

Pull::Pull(RunProgress& progress, RunData& data, std::size_t node)
    : progress_(progress), data_(data), stage_(StageBuilder(progress, data).pulled(node)) {}

void Pull::rows(std::size_t first, MutableMatrixView out) const {
  compute_block(stage_, first, out, step_guard(data_));
}

PulledRows::PulledRows(RunProgress& progress, RunData& data, std::size_t node)
    : rows_(progress.facts(node).outline->train_rows),
      sizes_(row_sizes(progress, data, node)),
      pull_(progress, data, node) {}

MatrixView PulledRows::view(std::size_t first, std::size_t count) const {
  FloatMatrix rows = sizes_.rows(first, count);
  pull_.rows(first, rows.view());
  const std::lock_guard lock(mutex_);
  Shown& shown = views_[{first, count}];
  if (shown.users++ == 0) shown.rows = std::move(rows);
  return std::as_const(shown.rows).view();
}

void PulledRows::release(std::size_t first, std::size_t count) const {
  const std::lock_guard lock(mutex_);
  const auto found = views_.find({first, count});
  if (found != views_.end() && --found->second.users == 0) views_.erase(found);
}

std::shared_ptr<const Rows> all_rows(RunProgress& progress, RunData& data, std::size_t i,
                                     RowSpan rows) {
  if (progress.run(i).has_rows())
    return std::make_shared<RowRange>(progress.run(i).rows, rows.first, rows.count);
  data.dataset(i);
  const auto& dataset = data.opened(i).dataset;
  const MatrixView there = dataset->in_place(rows.first, rows.count);
  if (!there.data)
    throw Error("internal error: the rows of '" + progress.facts(i).name() +
                "' are not in memory as announced");
  return std::make_shared<MatrixRows>(there, dataset);
}

std::shared_ptr<const Rows> training_rows(RunProgress& progress, RunData& data, std::size_t i) {
  if (progress.run(i).gathered) return progress.run(i).gathered;
  const RowSpan training{0, progress.facts(i).outline->train_rows};
  if (progress.run(i).has_rows() || lie_in_place(progress.facts(i), training))
    return all_rows(progress, data, i, training);
  return std::make_shared<PulledRows>(progress, data, i);
}

}  // namespace semblance
