// SPDX-License-Identifier: MIT
#include "spectrum.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "semblance/error.hpp"

extern "C" void dsyevd_(const char* job, const char* uplo, const int* n, double* a, const int* lda,
                        double* w, double* work, const int* lwork, int* iwork, const int* liwork,
                        int* info);

namespace semblance {
namespace {

std::vector<double> repaired(std::vector<double> values, SpectrumRepair repair) {
  const double least = values.front();
  for (double& x : values) switch (repair) {
      case SpectrumRepair::clip:
        x = std::max(x, 0.0);
        break;
      case SpectrumRepair::flip:
        x = std::abs(x);
        break;
      case SpectrumRepair::shift:
        x -= std::min(least, 0.0);
        break;
      case SpectrumRepair::square:
        x *= x;
        break;
    }
  return values;
}

}  // namespace

Spectrum::Spectrum(std::vector<double> matrix, std::size_t n)
    : n_(n), values_(n), vectors_(std::move(matrix)) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double &a = vectors_[i * n + j], &b = vectors_[j * n + i];
      asymmetry_ = std::max(asymmetry_, std::abs(a - b));
      a = b = (a + b) / 2;
    }
  openblas_set_num_threads(1);  // the same bits whatever the machine's number of threads
  const int order = static_cast<int>(n), size = 1 + 6 * order + 2 * order * order,
            integers = 3 + 5 * order;
  std::vector<double> work(static_cast<std::size_t>(size));
  std::vector<int> integer_work(static_cast<std::size_t>(integers));
  int info = 0;
  dsyevd_("V", "L", &order, vectors_.data(), &order, values_.data(), work.data(), &size,
          integer_work.data(), &integers, &info);
  if (info != 0)
    throw Error("the eigenvalues of the bases' similarities were not found (LAPACK's dsyevd says " +
                std::to_string(info) + ")");
}

std::size_t Spectrum::negative() const noexcept {
  return static_cast<std::size_t>(
      std::count_if(values_.begin(), values_.end(), [](double x) { return x < 0; }));
}

double Spectrum::negative_share() const noexcept {
  double below = 0, all = 0;
  for (const double x : values_) {
    below += std::max(-x, 0.0);
    all += std::abs(x);
  }
  return all > 0 ? below / all : 0;
}

std::vector<double> Spectrum::inverse_root(SpectrumRepair repair, double threshold,
                                           std::size_t& dropped) const {
  const std::vector<double> values = repaired(values_, repair);
  const double least = threshold * *std::max_element(values.begin(), values.end());
  // V diag(f) V^T = U^T U for the rows U = sqrt(f) v of the eigenvalues that are kept.
  std::vector<double> rows;
  for (std::size_t e = 0; e < n_; ++e) {
    if (!(values[e] > least)) continue;
    const double factor = std::pow(values[e], -0.25);
    for (std::size_t j = 0; j < n_; ++j) rows.push_back(factor * vectors_[e * n_ + j]);
  }
  const std::size_t kept = rows.size() / n_;
  dropped = n_ - kept;
  if (kept == 0)
    throw Error(
        "no eigenvalue of the bases' similarities is positive after the repair; take "
        "'repair: flip', other bases or another similarity");
  std::vector<double> root(n_ * n_);
  const int n = static_cast<int>(n_);
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, n, static_cast<int>(kept), 1, rows.data(), n,
              0, root.data(), n);
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t j = 0; j < i; ++j) root[j * n_ + i] = root[i * n_ + j];
  return root;
}

std::size_t Spectrum::bytes(std::size_t n) noexcept { return 4 * n * n * sizeof(double); }

}  // namespace semblance
