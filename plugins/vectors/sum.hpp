// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/similarity.hpp"

namespace semblance {

/// s = weight s1 + (1 - weight) s2, of two measures on the same sample or on two parts of it.
class Sum final : public Similarity, public Exportable {
 public:
  static Declaration<Sum> declare();
  void set_bases(MatrixView bases, std::span<const std::int64_t> indices,
                 Context& context) override;
  std::size_t bases() const noexcept override { return first_->bases(); }
  double operations() const noexcept override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void apply_range(MatrixView in, std::size_t from_base, MutableMatrixView out,
                   Context& context) const override;
  bool positive_semidefinite() const noexcept override {
    return (weight_ == 0 || first_->positive_semidefinite()) &&
           (weight_ == 1 || second_->positive_semidefinite());
  }
  bool learns_from_bases() const noexcept override {
    return first_->learns_from_bases() || second_->learns_from_bases();
  }
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  void prepare(const Layout& input) override;
  MatrixView first_part(MatrixView rows) const;
  MatrixView second_part(MatrixView rows) const;

  std::unique_ptr<Similarity> first_;
  std::unique_ptr<Similarity> second_;
  double weight_ = 0.5;
  std::int64_t columns_ = 0;
  std::size_t values_ = 0;  // of a sample
};

}  // namespace semblance
