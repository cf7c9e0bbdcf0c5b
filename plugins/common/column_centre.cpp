// SPDX-License-Identifier: MIT
#include "column_centre.hpp"

#include <algorithm>

#include "semblance/collectives.hpp"

namespace semblance::common {

Centre column_means(const Rows& rows, std::span<const double> weights, Context& context) {
  const std::size_t cols = rows.cols();
  const RowParts parts(rows.rows());
  std::vector<double> sums(cols + 1);  // the sum of the weights last
  sum_over_parts(context, parts, sums, [&](std::size_t part, std::span<double> to) {
    for (std::size_t i = parts.first_row(part); i < parts.first_row(part + 1); ++i) {
      const float* row = rows.view(i, 1).row(0);
      const double weight = weights.empty() ? 1 : weights[i];
      for (std::size_t k = 0; k < cols; ++k) to[k] += weight * double{row[k]};
      to[cols] += weight;
    }
    rows.release(parts.first_row(part), parts.rows_of(part));
  });
  for (std::size_t k = 0; k < cols; ++k) sums[k] /= sums[cols];
  sums.pop_back();
  return sums;
}

void copy_about(std::span<const double> centre, const float* row, std::size_t cols, float* out) {
  if (centre.empty())
    std::copy_n(row, cols, out);
  else
    std::transform(row, row + cols, centre.data(), out,
                   [](float x, double m) { return static_cast<float>(double{x} - m); });
}

FloatMatrix about(std::span<const double> centre, MatrixView rows) {
  FloatMatrix copies(rows.rows, rows.cols);
  for (std::size_t i = 0; i < rows.rows; ++i)
    copy_about(centre, rows.row(i), rows.cols, copies.values.data() + i * rows.cols);
  return copies;
}

void save_inputs(StateWriter& state, std::size_t inputs, const Centre& centre) {
  if (centre.empty())
    state.integer("inputs", static_cast<std::int64_t>(inputs));
  else
    state.doubles("centre", centre);
}

std::pair<std::int64_t, Centre> load_inputs(const StateReader& state) {
  if (state.has("inputs")) return {state.integer("inputs"), {}};
  Centre centre = state.doubles("centre");
  return {static_cast<std::int64_t>(centre.size()), std::move(centre)};
}

}  // namespace semblance::common
