// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "shifts.hpp"
#include "stored_bases.hpp"

namespace semblance {

/// BE-SVM eq. (11): s(b, x) = max_z sum_c <b(c), x(c + z)> - penalty |z|^2 over displacements z of
/// at most `shift` cells in each direction; cells outside of the grid are zero.
class Rigid final : public StoredBases {
 public:
  static Declaration<Rigid> declare();
  double operations() const noexcept override;

 private:
  void prepare(const Layout& input) override;
  void compare(MatrixView in, MutableMatrixView out, Context& context) const override;

  std::int64_t shift_ = 1;
  double penalty_ = 0;
  RigidShifts shifts_;
};

}  // namespace semblance
