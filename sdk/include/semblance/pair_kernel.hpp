// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/component.hpp"

namespace semblance {

/// The values of a standard kernel k that a pair kernel K((a, b), (c, d)) is made of.
struct StandardKernelValues {
  double ac = 0, ad = 0, bc = 0, bd = 0;  ///< between the pairs
  double ab = 0, cd = 0;                  ///< within each pair
};

/// Kind `pair_kernel`: a kernel between pairs of examples (pairwise SVM, eqs. (3a)-(3h)). Used as
/// the parameter of a component, not as a node.
class PairKernel : public Component {
 public:
  ~PairKernel() override;
  virtual double evaluate(const StandardKernelValues& k) const noexcept = 0;

  /// K((a, b), (c, d)) = K((b, a), (c, d)): no need to train on both orders of a pair.
  virtual bool symmetric() const noexcept = 0;
};

}  // namespace semblance
