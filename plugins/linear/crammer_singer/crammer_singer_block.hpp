// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "crammer_singer/crammer_singer_step.hpp"
#include "crammer_singer/row_blocks.hpp"
#include "semblance/random.hpp"

namespace semblance::linear {

/// Sequential steps of Crammer and Singer's dual on the samples of one block, by their Gram matrix.
class CrammerSingerBlock {
 public:
  explicit CrammerSingerBlock(std::size_t classes) : k_(classes), step_(classes) {}

  /// An active sample.
  struct Row {
    std::size_t place;  ///< in the block
    std::size_t own;    ///< its class
    double cost;        ///< C u_i
    double* alpha;      ///< one per class
    bool moved = false;
  };

  /// Makes some passes over the samples (many if there is only one block), in a random order.
  /// `products` are those of the samples with all w_m; `change` (rows x classes) receives the
  /// changes of the alphas. Returns the largest violation of the first pass. A stop request ends it
  /// between two samples, with consistent alphas and `change`.
  double descend(const RowBlocks& blocks, std::size_t block, std::vector<Row>& rows,
                 const std::vector<double>& products, std::vector<double>& change, Random& random,
                 const Context& context);

 private:
  double pass(const RowBlocks& blocks, std::size_t block, std::vector<Row>& rows,
              std::vector<double>& change, double negligible, const Context& context);

  std::size_t k_;
  CrammerSingerStep step_;
  // Class by class for all places of the block, since a step changes a class of all samples. In
  // float32 like the Gram matrix: rounding does not accumulate from one descent to the next.
  std::vector<float> slopes_;
  std::vector<std::size_t> order_;
  std::vector<double> slope_, old_;
};

}  // namespace semblance::linear
