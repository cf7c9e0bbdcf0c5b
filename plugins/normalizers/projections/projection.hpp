// SPDX-License-Identifier: MIT
#pragma once

#include <cblas.h>

#include <functional>
#include <span>
#include <vector>

#include "affine.hpp"
#include "semblance/formula.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/samples.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::normalizers {

/// C = A B for row-major A (m x n) and B (n x k), or A B^T with B (k x n).
std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b,
                            std::size_t m, std::size_t n, std::size_t k,
                            CBLAS_TRANSPOSE order = CblasNoTrans);

/// The sum of d d^T over all rows, in double, symmetric; write(row, number, d) sets d or returns
/// false to skip the row. The same bits for any number of threads.
std::vector<double> scatter(const Rows& rows, Context& context,
                            const std::function<bool(const float*, std::size_t, double*)>& write);

/// The common base of pca, lda and random_fourier: maps rows to inner products with learned
/// directions about a learned origin, <w_k, x - origin>. The origin is subtracted first: far from 0
/// the difference of two products would be mostly rounding.
class Projection : public Normalizer, public Exportable {
 public:
  Layout bind(const Layout& input) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 protected:
  /// The number of directions for rows of `values` values. Throws Error if it exceeds that.
  virtual std::size_t directions_for(std::size_t values) const = 0;

  std::size_t cols() const noexcept { return cols_; }
  std::size_t directions() const noexcept { return directions_; }

  /// `directions` has directions() rows of cols() values with arbitrary signs: the value of largest
  /// magnitude of each is made positive.
  void set(std::vector<double> directions, std::span<const double> origin);

 private:
  std::size_t cols_ = 0;
  std::size_t directions_ = 0;
  numerics::PackedRows weights_;
  Centre origin_;
  std::vector<float> shift_;  ///< of models that were saved with <w_k, origin> in its place, or 0
};

}  // namespace semblance::normalizers
