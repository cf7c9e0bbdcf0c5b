// SPDX-License-Identifier: MIT
// LibSvmModel::scores() as a formula.
#include <limits>

#include "libsvm_model.hpp"
#include "semblance/error.hpp"

namespace semblance::libraries {

Formula::Value LibSvmModel::write_kernel(Formula& formula, Formula::Value x) const {
  const svm_parameter& kernel = model_.param;
  if (kernel.kernel_type == RBF) {
    const auto distances = formula.squared_distances(x, vectors_.view());
    return formula.exponential(formula.multiply(distances, formula.number(-kernel.gamma, x)));
  }
  const auto products = formula.products(x, vectors_.view());
  if (kernel.kernel_type == LINEAR) return products;
  const auto scaled = formula.multiply(products, formula.number(kernel.gamma, x));
  const auto shifted = formula.add(scaled, formula.number(kernel.coef0, x));
  if (kernel.kernel_type == SIGMOID) return formula.hyperbolic_tangent(shifted);
  if (kernel.degree < 1) {
    const std::vector<double> ones(vectors(), 1.0);
    return formula.constant(std::span<const double>(ones));
  }
  return formula.power(shifted, static_cast<std::size_t>(kernel.degree));
}

/// The coefficients of a pair of classes are those of the first class in the row of the second, and
/// vice versa.
Formula::Value LibSvmModel::write_decisions(Formula& formula, Formula::Value kernel) const {
  const std::size_t n = classes(), count = vectors();
  std::vector<std::size_t> starts(n + 1);
  for (std::size_t c = 0; c < n; ++c)
    starts[c + 1] = starts[c] + static_cast<std::size_t>(counts_[c]);
  if (count > Formula::most_constants / (n * (n - 1) / 2))
    throw Error("its " + std::to_string(n) + " classes and " + std::to_string(count) +
                " support vectors are too many to write down");
  std::vector<double> matrix(n * (n - 1) / 2 * count), offsets;
  std::size_t pair = 0;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b, ++pair) {
      double* row = matrix.data() + pair * count;
      for (std::size_t i = starts[a]; i < starts[a + 1]; ++i)
        row[i] = coefficients_[(b - 1) * count + i];
      for (std::size_t i = starts[b]; i < starts[b + 1]; ++i) row[i] = coefficients_[a * count + i];
      offsets.push_back(-rho_[pair]);
    }
  return formula.add(formula.products(kernel, matrix),
                     formula.constant(std::span<const double>(offsets)));
}

Formula::Value LibSvmModel::write(Formula& formula, Formula::Value in) const {
  const std::size_t n = classes();
  if (vectors() == 0) throw Error("it has no support vectors, so there is nothing to export");
  const auto decisions = write_decisions(formula, write_kernel(formula, formula.widen(in)));
  const auto zero = formula.number(0, decisions), one = formula.number(1, decisions);
  if (n == 2) {
    constexpr double least = std::numeric_limits<float>::min();  // 0 belongs to the second class
    const auto positive = formula.maximum(decisions, formula.number(least, decisions));
    const auto negative = formula.minimum(decisions, formula.number(-least, decisions));
    const auto first = formula.where_greater(decisions, zero, positive, negative);
    const auto second = formula.multiply(first, formula.number(-1, first));
    std::vector<Formula::Value> scores{first, second};
    if (labels_[0] != 0) std::swap(scores[0], scores[1]);
    return formula.narrow(formula.concatenate(scores));
  }
  const std::size_t pairs = n * (n - 1) / 2;
  std::vector<double> signs(n * pairs), constants(n);
  std::size_t pair = 0;
  for (std::size_t a = 0; a < n; ++a) {
    const auto label = static_cast<std::size_t>(labels_[a]);
    // Ties go to the class that the library saw first.
    constants[label] += static_cast<float>(n - 1 - a) / static_cast<float>(n);
    for (std::size_t b = a + 1; b < n; ++b, ++pair) {
      const auto other = static_cast<std::size_t>(labels_[b]);
      signs[label * pairs + pair] = 1;
      signs[other * pairs + pair] = -1;
      ++constants[other];
    }
  }
  const auto won = formula.where_greater(decisions, zero, one, zero);
  const auto votes = formula.add(formula.products(won, signs),
                                 formula.constant(std::span<const double>(constants)));
  // NaN if any decision value is NaN, else 0.
  const auto numbers = formula.multiply(formula.sum(decisions), zero);
  return formula.narrow(formula.add(votes, numbers));
}

}  // namespace semblance::libraries
