// SPDX-License-Identifier: MIT
#include "ridge/ridge_machine.hpp"

#include <algorithm>
#include <cmath>

#include "semblance/error.hpp"
#include "skinny_product.hpp"

namespace semblance::kernel {
namespace {

/// The standard deviation of a target, or its magnitude if all are equal.
double scale_of(const TrainingSet& training, std::size_t target) {
  const std::size_t m = training.target_names.size(), n = training.targets.size() / m;
  const double origin = training.targets[target];
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double y = training.targets[i * m + target] - origin;
    sum += y;
    squares += y * y;
  }
  const double variance = (squares - sum * (sum / static_cast<double>(n))) / static_cast<double>(n);
  return variance > 0 ? std::sqrt(variance) : std::abs(origin);
}

}  // namespace

RidgeMachine::RidgeMachine(Vectors<double> coefficients, std::vector<double> intercepts)
    : coefficients_(std::move(coefficients)), intercepts_(std::move(intercepts)) {}

RidgeMachine::RidgeMachine(const StateReader& state) : intercepts_(state.doubles("intercepts")) {
  const std::vector<double> plain = state.doubles("coefficients");
  const std::size_t m = intercepts_.size();
  if (m == 0 || plain.empty() || plain.size() % m != 0)
    throw Error("the saved kernel regression has arrays of the wrong size; train it again");
  const std::size_t bases = plain.size() / m;
  coefficients_ = Vectors<double>(m, bases);
  for (std::size_t k = 0; k < m; ++k)
    std::copy_n(plain.data() + k * bases, bases, coefficients_.row(k));
}

std::vector<double> RidgeMachine::plain_coefficients() const {
  std::vector<double> plain;
  for (std::size_t k = 0; k < targets(); ++k)
    plain.insert(plain.end(), coefficients_.row(k), coefficients_.row(k) + bases());
  return plain;
}

void RidgeMachine::save(StateWriter& state) const {
  state.doubles("coefficients", plain_coefficients());
  state.doubles("intercepts", intercepts_);
}

void RidgeMachine::estimate(MatrixView kernel, MutableMatrixView out) const {
  constexpr std::size_t step = 16;
  const std::size_t m = targets();
  const float* rows[step];
  std::vector<double> scratch(common::multiply_scratch(step, m)), z(step * m);
  for (std::size_t first = 0; first < kernel.rows; first += step) {
    const std::size_t count = std::min(step, kernel.rows - first);
    for (std::size_t r = 0; r < count; ++r) rows[r] = kernel.row(first + r);
    common::multiply(common::TallBlock{rows, count, kernel.cols}, coefficients_.row(0),
                     coefficients_.stride(), m, scratch.data(), z.data());
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t k = 0; k < m; ++k)
        out.row(first + r)[k] = static_cast<float>(z[r * m + k] + intercepts_[k]);
  }
}

Formula::Value RidgeMachine::write(Formula& formula, Formula::Value kernel) const {
  const auto sums = formula.products(formula.widen(kernel), plain_coefficients());
  return formula.narrow(formula.add(sums, formula.constant(std::span<const double>(intercepts_))));
}

double ridge_violation(
    const KernelRidgeFit& fit, const TrainingSet& training, std::span<const std::size_t> places,
    const std::function<void(std::size_t i, std::span<double> values)>& compare) {
  double largest = 0;
  const std::size_t m = training.target_names.size();
  std::vector<double> values(fit.coefficients.cols()), scales(m);
  for (std::size_t k = 0; k < m; ++k) scales[k] = scale_of(training, k);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double weight = training.weights.empty() ? 1 : training.weights[places[i]];
    if (weight == 0) continue;
    compare(i, values);
    for (std::size_t k = 0; k < m; ++k) {
      const double* a = fit.coefficients.row(k);
      double left = training.targets[places[i] * m + k] - fit.intercepts[k] -
                    fit.penalty * a[places[i]] / weight;
      for (std::size_t j = 0; j < values.size(); ++j) left -= a[j] * values[j];
      if (left != 0) largest = std::max(largest, std::abs(left) / scales[k]);
    }
  }
  return largest;
}

}  // namespace semblance::kernel
