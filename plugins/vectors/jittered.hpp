// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "displaced_rows.hpp"
#include "semblance/declaration.hpp"
#include "semblance/self_similarity.hpp"
#include "semblance/similarity.hpp"

namespace semblance {

/// BE-SVM eq. (7) with displacements as latent variables, on any kernel k:
/// s(b, x) = max_z k(b, x displaced by z) - penalty |z|^2. Not symmetric for most kernels.
class Jittered final : public Similarity {
 public:
  static Declaration<Jittered> declare();
  void check_parameters() const override;
  void set_bases(MatrixView bases, std::span<const std::int64_t> indices,
                 Context& context) override;
  std::size_t bases() const noexcept override { return bases_; }
  double operations() const noexcept override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  bool learns_from_bases() const noexcept override { return kernel_->learns_from_bases(); }
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 private:
  void prepare(const Layout& input) override;
  void move_samples(MatrixView in, MutableMatrixView out, Context& context) const;
  void move_bases(MatrixView in, MutableMatrixView out, Context& context) const;

  bool nearest() const { return choose_ == "distance"; }
  bool basis_moves() const { return order_ == "basis_moves"; }
  /// R(z) of eq. (7).
  float cost(Displacement z) const {
    return static_cast<float>(penalty_ * static_cast<double>(z.squared_length()));
  }
  void compare_with_itself(MatrixView rows, float* values) const {
    dynamic_cast<const SelfSimilarity&>(*kernel_).compare_with_itself(rows, values);
  }

  std::unique_ptr<Similarity> kernel_;
  std::int64_t shift_ = 1;
  double penalty_ = 0;
  std::string choose_ = "similarity";
  std::string order_ = "sample_moves";

  Layout layout_;
  std::vector<Displacement> displacements_;  // the first one is none
  std::size_t bases_ = 0;
  // If the bases move and distances decide: k(b, b) of the kernel's bases, which are all bases for
  // the first displacement, then all for the second, ...
  std::vector<float> self_;
};

}  // namespace semblance
