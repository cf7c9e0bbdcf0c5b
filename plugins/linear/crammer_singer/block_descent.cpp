// SPDX-License-Identifier: MIT
#include "crammer_singer/block_descent.hpp"

#include <cblas.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <span>

#include "semblance_numerics/blas.hpp"

namespace semblance::linear {
namespace {

constexpr int most_block_passes = 5;
constexpr int most_passes_alone = 200;
constexpr double negligible_violation = 1e-12;
constexpr double sufficient = 0.1;  // of the first pass's largest violation

}  // namespace

RowBlocks::RowBlocks(const LinearTask& task, std::vector<std::size_t> chosen, std::size_t size,
                     std::size_t memory, Context& context)
    : rows_(task.training.rows),
      sparse_(task.sparse()),
      order_(std::move(chosen)),
      blocks_((order_.size() + size - 1) / size),
      bias_(task.bias),
      centre_(task.centre),
      cached_(std::min(blocks_, memory / bytes(size))) {
  Random(1).shuffle(std::span(order_));
  openblas_set_num_threads(1);  // the threads are the context's
  context.parallel_for(cached_.size(), [&](std::size_t block) {
    if (context.stop_requested() == StopReason::none) cached_[block] = gram(block);
  });
  rows_.release(0, rows_.rows());
}

void RowBlocks::open(std::size_t block) {
  if (block >= cached_.size()) opened_ = gram(block);
}

Vectors<float> RowBlocks::gram(std::size_t block) const {
  const std::size_t n = size(block);
  const float square = static_cast<float>(bias_ * bias_);
  Vectors<float> products(n, n);
  if (sparse_)
    add_sparse_products(block, products);
  else
    add_dense_products(block, products);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) products.row(i)[j] += square;
  return products;
}

void RowBlocks::add_dense_products(std::size_t block, Vectors<float>& products) const {
  const std::size_t n = products.count(), cols = rows_.cols();
  Vectors<float> x(n, cols);
  for (std::size_t i = 0; i < n; ++i)
    std::copy_n(rows_.view(row(block, i), 1).row(0), cols, x.row(i));
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, numerics::blas::narrow(n),
              numerics::blas::narrow(n), numerics::blas::narrow(cols), 1, x.row(0),
              numerics::blas::narrow(x.stride()), x.row(0), numerics::blas::narrow(x.stride()), 0,
              products.row(0), numerics::blas::narrow(products.stride()));
}

void RowBlocks::add_sparse_products(std::size_t block, Vectors<float>& products) const {
  const std::size_t n = products.count();
  std::vector<float> filled(rows_.cols());  // the values of row i, by column
  std::vector<double> at_centre(n);
  for (std::size_t i = 0; i < n; ++i)
    at_centre[i] = centre_.product(entries_of(rows_.view(row(block, i), 1), 0));
  for (std::size_t i = 0; i < n; ++i) {
    const MatrixView left = rows_.view(row(block, i), 1);
    for (std::size_t k = 0; k < left.size(0); ++k) filled[left.columns_of(0)[k]] = left.row(0)[k];
    for (std::size_t j = 0; j <= i; ++j) {
      const MatrixView right = rows_.view(row(block, j), 1);
      double sum = centre_.square - at_centre[i] - at_centre[j];
      for (std::size_t k = 0; k < right.size(0); ++k)
        sum += double{right.row(0)[k]} * filled[right.columns_of(0)[k]];
      products.row(i)[j] = products.row(j)[i] = static_cast<float>(sum);
    }
    for (const std::uint32_t column : left.columns_of(0)) filled[column] = 0;
  }
}

double CrammerSingerStep::violation(std::span<const double> slope, std::span<const double> alpha,
                                    std::size_t own, double cost) {
  double largest = -std::numeric_limits<double>::infinity(), smallest = -largest;
  for (std::size_t m = 0; m < slope.size(); ++m) {
    largest = std::max(largest, slope[m]);
    if (alpha[m] < (m == own ? cost : 0)) smallest = std::min(smallest, slope[m]);
  }
  return largest - smallest;
}

void CrammerSingerStep::solve(double curvature, std::span<const double> slope, std::size_t own,
                              double cost, std::span<double> alpha) {
  const std::size_t k = slope.size();
  if (curvature == 0) {  // a row of zeros
    std::fill(alpha.begin(), alpha.end(), 0.0);
    const auto rival =
        static_cast<std::size_t>(std::max_element(slope.begin(), slope.end()) - slope.begin());
    alpha[own] += cost;
    alpha[rival] -= cost;
    return;
  }
  for (std::size_t m = 0; m < k; ++m) linear_[m] = slope[m] - curvature * alpha[m];
  sorted_ = linear_;
  sorted_[own] += curvature * cost;
  std::sort(sorted_.begin(), sorted_.end(), std::greater<>());
  // The multiplier of sum a = 0: the entries below their bound balance those at the bounds.
  double sum = sorted_[0] - curvature * cost;
  std::size_t below = 1;
  while (below < k && sum < static_cast<double>(below) * sorted_[below]) sum += sorted_[below++];
  const double multiplier = sum / static_cast<double>(below);
  for (std::size_t m = 0; m < k; ++m)
    alpha[m] = std::min(m == own ? cost : 0.0, (multiplier - linear_[m]) / curvature);
}

double CrammerSingerBlock::descend(const RowBlocks& blocks, std::size_t block,
                                   std::vector<Row>& rows, const std::vector<double>& products,
                                   std::vector<double>& change, Random& random,
                                   const Context& context) {
  const std::size_t size = blocks.size(block);
  slopes_.assign(k_ * size, 0);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t m = 0; m < k_; ++m)
      slopes_[m * size + rows[i].place] =
          static_cast<float>(products[i * k_ + m] + (m == rows[i].own ? 0 : 1));
  change.assign(rows.size() * k_, 0);
  order_.resize(rows.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  slope_.resize(k_);
  old_.resize(k_);
  double first = 0;
  for (int i = 0; i < (blocks.blocks() == 1 ? most_passes_alone : most_block_passes); ++i) {
    random.shuffle(std::span(order_));
    const double worst = pass(blocks, block, rows, change,
                              i == 0 ? negligible_violation : sufficient * first, context);
    if (i == 0) first = worst;
    if (worst <= sufficient * first) break;
  }
  return first;
}

double CrammerSingerBlock::pass(const RowBlocks& blocks, std::size_t block, std::vector<Row>& rows,
                                std::vector<double>& change, double negligible,
                                const Context& context) {
  const std::size_t size = blocks.size(block);
  constexpr std::size_t rows_per_poll = 32;
  double worst = 0;
  std::size_t seen = 0;
  for (const std::size_t i : order_) {
    if (++seen % rows_per_poll == 0 && context.stop_requested() != StopReason::none) break;
    Row& row = rows[i];
    const std::span<double> alpha(row.alpha, k_);
    for (std::size_t m = 0; m < k_; ++m) slope_[m] = double{slopes_[m * size + row.place]};
    const double violation = CrammerSingerStep::violation(slope_, alpha, row.own, row.cost);
    if (violation <= negligible) continue;
    worst = std::max(worst, violation);
    row.moved = true;
    std::copy(alpha.begin(), alpha.end(), old_.begin());
    const float* gram = blocks.products(block, row.place);
    step_.solve(double{gram[row.place]}, slope_, row.own, row.cost, alpha);
    for (std::size_t m = 0; m < k_; ++m) {
      const double by = alpha[m] - old_[m];
      if (by == 0) continue;
      change[i * k_ + m] += by;
      cblas_saxpy(static_cast<int>(size), static_cast<float>(by), gram, 1,
                  slopes_.data() + m * size, 1);
    }
  }
  return worst;
}

}  // namespace semblance::linear
