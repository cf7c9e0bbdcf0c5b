// SPDX-License-Identifier: MIT
#include "crammer_singer/row_blocks.hpp"

#include <algorithm>
#include <span>

#include "semblance_numerics/blas.hpp"

namespace semblance::linear {

RowBlocks::RowBlocks(const Rows& rows, std::vector<std::size_t> chosen, std::size_t size,
                     double bias, std::size_t memory, Context& context)
    : rows_(rows),
      order_(std::move(chosen)),
      blocks_((order_.size() + size - 1) / size),
      bias_(bias),
      kept_(std::min(blocks_, memory / bytes(size))) {
  Random(1).shuffle(std::span(order_));
  openblas_set_num_threads(1);  // the threads are the context's
  context.parallel_for(kept_.size(), [&](std::size_t block) {
    if (context.stop_requested() == StopReason::none) kept_[block] = gram(block);
  });
  rows.release(0, rows.rows());
}

void RowBlocks::open(std::size_t block) {
  if (block >= kept_.size()) opened_ = gram(block);
}

Vectors<float> RowBlocks::gram(std::size_t block) const {
  const std::size_t n = size(block), cols = rows_.cols();
  const float square = static_cast<float>(bias_ * bias_);
  Vectors<float> x(n, cols), products(n, n);
  for (std::size_t i = 0; i < n; ++i) std::copy_n(values(block, i), cols, x.row(i));
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, numerics::blas::narrow(n),
              numerics::blas::narrow(n), numerics::blas::narrow(cols), 1, x.row(0),
              numerics::blas::narrow(x.stride()), x.row(0), numerics::blas::narrow(x.stride()), 0,
              products.row(0), numerics::blas::narrow(products.stride()));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) products.row(i)[j] += square;
  return products;
}

}  // namespace semblance::linear
