// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "centre.hpp"
#include "semblance/formula.hpp"
#include "semblance/normalizer.hpp"
#include "semblance_numerics/occurring_columns.hpp"

namespace semblance::normalizers {

/// The common base of zscore, min_max and mean_norm: maps each column by (x - offset) * scale +
/// shift, with constants set by fit() of the derived class.
class AffineNormalizer : public Normalizer, public Exportable {
 public:
  Layout bind(const Layout& input) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 protected:
  /// Added to the output after scaling.
  virtual float shift() const { return 0; }
  /// Throws Error unless zeros stay zeros, as required for sparse rows. By default they do.
  virtual void check_keeps_zeros() const {}
  /// Constants of these columns; any other one of sparse rows keeps its values.
  void set(numerics::OccurringColumns columns, std::span<const double> offset,
           std::span<const double> scale);
  void set(std::span<const double> offset, std::span<const double> scale) {
    set(numerics::OccurringColumns(offset.size()), offset, scale);
  }

 private:
  std::size_t cols_ = 0;
  numerics::OccurringColumns columns_;
  Centre offset_;
  std::vector<float> scale_;
};

/// 1 / spread, or 1 where the spread is 0 or so small that float32 could not hold the inverse.
double inverse_spread(double spread);

/// Throws Error unless the rows passed to fit() have the width of the bound layout.
void check_width(std::size_t bound, std::size_t given);

}  // namespace semblance::normalizers
