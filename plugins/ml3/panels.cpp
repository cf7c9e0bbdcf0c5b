// SPDX-License-Identifier: MIT
#include "panels.hpp"

namespace semblance::ml3 {

Panels::Panels(const ModelMatrix& w) {
  // A few last rows join the chunk before: products with one panel alone take nearly as long as
  // with two.
  constexpr std::size_t most = chunk_rows + chunk_rows / 2;
  for (std::size_t row = 0; row < w.rows(); row += chunks_.back().rows()) {
    const std::size_t left = w.rows() - row;
    chunks_.emplace_back(w.view().rows_range(row, left <= most ? left : chunk_rows));
  }
}

void Panels::copy_to(ModelMatrix& w) const {
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    const FloatMatrix rows = chunks_[c].unpack();
    for (std::size_t r = 0; r < rows.rows; ++r)
      std::copy_n(rows.values.data() + r * rows.cols, rows.cols, w.row(first_row(c) + r));
  }
}

}  // namespace semblance::ml3
