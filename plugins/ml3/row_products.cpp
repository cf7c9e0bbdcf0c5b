// SPDX-License-Identifier: MIT
#include "row_products.hpp"

#include <string>

#include "problem.hpp"
#include "semblance/error.hpp"
#include "semblance_numerics/product.hpp"

namespace semblance::ml3 {

void for_each_product(MatrixView rows, std::span<const double> centre, double bias,
                      const numerics::PackedRows& models,
                      const std::function<void(std::size_t, std::span<const float>)>& body) {
  if (models.rows() == 0) throw Error("the solver has not been trained");
  const std::size_t inputs = models.cols() - (bias != 0 ? 1 : 0);
  if (rows.cols != inputs)
    throw Error("rows of " + std::to_string(rows.cols) + " values do not match a model for " +
                std::to_string(inputs));
  constexpr std::size_t most = 240;  // rows that a product packs at once
  ModelMatrix x(std::min(most, rows.rows), models.cols());
  ModelMatrix z(std::min(most, rows.rows), models.rows());
  for (std::size_t first = 0; first < rows.rows; first += most) {
    const std::size_t count = std::min(most, rows.rows - first);
    for (std::size_t i = 0; i < count; ++i)
      copy_with_bias(rows.row(first + i), rows.cols, centre, bias, x.row(i));
    numerics::multiply(x.view().rows_range(0, count), models, z.view().rows_range(0, count));
    for (std::size_t i = 0; i < count; ++i) body(first + i, {z.row(i), models.rows()});
  }
}

void scale_to_shares(std::span<float> values) {
  double sum = 0;
  for (const float v : values) sum += double{v};
  if (!(sum > 0)) return;
  for (float& v : values) v = static_cast<float>(double{v} / sum);
}

}  // namespace semblance::ml3
