// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "problem/linear_task.hpp"
#include "semblance/random.hpp"
#include "semblance/samples.hpp"
#include "sparse/lanes.hpp"

namespace semblance::linear {

/// Some rows, divided into blocks of at most `size`, and the Gram matrices of the blocks. Rows are
/// assigned at random, with a fixed seed: if a block lacks some classes, descent by blocks is much
/// slower.
class RowBlocks {
 public:
  /// Computes the Gram matrices of the task's rows, in float32. Those of the first blocks are
  /// cached, up to `memory` bytes; the later ones are recomputed, with the same bits, whenever they
  /// are opened. Check the context afterwards: a stop request ends it early.
  RowBlocks(const LinearTask& task, std::vector<std::size_t> chosen, std::size_t size,
            std::size_t memory, Context& context);

  std::size_t rows() const noexcept { return order_.size(); }

  std::size_t blocks() const noexcept { return blocks_; }
  std::size_t size(std::size_t block) const noexcept {
    return (order_.size() - block + blocks_ - 1) / blocks_;
  }
  std::size_t row(std::size_t block, std::size_t place) const noexcept {
    return order_[block + place * blocks_];
  }

  /// Makes the products of a block available; one block at a time.
  void open(std::size_t block);
  /// The size(block) inner products with the row at `place`.
  const float* products(std::size_t block, std::size_t place) const noexcept {
    return (block < cached_.size() ? cached_[block] : opened_).row(place);
  }

  /// The bytes of the Gram matrix of `size` rows.
  static std::size_t bytes(std::size_t size) noexcept {
    return size * padded(size) * sizeof(float);
  }

 private:
  Vectors<float> gram(std::size_t block) const;
  void add_dense_products(std::size_t block, Vectors<float>& products) const;
  void add_sparse_products(std::size_t block, Vectors<float>& products) const;

  const Rows& rows_;
  bool sparse_;
  std::vector<std::size_t> order_;
  std::size_t blocks_;
  double bias_;
  Centre centre_;
  std::vector<Vectors<float>> cached_;  // Gram matrices
  Vectors<float> opened_;
};

/// The subproblem of one sample in Crammer and Singer's dual: min_a 1/2 A |a|^2 + b.a with sum a =
/// 0, a_own <= C and a_m <= 0 for the other classes, solved exactly by sorting (Keerthi et al.
/// 2008, section 3; Crammer and Singer 2001, section 6).
class CrammerSingerStep {
 public:
  explicit CrammerSingerStep(std::size_t classes) : linear_(classes), sorted_(classes) {}

  /// The violation of the sample's optimality condition: the largest slope minus the smallest slope
  /// of an entry that may grow; at most 0 at the optimum.
  static double violation(std::span<const double> slope, std::span<const double> alpha,
                          std::size_t own, double cost);

  /// Replaces alpha by the solution, given the slope at alpha and the curvature A >= 0.
  void solve(double curvature, std::span<const double> slope, std::size_t own, double cost,
             std::span<double> alpha);

 private:
  std::vector<double> linear_, sorted_;
};

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
