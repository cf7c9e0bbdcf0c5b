// SPDX-License-Identifier: MIT
#include "local_svm.hpp"

#include <algorithm>
#include <cmath>

#include "fixed_weighting.hpp"

namespace semblance::ml3 {

void scale_to_shares(std::span<float> values) {
  double sum = 0;
  for (const float v : values) sum += double{v};
  if (!(sum > 0)) return;
  for (float& v : values) v = static_cast<float>(double{v} / sum);
}

void LocalSvm::assign(MatrixView in, std::span<const std::int32_t> classes,
                      MutableMatrixView shares, Context&) const {
  const std::size_t m = models();
  FloatMatrix beta(std::min(block_rows, in.rows), weights_per_row());
  for (std::size_t first = 0; first < in.rows; first += block_rows) {
    const std::size_t count = std::min(block_rows, in.rows - first);
    weigh(in.rows_range(first, count), beta.view().rows_range(0, count));
    for (std::size_t i = 0; i < count; ++i) {
      const auto label = static_cast<std::size_t>(classes[first + i]);
      const auto own = class_weights(std::as_const(beta).view().row_span(i), m, label);
      const auto share = shares.row_span(first + i);
      std::transform(own.begin(), own.end(), share.begin(), [](float w) { return std::abs(w); });
      scale_to_shares(share);
    }
  }
}

}  // namespace semblance::ml3
