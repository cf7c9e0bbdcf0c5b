// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "crammer_singer/crammer_singer_step.hpp"
#include "crammer_singer/row_blocks.hpp"
#include "semblance/random.hpp"

namespace semblance::solvers {

/// Sequential steps of Crammer and Singer's dual on the rows of one block, by their Gram matrix.
class CrammerSingerBlock {
 public:
  explicit CrammerSingerBlock(std::size_t classes) : k_(classes), step_(classes) {}

  /// A row that takes part.
  struct Row {
    std::size_t place;  ///< in the block
    std::size_t own;    ///< its class
    double cost;        ///< C u_i
    double* alpha;      ///< one a class
    bool moved = false;
  };

  /// Some passes over the rows (many where there is no other block), in an order that `random`
  /// gives. `products` are those of the rows with all w_m; `change` (rows x classes) is what is
  /// added to the alphas. Returns the largest violation of the first pass. A stop request ends it
  /// between two rows, with alphas and `change` as they are then.
  double descend(const RowBlocks& blocks, std::size_t block, std::vector<Row>& rows,
                 const std::vector<double>& products, std::vector<double>& change, Random& random,
                 const Context& context);

 private:
  double pass(const RowBlocks& blocks, std::size_t block, std::vector<Row>& rows,
              std::vector<double>& change, double negligible, const Context& context);

  std::size_t k_;
  CrammerSingerStep step_;
  // Class by class for all places of the block, since a step changes a class of all rows. In
  // float32, as the Gram matrix: rounding is not carried from one descent to the next.
  std::vector<float> slopes_;
  std::vector<std::size_t> order_;
  std::vector<double> slope_, old_;
};

}  // namespace semblance::solvers
