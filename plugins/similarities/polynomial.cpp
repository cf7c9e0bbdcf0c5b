// SPDX-License-Identifier: MIT
#include "polynomial.hpp"

#include <algorithm>

namespace semblance {

Declaration<Polynomial> Polynomial::declare() {
  return Declaration<Polynomial>("similarity/polynomial",
                                 "Polynomial kernel (scale <b, x> + offset)^degree")
      .parameter("degree", &Polynomial::degree_, "the power", at_least(1), at_most(64))
      .parameter("offset", &Polynomial::offset_, "added to the scaled inner product")
      .parameter("scale", &Polynomial::scale_, "factor on the inner product", above(0))
      .symmetric()
      .documentation(
          "Positive semi-definite for an offset that is not negative. Powers grow fast: scale the "
          "samples so that inner products are about one.")
      .complexity("2d + degree operations a pair for d values; one packed matrix product a block");
}

double Polynomial::operations() const noexcept {
  return 2.0 * static_cast<double>(layout().size()) + 2.0 + static_cast<double>(degree_);
}

bool Polynomial::compare_range(MatrixView in, std::size_t first, MutableMatrixView out,
                               Context& context) const {
  multiply(in, packed(), first, out, context);
  const auto scale = static_cast<float>(scale_), offset = static_cast<float>(offset_);
  for (std::size_t i = 0; i < out.rows; ++i)
    for (float& value : out.row_span(i)) {
      const float base = scale * value + offset;
      float power = base;
      for (std::int64_t p = 1; p < degree_; ++p) power *= base;
      value = power;
    }
  return true;
}

}  // namespace semblance
