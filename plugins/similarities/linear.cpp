// SPDX-License-Identifier: MIT
#include "linear.hpp"

namespace semblance {

Declaration<Linear> Linear::declare() {
  return Declaration<Linear>("similarity/linear", "Inner product <b, x>")
      .symmetric()
      .reference("BE-SVM, figure 2: H4L and H8L")
      .complexity("2d operations a pair for d values; one packed matrix product a block");
}

double Linear::operations() const noexcept { return 2.0 * static_cast<double>(layout().size()); }

bool Linear::compare_range(MatrixView in, std::size_t first, MutableMatrixView out,
                           Context& context) const {
  multiply(in, packed(), first, out, context);
  return true;
}

}  // namespace semblance
