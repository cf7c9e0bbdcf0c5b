// SPDX-License-Identifier: MIT
#include "runtime/nodes/basis_node.hpp"

#include <algorithm>

#include "runtime/loop/learning.hpp"
#include "runtime/nodes/training_sets.hpp"
#include "runtime/store/state_files.hpp"
#include "semblance/basis.hpp"

namespace semblance {
namespace {

/// A component must choose as many samples as it announced, and only existing ones.
void check_chosen(std::vector<std::int64_t> chosen, std::size_t announced, std::size_t train_rows) {
  std::ranges::sort(chosen);
  if (chosen.size() != announced)
    throw Error("it chose " + std::to_string(chosen.size()) + " bases, not the number it declared");
  if (std::ranges::adjacent_find(chosen) != chosen.end() ||
      (!chosen.empty() &&
       (chosen.front() < 0 || chosen.back() >= static_cast<std::int64_t>(train_rows))))
    throw Error("it chose a row twice, or a row that is not a training row");
}

}  // namespace

void BasisNode::bind(const Compilation&, const KnownShapes*) {
  facts().demands = {.learns_from = as<Basis>().uses_rows() ? RowsOf::training : RowsOf::none,
                     .learned = Learned::state};
  facts().phase = "selecting bases";
}

bool BasisNode::can_learn(const RunProgress& progress) const {
  return !as<Basis>().uses_rows() || can_visit(progress, facts().inputs[0]);
}

void BasisNode::learn(RunProgress& progress, RunData& data) {
  const auto rows = training_rows(progress, data, facts().inputs[0]);
  NodeContext context = progress.context(facts().index);
  chosen_ =
      as<Basis>().select(training_set(progress.graph(), data, facts().inputs[0], *rows), context);
  check_chosen(chosen_,
               as<Basis>().count(facts().outline->train_rows, facts().outline->classes.size()),
               facts().outline->train_rows);
  progress.run(facts().index).record.metrics["bases"] = chosen_.size();
}

bool BasisNode::needs_state(const RunProgress& progress) const {
  if (progress.purpose().keeps_states || progress.plan(facts().index).probed) return true;
  // The map uses the bases, and so do components that learn from the map's rows.
  const auto learns = [&](std::size_t c) { return progress.plan(c).learns(); };
  return std::ranges::any_of(facts().consumers, [&](std::size_t c) {
    return learns(c) || std::ranges::any_of(progress.facts(c).consumers, learns);
  });
}

void BasisNode::save(const Folder& folder) const {
  StateFolderWriter writer(part_folder(folder, 0));
  writer.integers("indices", chosen_);
  writer.finish();
}

void BasisNode::load(const Folder& folder, Context&) {
  chosen_ = StateFolderReader(part_folder(folder, 0)).integers("indices");
}

std::unique_ptr<Node> make_basis_node() { return std::make_unique<BasisNode>(); }

}  // namespace semblance
