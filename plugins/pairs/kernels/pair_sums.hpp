// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/pair_kernel.hpp"

namespace semblance::pairs {

/// Sums over some pairs of a kernel's values with all pairs, as matrix products: with S = sum
/// gamma_p (e_a e_b' + e_b e_a') over the pairs (a, b), s = S 1 and L = diag(s) - S, the sum at (c,
/// d) is
///   q_c + q_d + (K A K)_cd,  A = w_TL S / 2 - w_ML L / 2,
///   q_c = w_ML / 4 (K L K)_cc + w_SD / 2 (K s)_c.
/// Only the r of n rows of K that occur in the pairs are used, so all n^2 / 2 pairs cost r n^2 / 2
/// multiply-adds for any number of summed pairs. T is double throughout or, inside conjugate
/// gradients, float: then few pairs are computed one by one, n multiply-adds each.
template <class T>
class PairSums {
 public:
  /// `standard` is n x n, symmetric. The kernel must be such a sum without squares, see
  /// is_pair_sum(); `first` and `second` are its rows that make the pairs, ascending by the first.
  PairSums(const PairKernelSum& sum, MatrixView standard, std::span<const std::int32_t> first,
           std::span<const std::int32_t> second);

  /// The multiply-adds of add() for these pairs.
  double operations(std::span<const std::uint32_t> pairs) const;

  /// What sums over some pairs need beside their factors; reused by those with other factors.
  struct Work;
  Work prepare(std::span<const std::uint32_t> pairs) const;

  /// sums[j] += sum_r factors[r] K(pair r, pair j). The bits do not depend on the threads. If
  /// `stoppable`, returns false on a stop request; the sums are then unusable.
  bool add(Work& work, std::span<const double> factors, std::span<double> sums, Context& context,
           bool stoppable) const;
  bool add(std::span<const std::uint32_t> pairs, std::span<const double> factors,
           std::span<double> sums, Context& context, bool stoppable) const;

  /// The bytes that add() in double needs for a number of pairs of n examples.
  static std::size_t bytes(std::size_t examples, std::size_t pairs) noexcept;

 private:
  /// The pairs whose first example is in a small range.
  struct Block {
    std::size_t first, count;         // examples
    std::size_t begin, end;           // pairs
    std::size_t others, other_count;  // the range of their second examples
    bool whole = true;                // as a dense product
  };
  bool products() const noexcept {
    return sum_.plain.tensor_learning != 0 || sum_.plain.metric_learning != 0;
  }
  std::size_t at(std::span<const std::int32_t> side, std::size_t pair) const noexcept {
    return static_cast<std::size_t>(side[pair]);
  }
  void multiply_rows(std::size_t block, std::span<const double> factors, Work& work) const;
  void finish_columns(std::size_t block, Work& work) const;
  void add_block(const Block& block, const Work& work, std::span<double> sums) const;

  PairKernelSum sum_;
  MatrixView standard_;
  std::span<const std::int32_t> first_, second_;
  std::vector<Block> blocks_;
  bool sparse_ = false;  // some blocks are not whole
  double area_ = 0;      // of all blocks
};

/// The sum to add is K_R' T + q 1' + 1 q' + constant, where K_R are the rows of K that occur.
template <class T>
struct PairSums<T>::Work {
  struct Entry {
    std::size_t column, pair;
  };
  std::size_t rows = 0;             // r
  std::vector<std::size_t> starts;  // of each row's entries
  std::vector<Entry> entries;       // of S
  std::vector<double> degrees;      // s
  std::vector<T> copied;            // K_R, unless it is K itself
  const T* kernel = nullptr;        // r x n
  std::size_t stride = 0;           // of its rows
  std::vector<T> form;              // T = A_RR K_R, r x n
  std::vector<T> turned;            // its transpose, if pairs are computed one by one
  std::vector<double> own;          // q
  double constant = 0;
};

/// Whether the kernel is symmetric and a sum on the standard kernel itself.
bool is_pair_sum(const PairKernel& kernel);

}  // namespace semblance::pairs
