// SPDX-License-Identifier: MIT
#include "basis_spectrum.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "semblance/error.hpp"

namespace semblance::normalizers {

BasisSpectrum::BasisSpectrum(std::vector<double> matrix, std::size_t n) : n_(n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double &a = matrix[i * n + j], &b = matrix[j * n + i];
      asymmetry_ = std::max(asymmetry_, std::abs(a - b));
      a = b = (a + b) / 2;
    }
  eigen_ = numerics::symmetric_eigen(std::move(matrix), n);
}

std::size_t BasisSpectrum::negative() const noexcept {
  return static_cast<std::size_t>(
      std::count_if(values().begin(), values().end(), [](double x) { return x < 0; }));
}

double BasisSpectrum::negative_share() const noexcept {
  double below = 0, all = 0;
  for (const double x : values()) {
    below += std::max(-x, 0.0);
    all += std::abs(x);
  }
  return all > 0 ? below / all : 0;
}

std::vector<double> BasisSpectrum::inverse_root(numerics::SpectrumRepair repair, double threshold,
                                                std::size_t& dropped) const {
  std::vector<double> mended = values();
  for (double& value : mended) value = numerics::repaired(repair, value, values().front());
  const double least = threshold * *std::max_element(mended.begin(), mended.end());
  // V diag(f) V^T = U^T U for the rows U = sqrt(f) v of the retained eigenvalues.
  std::vector<double> rows;
  for (std::size_t e = 0; e < n_; ++e) {
    if (!(mended[e] > least)) continue;
    const double factor = std::pow(mended[e], -0.25);
    for (std::size_t j = 0; j < n_; ++j) rows.push_back(factor * eigen_.vectors[e * n_ + j]);
  }
  const std::size_t kept = rows.size() / n_;
  dropped = n_ - kept;
  if (kept == 0)
    throw Error(
        "no eigenvalue of the bases' similarities is positive after the repair; use 'repair: "
        "flip', other bases or another similarity");
  std::vector<double> root(n_ * n_);
  const int n = static_cast<int>(n_);
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, n, static_cast<int>(kept), 1, rows.data(), n,
              0, root.data(), n);
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t j = 0; j < i; ++j) root[j * n_ + i] = root[i * n_ + j];
  return root;
}

double BasisSpectrum::dropped_differences(numerics::SpectrumRepair repair, double threshold) const {
  std::vector<double> mended = values();
  for (double& value : mended) value = numerics::repaired(repair, value, values().front());
  const double least = threshold * *std::max_element(mended.begin(), mended.end());
  double all = 0, dropped = 0, trace = 0;
  for (std::size_t e = 0; e < n_; ++e) {
    if (!(mended[e] > 0)) continue;
    const double* v = eigen_.vectors.data() + e * n_;
    const double along_mean = std::accumulate(v, v + n_, 0.0) / std::sqrt(static_cast<double>(n_));
    const double value = std::abs(values()[e]);
    const double differences = value * std::max(0.0, 1 - along_mean * along_mean);
    trace += value;
    all += differences;
    if (!(mended[e] > least)) dropped += differences;
  }
  constexpr double rounding = 1e-12;
  return all > rounding * trace ? dropped / all : 0;
}

std::size_t BasisSpectrum::bytes(std::size_t n) noexcept { return 4 * n * n * sizeof(double); }

}  // namespace semblance::normalizers
