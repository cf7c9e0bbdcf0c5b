// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "newton/newton.hpp"

namespace semblance::pairs {

/// A symmetric matrix in double.
struct SquareMatrix {
  std::size_t order = 0;
  std::vector<double> values;  ///< row-major

  const double* row(std::size_t i) const noexcept { return values.data() + i * order; }
};

/// The samples that pairs consist of.
struct PairIndex {
  std::vector<std::uint32_t> first, second;

  std::size_t pairs() const noexcept { return first.size(); }
};

/// Products with the matrix of all pairs, K[a_i, a_j] G[b_i, b_j], without that matrix: the
/// generalized vec trick of Airola and Pahikkala 2018. With V[a_j, b_j] = v_j, which has one value
/// per pair, u_i = (K V G)[a_i, b_i]; K V costs m operations per pair and a row of it by one of G
/// costs q. Where V is not sparse, two matrix products take less time than that. Sums are in
/// double, in an order that does not depend on the number of threads.
class VecTrick final : public PairMatrix {
 public:
  /// `k` is m x m, `g` q x q. Throws MemoryError if the m x q intermediate values do not fit.
  VecTrick(SquareMatrix k, SquareMatrix g, PairIndex pairs, Context& context);

  std::size_t pairs() const noexcept { return pairs_.pairs(); }
  const SquareMatrix& k() const noexcept { return k_; }
  const SquareMatrix& g() const noexcept { return g_; }
  const PairIndex& index() const noexcept { return pairs_; }

  /// u = matrix * v.
  void product(std::span<const double> v, std::span<double> u, Context& context);

  bool add(std::span<const std::uint32_t> chosen, std::span<const double> factors,
           std::span<double> sums, Context& context) override;
  void choose(std::span<const std::uint32_t> chosen) override {
    chosen_.assign(chosen.begin(), chosen.end());
  }
  void multiply(const std::vector<double>& v, std::vector<double>& out, Context& context) override;

  /// Row i of the matrix times v, by its definition.
  double row_product(std::size_t i, std::span<const double> v) const;

 private:
  void multiply_sparsely(std::span<const double> v, std::span<double> u, Context& context);
  void multiply_densely(std::span<const double> v, std::span<double> u, Context& context);
  /// The products of the chosen pairs' v with all pairs, in `products_`.
  void multiply_chosen(std::span<const std::uint32_t> chosen, std::span<const double> v,
                       Context& context);

  SquareMatrix k_, g_;
  PairIndex pairs_;
  std::vector<std::size_t> begins_;   ///< where each second sample's pairs begin in `order_`
  std::vector<std::uint32_t> order_;  ///< pairs by their second sample
  bool dense_ = false;
  std::vector<double> by_second_;  ///< (K V)^T, or V^T if dense: q x m
  std::vector<double> by_first_;   ///< K V: m x q
  std::vector<double> all_;        ///< K V G, if dense: m x q
  std::vector<std::uint32_t> chosen_;
  std::vector<double> spread_, products_;  ///< one value per pair
};

}  // namespace semblance::pairs
