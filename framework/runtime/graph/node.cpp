// SPDX-License-Identifier: MIT
#include "runtime/graph/node.hpp"

#include <algorithm>
#include <array>

#include "runtime/graph/scoring_node.hpp"
#include "runtime/rows/joined_rows.hpp"
#include "runtime/store/state_files.hpp"

namespace semblance {

Node::~Node() = default;

ScoringNode* Node::scoring() { return dynamic_cast<ScoringNode*>(this); }

bool Node::can_learn_on_all_ranks() const {
  return facts().spec->info().distributed &&
         std::ranges::all_of(parts, [](const auto& part) { return part->distributes(); });
}

void Node::compute(std::size_t, const std::vector<MatrixView>& inputs, MutableMatrixView out,
                   Context& context) const {
  if (inputs.size() == 1) return as<Transform>().apply(inputs[0], out, context);
  const FloatMatrix joined = joined_rows(inputs);
  as<Transform>().apply(joined.view(), out, context);
}

void Node::load(const Folder& folder, Context& context) {
  for (std::size_t p = 0; p < parts.size(); ++p)
    as<Transform>(p).load(StateFolderReader(part_folder(folder, p), values_learned()), context);
}

void Node::save(const Folder& folder) const {
  for (std::size_t p = 0; p < parts.size(); ++p) {
    StateFolderWriter writer(part_folder(folder, p));
    as<Transform>(p).save(writer);
    writer.finish();
  }
}

StateFolderReader::Values Node::values_learned() const {
  constexpr std::array<std::string_view, 3> numbers = {"normalizer", "solver", "calibrator"};
  return std::ranges::find(numbers, facts().spec->info().kind()) != numbers.end()
             ? StateFolderReader::Values::finite
             : StateFolderReader::Values::any;
}

Folder part_folder(const Folder& folder, std::size_t part) {
  return folder / ("part_" + std::to_string(part));
}

}  // namespace semblance
