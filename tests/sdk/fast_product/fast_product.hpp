// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/similarity.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace fast_product {

/// s(b, x) = <b, x>, by the product that the shipped measures use.
class FastProduct final : public semblance::Similarity {
 public:
  static semblance::Declaration<FastProduct> declare();
  void set_bases(semblance::MatrixView bases, std::span<const std::int64_t>,
                 semblance::Context&) override;
  std::size_t bases() const noexcept override { return bases_.rows(); }
  double operations() const noexcept override { return 2.0 * static_cast<double>(values_); }
  bool positive_semidefinite() const noexcept override { return true; }
  void apply(semblance::MatrixView in, semblance::MutableMatrixView out,
             semblance::Context& context) const override;
  void apply_range(semblance::MatrixView in, std::size_t first, semblance::MutableMatrixView out,
                   semblance::Context& context) const override;
  void save(semblance::StateWriter& state) const override;
  void load(const semblance::StateReader& state, semblance::Context& context) override;

 private:
  void prepare(const semblance::Layout& input) override { values_ = input.size(); }

  std::size_t values_ = 0;  // of a sample
  semblance::numerics::PackedRows bases_;
};

}  // namespace fast_product
