// SPDX-License-Identifier: MIT
#include "newton/raised_factor.hpp"

#include <algorithm>

#include "semblance_numerics/cholesky.hpp"

namespace semblance::linear {

bool raised_factor(const ShiftedMatrix& matrix, Vectors<double>& factor, Context& context) {
  for (double raise = 0; raise < 1; raise = std::max(1e-14, 100 * raise)) {
    for (std::size_t i = 0; i < matrix.triangle.cols(); ++i) {
      for (std::size_t j = 0; j <= i; ++j)
        factor.row(i)[j] = matrix.scale * matrix.triangle.row(i)[j];
      factor.row(i)[i] = (matrix.shifts[i] + factor.row(i)[i]) * (1 + raise);
    }
    const numerics::Factorisation result = factorise(factor, context);
    if (result != numerics::Factorisation::indefinite)
      return result == numerics::Factorisation::done;
  }
  throw Error("the Hessian cannot be factorized; scale the columns alike");
}

}  // namespace semblance::linear
