// SPDX-License-Identifier: MIT
#include "runtime/rows/joined_rows.hpp"

namespace semblance {

FloatMatrix joined_rows(const std::vector<MatrixView>& inputs) {
  std::size_t cols = 0, offset = 0;
  for (const auto& input : inputs) cols += input.cols;
  FloatMatrix joined(inputs.at(0).rows, cols);
  for (const auto& input : inputs) {
    copy_rows(input, joined.view().cols_range(offset, input.cols));
    offset += input.cols;
  }
  return joined;
}

}  // namespace semblance
