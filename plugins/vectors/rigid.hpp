// SPDX-License-Identifier: MIT
#pragma once

#include "correlation_plan.hpp"
#include "semblance/declaration.hpp"
#include "shifts.hpp"
#include "stored_bases.hpp"

namespace semblance {

/// BE-SVM eq. (11): s(b, x) = max_z sum_c <b(c), x(c + z)> - penalty |z|^2 over displacements z of
/// at most `shift` cells in each direction; cells outside of the grid are zero.
class Rigid final : public StoredBases {
 public:
  static Declaration<Rigid> declare();
  void check_parameters() const override;
  double operations() const noexcept override;

 private:
  void prepare(const Layout& input) override;
  void learn(MatrixView bases) override;
  void compare(MatrixView in, std::size_t first, MutableMatrixView out,
               Context& context) const override;
  bool compares_ranges() const noexcept override { return false; }

  void compare_tiled(MatrixView in, MutableMatrixView out, Context& context) const;
  std::size_t cell() const override { return layout().depth; }
  numerics::PackedBlock pack(MatrixView in) const;

  std::int64_t shift_ = 1;
  double penalty_ = 0;
  std::string method_ = "auto";
  RigidShifts shifts_;
  CorrelationPlan plan_;
  bool transform_ = false;                  // the method chosen
  numerics::PackedRows transformed_bases_;  // if the transform is used
};

}  // namespace semblance
