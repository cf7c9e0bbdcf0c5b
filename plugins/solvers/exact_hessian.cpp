// SPDX-License-Identifier: MIT
#include "exact_hessian.hpp"

#include <algorithm>
#include <iterator>

#include "blas.hpp"
#include "cholesky.hpp"
#include "gram.hpp"

namespace semblance::solvers {
namespace {

using Indices = std::vector<std::size_t>;

Indices difference(const Indices& from, const Indices& without) {
  Indices rest;
  std::set_difference(from.begin(), from.end(), without.begin(), without.end(),
                      std::back_inserter(rest));
  return rest;
}

/// The factor of I + 2c sum. Where rounding makes that indefinite, as with equal columns of a large
/// scale, the diagonal is raised a little: the step is then not exact but still one of descent.
Factorisation factor_of(const Vectors<double>& sum, double cost, Vectors<double>& factor,
                        Context& context) {
  const std::size_t d = sum.cols();
  for (double raise = 0; raise < 1; raise = std::max(1e-14, 100 * raise)) {
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j <= i; ++j) factor.row(i)[j] = 2 * cost * sum.row(i)[j];
      factor.row(i)[i] = (1 + factor.row(i)[i]) * (1 + raise);
    }
    const Factorisation result = factorise(factor, context);
    if (result != Factorisation::indefinite) return result;
  }
  return Factorisation::indefinite;
}

}  // namespace

ExactHessian::ExactHessian(const Rows& rows, double bias, std::span<const double> weights)
    : rows_(rows),
      bias_(bias),
      weights_(weights),
      sum_(rows.cols() + (bias != 0 ? 1 : 0), rows.cols() + (bias != 0 ? 1 : 0)) {}

bool ExactHessian::update(Indices active, Context& context) {
  const Indices entered = difference(active, active_), left = difference(active_, active);
  bool done = false;
  if (entered.size() + left.size() < active.size()) {
    done = add(entered, 1, context) && add(left, -1, context);
  } else {
    sum_.fill(0);
    done = add(active, 1, context);
  }
  active_ = std::move(active);
  return done;
}

bool ExactHessian::add(std::span<const std::size_t> chosen, double sign, Context& context) {
  std::vector<WeightedRow> weighted;
  weighted.reserve(chosen.size());
  for (const std::size_t row : chosen)
    weighted.push_back({row, weights_.empty() ? sign : sign * weights_[row]});
  return add_gram(rows_, weighted, {bias_, {}}, sum_, context);
}

bool ExactHessian::solve(double cost, const double* gradient, double* step,
                         Context& context) const {
  const std::size_t d = sum_.cols();
  Vectors<double> factor(d, d);
  switch (factor_of(sum_, cost, factor, context)) {
    case Factorisation::stopped:
      return false;
    case Factorisation::indefinite:
      throw Error("the Hessian cannot be factorised; bring the columns to similar scale");
    case Factorisation::done:
      break;
  }
  std::transform(gradient, gradient + d, step, [](double g) { return -g; });
  blas::solve(d, factor.row(0), factor.stride(), step);
  return true;
}

std::size_t ExactHessian::bytes(std::size_t rows, std::size_t dimension) noexcept {
  return dimension * padded(dimension) * sizeof(double) + rows * sizeof(std::size_t);
}

std::size_t ExactHessian::scratch_bytes(std::size_t dimension) noexcept {
  return dimension * padded(dimension) * sizeof(double) + gram_bytes(dimension, sizeof(double));
}

double ExactHessian::cost(double active, double d) noexcept {
  return active * d * d / 2 + d * d * d / 6;
}

}  // namespace semblance::solvers
