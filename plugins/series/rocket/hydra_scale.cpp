// SPDX-License-Identifier: MIT
#include "rocket/hydra_scale.hpp"

#include <algorithm>
#include <cmath>

#include "semblance/collectives.hpp"

namespace semblance::series {
namespace {

float root(float count) { return count > 0 ? std::sqrt(count) : 0.0f; }

}  // namespace

void HydraScale::operator()(std::span<float> counts) const {
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const float x = root(counts[c]);
    counts[c] = x == 0 ? 0.0f : static_cast<float>((double(x) - means[c]) / divisors[c]);
  }
}

HydraScale learn_hydra_scale(std::size_t rows, std::size_t columns, Context& context,
                             const std::function<FloatMatrix(std::size_t, std::size_t)>& counts) {
  // Differences from the first sample: those of a constant column are exactly zero.
  FloatMatrix origin = counts(0, 1);
  for (float& x : origin.values) x = root(x);
  std::vector<double> total(3 * columns);
  const RowParts parts(rows);
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sums) {
    const auto zeros = sums.first(columns), first = sums.subspan(columns, columns),
               second = sums.last(columns);
    const std::size_t end = parts.first_row(part + 1);
    for (std::size_t row = parts.first_row(part); row < end; row += block_rows) {
      const std::size_t count = std::min(block_rows, end - row);
      const FloatMatrix block = counts(row, count);
      for (std::size_t i = 0; i < count; ++i) {
        const float* x = block.view().row(i);
        for (std::size_t c = 0; c < columns; ++c) {
          const float value = root(x[c]);
          const double d = double(value) - double(origin.values[c]);
          zeros[c] += value == 0 ? 1 : 0;
          first[c] += d;
          second[c] += d * d;
        }
      }
    }
  });
  const auto n = static_cast<double>(rows);
  HydraScale scale{std::vector<double>(columns), std::vector<double>(columns, 1.0)};
  for (std::size_t c = 0; c < columns; ++c) {
    const double share = total[c] / n, sum = total[columns + c];
    scale.means[c] = origin.values[c] + sum / n;
    const double squares = std::max(0.0, total[2 * columns + c] - sum * sum / n);
    if (squares > 0) scale.divisors[c] = std::sqrt(squares / (n - 1)) + std::pow(share, 4) + 1e-8;
  }
  return scale;
}

}  // namespace semblance::series
