// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/matrix.hpp"
#include "semblance/pair_kernel.hpp"

namespace semblance::pairs {

/// Products of the pair kernel's matrix of some pairs with vectors, in float32: K S K as in
/// PairSums, evaluated only at these pairs. With A pairs of n examples, S times K takes 2 A n
/// multiply-adds and the values A n, so a product costs 3 A n. If dense products of n x n matrices
/// are cheaper, these are used.
class PairGram {
 public:
  /// `standard` is n x n, symmetric. The kernel must be a sum without squares.
  PairGram(const PairKernelSum& sum, MatrixView standard, Context& context);

  /// Sets the pairs of examples, ascending by the first.
  void set_pairs(std::vector<std::int32_t> first, std::vector<std::int32_t> second);

  /// out[p] = sum_q v[q] K(pair q, pair p). The bits do not depend on the threads; meaningless
  /// after a stop request.
  void multiply(const std::vector<double>& v, std::vector<double>& out);

  static std::size_t bytes(std::size_t examples, std::size_t pairs) noexcept;

 private:
  bool products() const noexcept {
    return sum_.plain.tensor_learning != 0 || sum_.plain.metric_learning != 0;
  }
  bool dense() const noexcept;
  void run(std::size_t count, const std::function<void(std::size_t)>& body);
  void left_product(std::size_t block, const std::vector<double>& v);
  void finish_form(std::size_t block);
  void values(std::size_t block, std::vector<double>& out) const;

  PairKernelSum sum_;
  MatrixView standard_;
  Context& context_;
  std::vector<std::int32_t> first_, second_;
  std::vector<std::size_t> starts_;     // of each example's entries
  std::vector<std::uint32_t> entries_;  // pairs that the example is in
  std::vector<float> form_, turned_;    // S K, then A K; and its transpose
  std::vector<float> degrees_, own_;
  std::vector<std::size_t> first_pair_;  // of each block of examples
  double constant_ = 0;
};

}  // namespace semblance::pairs
