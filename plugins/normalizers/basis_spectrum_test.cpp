// SPDX-License-Identifier: MIT
#include "basis_spectrum.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "semblance/error.hpp"
#include "semblance/random.hpp"

namespace basis_spectrum_test {

using namespace semblance;
using namespace semblance::normalizers;
using numerics::SpectrumRepair;

namespace {

using Matrix = std::vector<double>;

Matrix product(const Matrix& a, const Matrix& b, std::size_t n) {
  Matrix c(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
  return c;
}

double distance(const Matrix& a, const Matrix& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

Matrix identity(std::size_t n) {
  Matrix m(n * n);
  for (std::size_t i = 0; i < n; ++i) m[i * n + i] = 1;
  return m;
}

/// The inverse root of the repaired matrix, with only zeros dropped.
Matrix root_of(const Matrix& m, std::size_t n, SpectrumRepair repair, double threshold = 1e-12) {
  std::size_t dropped = 0;
  return BasisSpectrum(m, n).inverse_root(repair, threshold, dropped);
}

// Rotated by 30 degrees: eigenvalues 4 along (c, s) and -1 along (-s, c).
const double c = std::sqrt(0.75), s = 0.5;
Matrix rotated(double along, double across) {
  return {along * c * c + across * s * s, (along - across) * c * s, (along - across) * c * s,
          along * s * s + across * c * c};
}
const Matrix indefinite = rotated(4, -1);

}  // namespace

TEST_CASE("each repair of a matrix with the eigenvalues 4 and -1, by hand") {
  const BasisSpectrum spectrum(indefinite, 2);
  CHECK(spectrum.values()[0] == doctest::Approx(-1));
  CHECK(spectrum.values()[1] == doctest::Approx(4));
  CHECK(spectrum.negative() == 1);
  CHECK(spectrum.negative_share() == doctest::Approx(0.2));
  CHECK(spectrum.asymmetry() < 1e-15);
  CHECK(distance(root_of(indefinite, 2, SpectrumRepair::clip), rotated(0.5, 0)) < 1e-14);
  CHECK(distance(root_of(indefinite, 2, SpectrumRepair::flip), rotated(0.5, 1)) < 1e-14);
  CHECK(distance(root_of(indefinite, 2, SpectrumRepair::shift), rotated(1 / std::sqrt(5), 0)) <
        1e-14);
  CHECK(distance(root_of(indefinite, 2, SpectrumRepair::square), rotated(0.25, 1)) < 1e-14);
}

TEST_CASE("the threshold is relative to the largest repaired eigenvalue") {
  std::size_t dropped = 9;
  const BasisSpectrum spectrum(rotated(4, -1), 2);
  CHECK(distance(spectrum.inverse_root(SpectrumRepair::flip, 0.26, dropped), rotated(0.5, 0)) <
        1e-14);
  CHECK(dropped == 1);
  spectrum.inverse_root(SpectrumRepair::flip, 0.24, dropped);
  CHECK(dropped == 0);
  spectrum.inverse_root(SpectrumRepair::square, 0.06, dropped);
  CHECK(dropped == 0);
  spectrum.inverse_root(SpectrumRepair::square, 0.07, dropped);
  CHECK(dropped == 1);
}

TEST_CASE("a positive definite matrix times the square of its inverse root is the identity") {
  constexpr std::size_t n = 30;
  Random random(2);
  Matrix a(n * n);
  for (double& x : a) x = random.normal();
  Matrix k(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t l = 0; l < n; ++l) k[i * n + j] += a[i * n + l] * a[j * n + l];
  for (std::size_t i = 0; i < n; ++i) k[i * n + i] += 1;
  for (const SpectrumRepair repair :
       {SpectrumRepair::clip, SpectrumRepair::flip, SpectrumRepair::shift}) {
    const Matrix root = root_of(k, n, repair);
    CHECK(distance(product(k, product(root, root, n), n), identity(n)) < 1e-10);
  }
  const Matrix root = root_of(k, n, SpectrumRepair::square);
  CHECK(distance(product(product(k, k, n), product(root, root, n), n), identity(n)) < 1e-8);
}

TEST_CASE("of a matrix that is not symmetric the symmetric part is taken") {
  const Matrix skewed = {indefinite[0], indefinite[1] + 0.3, indefinite[2] - 0.3, indefinite[3]};
  const BasisSpectrum spectrum(skewed, 2);
  CHECK(spectrum.asymmetry() == doctest::Approx(0.6));
  CHECK(spectrum.values()[1] == doctest::Approx(4));
  CHECK(distance(root_of(skewed, 2, SpectrumRepair::flip), rotated(0.5, 1)) < 1e-14);
}

TEST_CASE("without a positive eigenvalue there is no root") {
  CHECK_THROWS_WITH_AS(root_of(rotated(-4, -1), 2, SpectrumRepair::clip),
                       doctest::Contains("no eigenvalue of the bases' similarities is positive"),
                       Error);
  CHECK_THROWS_AS(root_of(Matrix(4), 2, SpectrumRepair::flip), Error);
}

TEST_CASE("what is dropped of the bases' differences, by hand") {
  // The bases are alike along (1, 1) / sqrt(2) and differ only along (1, -1) / sqrt(2).
  const auto alike_and_not = [](double alike, double apart) {
    return Matrix{(alike + apart) / 2, (alike - apart) / 2, (alike - apart) / 2,
                  (alike + apart) / 2};
  };
  const BasisSpectrum far(alike_and_not(1e8, 1), 2), near(alike_and_not(10, 1), 2);
  CHECK(far.dropped_differences(SpectrumRepair::clip, 1e-6) == doctest::Approx(1));
  CHECK(far.dropped_differences(SpectrumRepair::clip, 1e-9) == 0);
  CHECK(near.dropped_differences(SpectrumRepair::clip, 1e-6) == 0);
  CHECK(near.dropped_differences(SpectrumRepair::clip, 0.5) == doctest::Approx(1));
  CHECK(BasisSpectrum(alike_and_not(5, 0), 2).dropped_differences(SpectrumRepair::clip, 1e-6) == 0);
}

}  // namespace basis_spectrum_test
