// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "semblance/random.hpp"
#include "semblance/state.hpp"

/// Indefinite similarities, and their eigenvalues by plain rotations, for tests.
namespace semblance::kernel::testing {

inline constexpr std::size_t krein_rows = 40;

struct KreinData {
  FloatMatrix values;
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;
};

/// The rows of a nonsingular indefinite matrix: the difference of two kinds of inner products,
/// whose positive part depends on the classes.
inline KreinData krein_data() {
  Random random(3);
  KreinData data{FloatMatrix(krein_rows, krein_rows), {}, {"a", "b"}};
  std::vector<double> points(krein_rows * krein_rows);
  for (std::size_t i = 0; i < krein_rows; ++i) {
    data.labels.push_back(static_cast<std::int32_t>(i % 2));
    for (std::size_t j = 0; j < krein_rows; ++j)
      points[i * krein_rows + j] = 0.2 * random.normal() + (j < 2 ? 0.3 * (i % 2 ? 1 : -1) : 0);
  }
  for (std::size_t i = 0; i < krein_rows; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < krein_rows; ++k)
        sum += (k % 3 == 2 ? -1 : 1) * points[i * krein_rows + k] * points[j * krein_rows + k];
      data.values.view().row(i)[j] = data.values.view().row(j)[i] = static_cast<float>(sum);
    }
  return data;
}

/// K = sum_v values[v] u_v u_v', by Jacobi's rotations; u_v in column v.
struct Decomposition {
  std::vector<double> values, vectors;
};

inline Decomposition decomposition(const FloatMatrix& matrix) {
  const std::size_t n = matrix.rows;
  std::vector<double> a(matrix.values.begin(), matrix.values.end()), u(n * n);
  for (std::size_t i = 0; i < n; ++i) u[i * n + i] = 1;
  for (int sweep = 0; sweep < 30; ++sweep)
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        const double angle = 0.5 * std::atan2(2 * a[p * n + q], a[q * n + q] - a[p * n + p]);
        const double c = std::cos(angle), s = std::sin(angle);
        const auto rotate = [&](double& x, double& y) {
          const double before = x;
          x = c * before - s * y;
          y = s * before + c * y;
        };
        for (std::size_t k = 0; k < n; ++k) rotate(a[k * n + p], a[k * n + q]);
        for (std::size_t k = 0; k < n; ++k) rotate(a[p * n + k], a[q * n + k]);
        for (std::size_t k = 0; k < n; ++k) rotate(u[k * n + p], u[k * n + q]);
      }
  Decomposition found{std::vector<double>(n), std::move(u)};
  for (std::size_t v = 0; v < n; ++v) found.values[v] = a[v * n + v];
  return found;
}

}  // namespace semblance::kernel::testing
