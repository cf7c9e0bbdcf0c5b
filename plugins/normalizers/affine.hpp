// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/formula.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/state.hpp"
#include "semblance_numerics/occurring_columns.hpp"

namespace semblance::normalizers {

/// A point to subtract from rows, with 48 bits per column: float32 would round the mean of values
/// far from 0 by as much as they differ. Each value is the sum of two float32. For rows near the
/// point x - high is exact, and (x - high) - low has the bits of a subtraction in double that is
/// rounded once; its relative error is never above two roundings.
class Centre {
 public:
  Centre() = default;
  explicit Centre(std::span<const double> values);

  std::size_t size() const noexcept { return values_.size(); }
  const double* values() const noexcept { return values_.data(); }
  const float* high() const noexcept { return high_.data(); }
  const float* low() const noexcept { return low_.data(); }

  void save(StateWriter& state, std::string_view name) const;
  /// Also reads older models, in which a centre is one row of float32.
  static Centre load(const StateReader& state, std::string_view name);

  /// in - centre, written down: of float32 with the bits of float32.
  Formula::Value subtract(Formula& formula, Formula::Value in) const;

 private:
  std::vector<float> high_, low_;
  std::vector<double> values_;  ///< high + low
};

/// The common base of the scalers: maps each column by (x - offset) * scale +
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

/// Throws MemoryError unless this many bytes are within the budget; `what` takes them, `remedy`
/// says what to do instead of raising it.
void check_budget(std::size_t needed, const Context& context, const std::string& what,
                  const std::string& remedy);

/// Throws Error unless the rows passed to fit() have the width of the bound layout.
void check_width(std::size_t bound, std::size_t given);

}  // namespace semblance::normalizers
