// SPDX-License-Identifier: MIT
#include "none.hpp"

#include <algorithm>

#include "row_kernels.hpp"

namespace semblance {

void NoNormalizer::apply(MatrixView in, MutableMatrixView out, Context&) const {
  for (std::size_t i = 0; i < in.rows; ++i) {
    check_finite(in.row(i), in.cols, i, "of the block");
    std::copy_n(in.row(i), in.cols, out.row(i));
  }
}

Declaration<NoNormalizer> NoNormalizer::declare() {
  return Declaration<NoNormalizer>("normalizer/none", "Leaves the rows as they are")
      .complexity("one copy")
      .inexpensive();
}

}  // namespace semblance
