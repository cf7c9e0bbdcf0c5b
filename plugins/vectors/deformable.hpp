// SPDX-License-Identifier: MIT
#pragma once

#include "deformable_kernel.hpp"
#include "semblance/declaration.hpp"
#include "stored_bases.hpp"

namespace semblance {

/// BE-SVM eq. (12): s(b, x) = max_zR sum_c max_zL <b(c), x(c + zR + zL)>, where the cells of x move
/// together by at most `shift` cells and individually by at most `local` more; minus the weighted
/// squared displacements. Not symmetric.
class Deformable final : public StoredBases {
 public:
  static Declaration<Deformable> declare();
  double operations() const noexcept override;

 private:
  void prepare(const Layout& input) override;
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override;
  bool compares_ranges() const noexcept override { return false; }

  void compare_tiled(MatrixView in, MutableMatrixView out, Context& context) const;
  std::size_t cell() const override { return layout().depth; }

  std::int64_t shift_ = 0;
  std::int64_t local_ = 1;
  double penalty_ = 0;
  double local_penalty_ = 0;
  std::string order_ = "sample_moves";
  Deformation deformation_;
};

}  // namespace semblance
