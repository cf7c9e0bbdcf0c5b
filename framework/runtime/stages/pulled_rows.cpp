// SPDX-License-Identifier: MIT
#include "runtime/stages/pulled_rows.hpp"

#include <utility>

#include "runtime/session/node_row_sizes.hpp"
#include "runtime/stages/stage_builder.hpp"

namespace semblance {

Pull::Pull(Session& session, std::size_t node)
    : session_(session), stage_(StageBuilder(session).pulled(node)) {}

void Pull::rows(std::size_t first, MutableMatrixView out) const {
  compute_block(stage_, first, out, step_guard(session_));
}

PulledRows::PulledRows(Session& session, std::size_t node)
    : rows_(session.facts(node).outline->train_rows),
      sizes_(row_sizes(session, node)),
      pull_(session, node) {}

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

std::shared_ptr<const Rows> all_rows(Session& session, std::size_t i, RowSpan rows) {
  if (session.run(i).has_rows())
    return std::make_shared<RowRange>(session.run(i).rows, rows.first, rows.count);
  session.dataset(i);
  const auto& data = session.opened(i).dataset;
  const MatrixView lying = data->in_place(rows.first, rows.count);
  if (!lying.data)
    throw Error("internal error: the rows of '" + session.facts(i).name() +
                "' are not in memory as announced");
  return std::make_shared<LyingRows>(lying, data);
}

std::shared_ptr<const Rows> training_rows(Session& session, std::size_t i) {
  if (session.run(i).gathered) return session.run(i).gathered;
  const RowSpan training{0, session.facts(i).outline->train_rows};
  if (session.run(i).has_rows() || lie_in_place(session.facts(i), training))
    return all_rows(session, i, training);
  return std::make_shared<PulledRows>(session, i);
}

}  // namespace semblance
