// SPDX-License-Identifier: MIT
#include "semblance_numerics/kernel_spectrum.hpp"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "semblance/random.hpp"
#include "semblance/testing.hpp"

namespace semblance::numerics::kernel_spectrum_test {
namespace {

FloatMatrix symmetric(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix m(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      m.values[i * n + j] = m.values[j * n + i] = static_cast<float>(random.normal());
  return m;
}

Eigen::MatrixXd as_eigen(const FloatMatrix& m) {
  const auto n = static_cast<Eigen::Index>(m.rows);
  return Eigen::Map<const Eigen::MatrixXf>(m.values.data(), n, n).cast<double>();
}

TEST_CASE("the spectrum is that of another library") {
  const FloatMatrix m = symmetric(60, 1);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> expected(as_eigen(m));
  const Spectrum found = spectrum(m.view());
  std::size_t negative = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    const double value = expected.eigenvalues()[static_cast<Eigen::Index>(i)];
    CHECK(found.values[i] == doctest::Approx(value).epsilon(1e-9));
    negative += value < -1e-9;
  }
  CHECK(found.negative(1e-9) == negative);
}

TEST_CASE("repairs are functions of the eigenvalues, and training rows get the repaired matrix") {
  constexpr std::size_t n = 50;
  const FloatMatrix m = symmetric(n, 2);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(as_eigen(m));
  const Eigen::VectorXd lambda = solver.eigenvalues();
  const Spectrum s = spectrum(m.view());
  Random random(3);
  std::vector<double> b(n);
  for (double& x : b) x = random.normal();
  for (const SpectrumRepair how : {SpectrumRepair::clip, SpectrumRepair::flip,
                                   SpectrumRepair::shift, SpectrumRepair::square}) {
    Eigen::VectorXd repaired = lambda;
    if (how == SpectrumRepair::clip) repaired = lambda.cwiseMax(0);
    if (how == SpectrumRepair::flip) repaired = lambda.cwiseAbs();
    if (how == SpectrumRepair::shift) repaired = lambda.array() - lambda.minCoeff();
    if (how == SpectrumRepair::square) repaired = lambda.cwiseAbs2();
    const Eigen::MatrixXd expected =
        solver.eigenvectors() * repaired.asDiagonal() * solver.eigenvectors().transpose();
    FloatMatrix found = m;
    repair(how, s, found.view());
    CHECK((as_eigen(found) - expected).cwiseAbs().maxCoeff() < 1e-5 * expected.norm());

    std::vector<double> coefficients = b;
    repair_coefficients(how, s, coefficients);
    const Eigen::Map<const Eigen::VectorXd> plain(b.data(), n), moved(coefficients.data(), n);
    const Eigen::VectorXd wanted =
        how == SpectrumRepair::shift ? as_eigen(m) * plain : Eigen::VectorXd(expected * plain);
    CHECK((as_eigen(m) * moved - wanted).norm() < 1e-9 * wanted.norm());
  }
}

TEST_CASE("indefinite matrices are distinguished from semi-definite ones up to rounding") {
  constexpr std::size_t n = 80;
  testing::TestContext context;
  FloatMatrix low_rank(n, n);
  const FloatMatrix factor = symmetric(n, 4);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 20; ++k)
        sum += double(factor.values[i * n + k]) * factor.values[j * n + k];
      low_rank.values[i * n + j] = static_cast<float>(sum);
    }
  const double tolerance = spectrum_tolerance(low_rank.view());
  CHECK(positive_semidefinite(low_rank.view(), tolerance, context));
  for (std::size_t i = 0; i < n; ++i)
    low_rank.values[i * n + i] -= static_cast<float>(20 * tolerance);
  CHECK_FALSE(positive_semidefinite(low_rank.view(), tolerance, context));
}

}  // namespace
}  // namespace semblance::numerics::kernel_spectrum_test
