// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "kernels/pair_columns.hpp"
#include "semblance/context.hpp"
#include "semblance/pair_kernel.hpp"

namespace semblance::pairs {

/// Sums over some pairs of a kernel's values with all pairs, as matrix products: with S = sum
/// gamma_p (e_a e_b' + e_b e_a') over the pairs (a, b), s = S 1 and L = diag(s) - S, the sum at (c,
/// d) is
///   q_c + q_d + (K A K)_cd,  A = w_TL S / 2 - w_ML L / 2,
///   q_c = w_ML / 4 (K L K)_cc + w_SD / 2 (K s)_c.
/// Only the r of n rows of K that occur in the pairs are used, so all n^2 / 2 pairs cost r n^2 / 2
/// multiply-adds for any number of summed pairs. In double throughout.
class PairSums {
 public:
  /// `standard` is n x n, symmetric. The kernel must be such a sum without squares, see usable();
  /// the pairs refer to its rows, ascending by their first example.
  PairSums(const PairKernelSum& sum, MatrixView standard, const PairColumns& pairs);

  /// Whether the kernel is symmetric and a sum on the standard kernel itself.
  static bool usable(const PairKernel& kernel);

  /// The multiply-adds of add() for these pairs.
  double operations(std::span<const std::uint32_t> pairs) const;

  /// sums[j] += sum_r factors[r] K(pair r, pair j). The bits do not depend on the threads. If
  /// `stoppable`, returns false on a stop request; the sums are then unusable.
  bool add(std::span<const std::uint32_t> pairs, std::span<const double> factors,
           std::span<double> sums, Context& context, bool stoppable) const;

  /// The bytes that add() needs for a number of pairs of n examples.
  static std::size_t bytes(std::size_t examples, std::size_t pairs) noexcept;

 private:
  /// The pairs whose first example is in a small range.
  struct Block {
    std::size_t first, count;         // examples
    std::size_t begin, end;           // pairs
    std::size_t others, other_count;  // the range of their second examples
  };
  struct Change;
  using Run = std::function<void(std::size_t, const std::function<void(std::size_t)>&)>;

  Change change(std::span<const std::uint32_t> pairs, std::span<const double> factors,
                const Run& run) const;
  void add_block(const Block& block, const Change& change, std::span<double> sums) const;

  PairKernelSum sum_;
  MatrixView standard_;
  const PairColumns& pairs_;
  std::vector<Block> blocks_;
  double area_ = 0;  // of all blocks
};

}  // namespace semblance::pairs
