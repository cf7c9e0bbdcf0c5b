// SPDX-License-Identifier: MIT
#include "semblance_numerics/kernel_spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/cholesky.hpp"

namespace semblance::numerics {
namespace {

/// The factor of P on an eigenvector.
double coefficient_factor(SpectrumRepair how, double value, double negative_weight) {
  switch (how) {
    case SpectrumRepair::clip:
      return value > 0 ? 1 : 0;
    case SpectrumRepair::flip:
      return value < 0 ? -1 : 1;
    case SpectrumRepair::square:
      return value;
    case SpectrumRepair::krein:
      return value < 0 ? -1 / negative_weight : 1;
    case SpectrumRepair::shift:
    case SpectrumRepair::refuse:
      break;
  }
  return 1;
}

}  // namespace

double spectrum_tolerance(MatrixView matrix) {
  double sum = 0;
  for (std::size_t i = 0; i < matrix.rows; ++i)
    for (const float x : matrix.row_span(i)) sum += static_cast<double>(x) * x;
  return 1e-6 * std::sqrt(sum);
}

bool positive_semidefinite(MatrixView matrix, double tolerance, Context& context) {
  Vectors<double> shifted(matrix.rows, matrix.rows);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    std::copy_n(matrix.row(i), i + 1, shifted.row(i));
    shifted.row(i)[i] += tolerance;
  }
  const Factorisation result = factorise(shifted, context);
  if (result == Factorisation::stopped) throw Cancelled();
  return result == Factorisation::done;
}

std::size_t Spectrum::negative(double tolerance) const {
  return static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [&](double v) { return v < -tolerance; }));
}

Spectrum spectrum(MatrixView matrix) {
  const std::size_t n = matrix.rows;
  std::vector<double> values(n * n);
  for (std::size_t i = 0; i < n; ++i) std::copy_n(matrix.row(i), n, values.data() + i * n);
  return {symmetric_eigen(std::move(values), n)};
}

void repair(SpectrumRepair how, const Spectrum& s, MutableMatrixView matrix,
            double negative_weight) {
  const std::size_t n = matrix.rows;
  // K' = sum_v value_v u_v u_v'.
  std::vector<double> rows(n * n);
  for (std::size_t v = 0; v < n; ++v) {
    const double value = repaired(how, s.values[v], s.values.front(), negative_weight);
    const double scale = std::sqrt(std::max(value, 0.0));
    for (std::size_t i = 0; i < n; ++i) rows[v * n + i] = scale * s.vectors[v * n + i];
  }
  std::vector<double> result(n * n);
  blas::add_transposed_square(n, n, 1.0, rows.data(), n, result.data(), n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      matrix.row(i)[j] = matrix.row(j)[i] = static_cast<float>(result[i * n + j]);
}

void repair_coefficients(SpectrumRepair how, const Spectrum& s, std::vector<double>& coefficients,
                         double negative_weight) {
  if (how == SpectrumRepair::shift || how == SpectrumRepair::refuse) return;
  const std::size_t n = coefficients.size();
  std::vector<double> result(n);
  for (std::size_t v = 0; v < n; ++v) {
    const double* u = s.vectors.data() + v * n;
    double part = 0;
    for (std::size_t i = 0; i < n; ++i) part += u[i] * coefficients[i];
    part *= coefficient_factor(how, s.values[v], negative_weight);
    if (part == 0) continue;
    for (std::size_t i = 0; i < n; ++i) result[i] += part * u[i];
  }
  coefficients = std::move(result);
}

}  // namespace semblance::numerics
