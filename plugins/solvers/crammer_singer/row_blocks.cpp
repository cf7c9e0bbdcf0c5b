// SPDX-License-Identifier: MIT
#include "crammer_singer/row_blocks.hpp"

#include <algorithm>
#include <span>

#include "blas.hpp"

namespace semblance::solvers {

RowBlocks::RowBlocks(const Rows& rows, std::vector<std::size_t> chosen, std::size_t size,
                     double bias, Context& context)
    : rows_(rows),
      order_(std::move(chosen)),
      blocks_((order_.size() + size - 1) / size),
      gram_(order_.size(), std::min(size, order_.size())) {
  Random(1).shuffle(std::span(order_));
  openblas_set_num_threads(1);  // the threads are the context's
  context.parallel_for(blocks_, [&](std::size_t block) {
    if (context.stop_requested() == StopReason::none) compute(block, bias);
  });
  rows.release(0, rows.rows());
}

void RowBlocks::compute(std::size_t block, double bias) {
  const std::size_t n = size(block), cols = rows_.cols();
  const float square = static_cast<float>(bias * bias);
  Vectors<float> x(n, cols), products(n, n);
  for (std::size_t i = 0; i < n; ++i) std::copy_n(values(block, i), cols, x.row(i));
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, blas::narrow(n), blas::narrow(n),
              blas::narrow(cols), 1, x.row(0), blas::narrow(x.stride()), x.row(0),
              blas::narrow(x.stride()), 0, products.row(0), blas::narrow(products.stride()));
  for (std::size_t i = 0; i < n; ++i)
    std::transform(products.row(i), products.row(i) + n, gram_.row(block + i * blocks_),
                   [&](float product) { return product + square; });
}

}  // namespace semblance::solvers
