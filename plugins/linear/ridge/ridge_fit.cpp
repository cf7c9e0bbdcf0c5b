// SPDX-License-Identifier: MIT
#include "ridge/ridge_fit.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "ridge/dual_ridge.hpp"
#include "ridge/primal_ridge.hpp"
#include "semblance/error.hpp"
#include "semblance/parameters.hpp"

namespace semblance::linear {
namespace {

std::string mebibytes(std::size_t bytes) {
  return std::to_string((bytes + (std::size_t{1} << 20) - 1) >> 20) + " MiB";
}

}  // namespace

std::unique_ptr<RidgeFits> make_ridge_fits(const RidgeData& data, Context& context) {
  // A little above the number of columns the dual still costs about the same. It computes the
  // errors of the samples without the cancellation that they have in the primal where as many
  // weights as samples fit them exactly.
  const std::size_t most_rows = data.cols() + data.cols() / 8 + 1;
  if (data.rows() <= most_rows) return std::make_unique<DualRidge>(data, context);
  return std::make_unique<PrimalRidge>(data, context);
}

RidgeFit constant_fit(const RidgeData& data, double penalty) {
  RidgeFit fit;
  fit.penalty = penalty;
  fit.weights = Vectors<double>(data.outputs(), data.cols());
  for (const double squares : data.target_squared_norms()) fit.objective += squares;
  fit.gradient_norm = fit.objective > 0 ? 1 : 0;
  fit.violation = fit.gradient_norm;
  return fit;
}

double gradient_scale(const RidgeData& data, double initial) {
  constexpr double rounding = 1e-8;
  double columns = 0, targets = 0;
  for (const double squared : data.squared_norms()) columns += squared;
  for (const double squared : data.target_squared_norms()) targets += squared;
  return std::max(std::sqrt(initial), rounding * std::sqrt(columns * targets));
}

Vectors<double> evaluate(const RidgeData& data, const Vectors<double>& residuals, RidgeFit& fit,
                         Context& context) {
  Vectors<double> gradient = data.combine_rows(residuals, context);
  double squares = 0, initial = 0;
  fit.objective = fit.squared_norm = fit.violation = 0;
  for (std::size_t k = 0; k < data.outputs(); ++k) {
    const double* w = fit.weights.row(k);
    const double target = data.target_squared_norms()[k];
    fit.objective += dot(residuals.row(k), residuals.row(k), data.rows());
    fit.squared_norm += dot(w, w, data.cols());
    initial += dot(data.products().row(k), data.products().row(k), data.cols());
    double* g = gradient.row(k);
    for (std::size_t j = 0; j < data.cols(); ++j) {
      g[j] -= fit.penalty * w[j];
      squares += g[j] * g[j];
      if (g[j] != 0)
        fit.violation =
            std::max(fit.violation, std::abs(g[j]) / std::sqrt(target) /
                                        std::sqrt(data.squared_norms()[j] + fit.penalty));
    }
  }
  fit.objective += fit.penalty * fit.squared_norm;
  fit.gradient_norm = squares > 0 ? std::sqrt(squares) / gradient_scale(data, initial) : 0;
  return gradient;
}

void check_ridge_memory(std::size_t n, std::size_t bytes, std::string_view what,
                        const RidgeData& data, const Context& context) {
  const std::size_t scratch = data.scratch_bytes(context.threads());
  if (bytes + scratch <= context.memory_budget()) return;
  throw MemoryError("the products of " + std::to_string(n) + " " + std::string(what) +
                    " and their factors take " + mebibytes(bytes) + ", and blocks of rows " +
                    mebibytes(scratch) + ", but " + mebibytes(context.memory_budget()) +
                    " are allowed; raise --memory, or use fewer columns (normalizer/pca) or rows");
}

void throw_dependent(double penalty) {
  throw Error("the penalty " + to_text(Value(penalty)) +
              " is lost in rounding beside columns that depend on each other; raise it, or remove "
              "such columns");
}

std::optional<numerics::DefiniteFactor> sound_factor(const Vectors<double>& triangle,
                                                     double penalty, Context& context) {
  const std::size_t n = triangle.count();
  Vectors<double> matrix(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(triangle.row(i), i + 1, matrix.row(i));
    matrix.row(i)[i] += penalty;
  }
  auto found = numerics::DefiniteFactor::of_matrix(std::move(matrix), context);
  if (found && found->least_pivot() < least_sound_pivot) found.reset();
  return found;
}

}  // namespace semblance::linear
