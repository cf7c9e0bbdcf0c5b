// SPDX-License-Identifier: MIT
#include "runtime/loop/batch_judging.hpp"

#include <vector>

#include "semblance/calibrator.hpp"

namespace semblance {
namespace {

const NoveltyCalibrator* judge_of(const Node& node) {
  if (node.parts.empty()) return nullptr;
  const auto* calibrator = dynamic_cast<const NoveltyCalibrator*>(node.parts.front().get());
  return calibrator && calibrator->judges_batches() ? calibrator : nullptr;
}

}  // namespace

bool judges_batches(const Node& node) { return judge_of(node) != nullptr; }

void judge_batch(const Node& node, MutableMatrixView scores) {
  const NoveltyCalibrator* const judge = judge_of(node);
  if (!judge) return;
  std::vector<float> values;
  values.reserve(scores.rows);
  for (std::size_t i = 0; i < scores.rows; ++i) values.push_back(scores.row(i)[0]);
  judge->judge(values);
  for (std::size_t i = 0; i < scores.rows; ++i) scores.row(i)[0] = values[i];
}

}  // namespace semblance
