// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "semblance/pair_kernel.hpp"

/// The pair kernels (3a)-(3h) and that of Remark 3 as formulas of standard kernel values,
/// independent of components.
namespace semblance::pairs {

enum class Formula {
  polynomial_direct_sum,   ///< (k(a,c) + k(b,d) + r)^p, (3a)
  polynomial_tensor,       ///< (k(a,c) k(b,d) + r)^p, (3b)
  symmetric_direct_sum,    ///< 1/2 (k(a,c) + k(a,d) + k(b,c) + k(b,d)), (3c)
  metric_learning,         ///< 1/4 (k(a,c) - k(a,d) - k(b,c) + k(b,d))^2, (3d)
  tensor_learning,         ///< 1/2 (k(a,c) k(b,d) + k(a,d) k(b,c)), (3e)
  asymmetric_tensor,       ///< 1/4 (k(a,c) k(b,d) - k(a,d) k(b,c))^2, (3f)
  direct_sum,              ///< K_SD + K_ML, (3g)
  tensor_metric_learning,  ///< K_TL + K_ML, (3h)
  ordered_representation   ///< (<a+b, c+d> + order <a-b, c-d> + r)^p, Remark 3
};

inline constexpr std::size_t formulas = 9;

struct PairFormula {
  Formula kind = Formula::tensor_learning;
  double offset = 0;        ///< r
  std::int64_t degree = 1;  ///< p, at least 1
};

double evaluate(const PairFormula& formula, const StandardKernelValues& k) noexcept;

/// One column a SIMD lane, in float32.
void evaluate(const PairFormula& formula, const StandardKernelColumns& k, float* out) noexcept;

}  // namespace semblance::pairs
