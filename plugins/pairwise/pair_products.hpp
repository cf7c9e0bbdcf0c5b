// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "pair_space.hpp"
#include "pair_table.hpp"
#include "semblance/context.hpp"

namespace semblance::pairwise {

/// Decision values of pairs, and sums of pairs' features, as matrix products on the factor's rows:
/// sum_p c_p Phi_p needs E_i = sum_j c_ij z_j alone, and Z'E. Blocks of rows in which many pairs
/// are wanted are dense products, others inner products of single rows. T is float or double; sums
/// over blocks are double. The bits do not depend on the threads.
template <class T>
class PairProducts {
 public:
  static constexpr std::size_t block_size = 64;

  PairProducts(const PairSpace& space, Context& context);

  std::size_t blocks() const noexcept { return (n_ + block_size - 1) / block_size; }
  std::size_t first(std::size_t block) const noexcept { return block * block_size; }
  std::size_t end(std::size_t block) const noexcept {
    return std::min(n_, (block + 1) * block_size);
  }

  /// Makes w the point that values() speaks of. False on a stop request, as all of this kind.
  bool set_point(const std::vector<double>& w);

  /// out[p - table.start(first)] = <w, Phi_p> for the pairs p of a block's rows. Thread-safe.
  void values(std::size_t block, const PairTable& table, T* out) const;

  /// Sums c_p Phi_p: begin_sum(), add() once a block (thread-safe), end_sum().
  void begin_sum();
  void add(std::size_t block, const PairTable& table, const T* coefficients);
  bool end_sum(std::vector<double>& out);

  /// The sums of the coefficients of the pairs of each example, after end_sum().
  const std::vector<double>& degrees() const noexcept { return degrees_; }

  /// Bytes of an object.
  static std::size_t bytes(const PairSpace& space) noexcept;

 private:
  struct Part {
    std::vector<T> cross, own_form, linear;  // the point's quadratic form
    T own_factor = 0;                        // D = own_factor A, where there is no own_form
    std::vector<T> products;                 // Z A
    std::vector<T> sums;                     // E
  };
  const T* z(std::size_t part, std::size_t row) const noexcept;
  bool run(const std::function<void(std::size_t)>& body);
  bool dense(std::size_t block, const PairTable& table) const noexcept;
  void compute_products(std::size_t block);
  bool transposed_product(std::size_t part, const std::vector<T>& right, std::vector<T>& out);

  const PairSpace& space_;
  Context& context_;
  std::size_t n_;
  std::vector<Part> parts_;
  std::vector<T> own_;            // q of each example, over all parts
  std::vector<double> partials_;  // degrees by block
  std::vector<double> degrees_;
};

}  // namespace semblance::pairwise
