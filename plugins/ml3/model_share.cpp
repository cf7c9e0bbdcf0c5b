// SPDX-License-Identifier: MIT
#include "model_share.hpp"

#include <algorithm>
#include <cstring>

#include "semblance_numerics/packed_rows.hpp"

namespace semblance::ml3 {
namespace {

/// With fewer values of W, the products of a batch take less time than a message.
constexpr std::size_t least_to_share = std::size_t{1} << 19;

bool worth_sharing(std::size_t rows, std::size_t cols, std::size_t ranks) noexcept {
  return ranks > 1 && rows * cols >= least_to_share;
}

}  // namespace

ModelShare::ModelShare(std::size_t rows, std::size_t cols, Collectives& ranks)
    : ranks_(ranks),
      shared_(worth_sharing(rows, cols, ranks.ranks())),
      me_(shared_ ? ranks.rank() : 0),
      firsts_{0} {
  const std::size_t width = numerics::tile_shape().width, panels = (rows + width - 1) / width;
  const std::size_t shares = shared_ ? ranks.ranks() : 1;
  for (std::size_t r = 1; r <= shares; ++r)
    firsts_.push_back(std::min(rows, panels * r / shares * width));
}

void ModelShare::gather_columns(MutableMatrixView z) {
  if (!shared_) return;
  own_.resize(z.rows * rows());
  for (std::size_t i = 0; i < z.rows; ++i)
    std::copy_n(z.row(i) + first(), rows(), own_.data() + i * rows());
  const std::vector<float> all = ranks_.gather(own_);
  const float* from = all.data();
  for (std::size_t r = 0; r + 1 < firsts_.size(); ++r) {
    const std::size_t count = rows_of(r);
    for (std::size_t i = 0; i < z.rows; ++i, from += count)
      if (r != me_) std::copy_n(from, count, z.row(i) + firsts_[r]);
  }
}

void ModelShare::gather_rows(ModelMatrix& w) {
  if (!shared_) return;
  own_.resize(rows() * w.cols());
  for (std::size_t i = 0; i < rows(); ++i)
    std::copy_n(w.row(first() + i), w.cols(), own_.data() + i * w.cols());
  const std::vector<std::byte> all = ranks_.gather(std::as_bytes(std::span(own_)));
  const std::size_t bytes = w.cols() * sizeof(float);
  for (std::size_t i = 0; i < w.rows(); ++i) std::memcpy(w.row(i), all.data() + i * bytes, bytes);
}

}  // namespace semblance::ml3
