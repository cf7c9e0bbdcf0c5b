// SPDX-License-Identifier: MIT
#include "cut.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace semblance::calibrators {
namespace {

double precision(const Cut& cut) { return cut.given > 0 ? cut.right / cut.given : 0; }

}  // namespace

std::vector<Cut> all_cuts(std::vector<Crossing> rows) {
  std::ranges::stable_sort(rows, {}, &Crossing::shift);
  Cut cut;
  for (const Crossing& row : rows) cut.cost += row.before;
  if (rows.empty()) return {cut};
  const double margin = std::max(1.0, rows.back().shift - rows.front().shift);
  cut.shift = std::min(0.0, rows.front().shift - margin);
  std::vector<Cut> cuts = {cut};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    cut.cost += rows[i].after - rows[i].before;
    cut.right += rows[i].right ? rows[i].weight : 0;
    cut.given += rows[i].weight;
    const bool last = i + 1 == rows.size();
    if (!last && rows[i + 1].shift == rows[i].shift) continue;
    cut.shift = last ? std::max(0.0, rows[i].shift + margin)
                     : rows[i].shift + (rows[i + 1].shift - rows[i].shift) / 2;
    // No shift is as good as any shift between the same two samples.
    if (!last && rows[i].shift < 0 && rows[i + 1].shift > 0) cut.shift = 0;
    cuts.push_back(cut);
  }
  return cuts;
}

Cut cheapest(const std::vector<Cut>& cuts) {
  // Sums of costs in another order differ in their last digits.
  double least = cuts.front().cost;
  for (const Cut& cut : cuts) least = std::min(least, cut.cost);
  const double equal = least + 1e-9 * (1 + std::abs(least));
  const Cut* best = nullptr;
  for (const Cut& cut : cuts)
    if (cut.cost <= equal && (!best || std::abs(cut.shift) < std::abs(best->shift))) best = &cut;
  return *best;
}

Cut most_precise(const std::vector<Cut>& cuts, double recall, double positives) {
  const auto worth = [](const Cut& cut) {
    return std::tuple(precision(cut), cut.right, -std::abs(cut.shift));
  };
  const Cut* best = nullptr;
  for (const Cut& cut : cuts)
    if (cut.right >= recall * positives * (1 - 1e-12) && (!best || worth(cut) > worth(*best)))
      best = &cut;
  return best ? *best : cuts.back();
}

}  // namespace semblance::calibrators
