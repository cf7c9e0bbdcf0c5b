// SPDX-License-Identifier: MIT
#include "newton/exact_hessian.hpp"

#include <algorithm>

#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/cholesky.hpp"

namespace semblance::solvers {
namespace {

/// The factor of I + 2c sum. Where rounding makes that indefinite, as with equal columns of a large
/// scale, the diagonal is raised a little: the step is then not exact but still one of descent.
numerics::Factorisation factor_of(const Vectors<double>& sum, double cost, Vectors<double>& factor,
                                  Context& context) {
  const std::size_t d = sum.cols();
  for (double raise = 0; raise < 1; raise = std::max(1e-14, 100 * raise)) {
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j <= i; ++j) factor.row(i)[j] = 2 * cost * sum.row(i)[j];
      factor.row(i)[i] = (1 + factor.row(i)[i]) * (1 + raise);
    }
    const numerics::Factorisation result = factorise(factor, context);
    if (result != numerics::Factorisation::indefinite) return result;
  }
  return numerics::Factorisation::indefinite;
}

}  // namespace

ExactHessian::ExactHessian(const Rows& rows, double bias, RowWeights weights, std::size_t keeper)
    : gram_(rows, bias, weights, {}, keeper) {}

bool ExactHessian::update(std::vector<std::size_t> active, Context& context) {
  return gram_.update(std::move(active), context);
}

bool ExactHessian::solve(double cost, const double* gradient, double* step,
                         Context& context) const {
  const std::size_t d = gram_.sum().cols();
  Vectors<double> factor(d, d);
  switch (factor_of(gram_.sum(), cost, factor, context)) {
    case numerics::Factorisation::stopped:
      return false;
    case numerics::Factorisation::indefinite:
      throw Error("the Hessian cannot be factorized; scale the columns alike");
    case numerics::Factorisation::done:
      break;
  }
  std::transform(gradient, gradient + d, step, [](double g) { return -g; });
  numerics::blas::solve(d, factor.row(0), factor.stride(), step);
  return true;
}

std::size_t ExactHessian::bytes(std::size_t rows, std::size_t dimension) noexcept {
  return ActiveGram::bytes(rows, dimension);
}

std::size_t ExactHessian::scratch_bytes(std::size_t dimension) noexcept {
  return dimension * padded(dimension) * sizeof(double) + ActiveGram::scratch_bytes(dimension);
}

double ExactHessian::cost(double active, double d) noexcept {
  return active * d * d / 2 + d * d * d / 6;
}

}  // namespace semblance::solvers
