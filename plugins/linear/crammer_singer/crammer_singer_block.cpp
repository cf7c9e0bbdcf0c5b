// SPDX-License-Identifier: MIT
#include "crammer_singer/crammer_singer_block.hpp"

#include <cblas.h>

#include <algorithm>
#include <numeric>
#include <span>

namespace semblance::linear {
namespace {

constexpr int most_block_passes = 5;
constexpr int most_passes_alone = 200;
constexpr double negligible_violation = 1e-12;
constexpr double sufficient = 0.1;  // of the first pass's largest violation

}  // namespace

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
  constexpr std::size_t rows_a_poll = 32;
  double worst = 0;
  std::size_t seen = 0;
  for (const std::size_t i : order_) {
    if (++seen % rows_a_poll == 0 && context.stop_requested() != StopReason::none) break;
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
