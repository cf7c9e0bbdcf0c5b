// SPDX-License-Identifier: MIT
// The gradients of measures follow from their formulas.
#include "semblance_numerics/sparse_testing.hpp"
#include "similarity_testing.hpp"
#include "tiles/bf16.hpp"

namespace semblance::vectors::gradients_test {
namespace {

using namespace testing;

struct Case {
  std::string id;
  Parameters values = {};
  bool histograms = false;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"similarity/linear"},
      {"similarity/cosine"},
      {"similarity/polynomial", {{"degree", std::int64_t{3}}, {"scale", 0.3}, {"offset", 0.7}}},
      {"similarity/rbf", {{"gamma", 0.3}}},
      {"similarity/rbf"},
      {"similarity/laplacian", {{"gamma", 0.3}}},
      {"similarity/laplacian"},
      {"similarity/intersection", {}, true},
      {"similarity/tanimoto", {}, true},
      {"similarity/chi_square", {{"gamma", 0.7}}, true},
      {"similarity/chi_square", {{"form", std::string("additive")}}, true}};
  return all;
}

std::unique_ptr<Similarity> measure_of(const Case& one, const Layout& layout, MatrixView bases) {
  TestContext context;
  auto measure = make_component<Similarity>(one.id, one.values);
  measure->bind(layout);
  measure->set_bases(bases, first_indices(bases.rows), context);
  return measure;
}

/// Whole numbers of 64ths, plus `shift`, so that no basis has a sample's value.
FloatMatrix rows_on_grid(std::size_t rows, std::uint64_t seed, bool histograms, float shift) {
  FloatMatrix all = histograms ? histogram_rows(rows, 7, seed) : normal_rows(rows, 7, seed);
  for (float& x : all.values) x = std::round(64 * x) / 64 + (histograms ? 1.0F / 16 : 0.0F) + shift;
  return all;
}

struct Gradients {
  std::vector<double> values, slopes;
  bool operator==(const Gradients&) const = default;
};

Gradients gradients(const Similarity& measure, MatrixView bases, MatrixView x) {
  Gradients found{std::vector<double>(bases.rows), std::vector<double>(bases.rows * x.cols)};
  measure.compare_with_gradient(bases, x, found.values.data(), found.slopes.data());
  return found;
}

TEST_CASE("gradients are those of central differences of the values by definition") {
  constexpr float step = 1.0F / 8192;
  for (const Case& one : cases()) {
    CAPTURE(one.id);
    const FloatMatrix bases = rows_on_grid(9, 1, one.histograms, 1.0F / 128);
    FloatMatrix samples = rows_on_grid(5, 2, one.histograms, 0);
    const auto measure = measure_of(one, Layout::vector(7), bases.view());
    REQUIRE(measure->abilities().has_gradient);
    std::vector<double> plain(9), above(9), below(9);
    for (std::size_t i = 0; i < samples.rows; ++i) {
      const MatrixView x = std::as_const(samples).view().rows_range(i, 1);
      const Gradients found = gradients(*measure, bases.view(), x);
      measure->compare_plainly(bases.view(), x, plain.data());
      CHECK(found.values == plain);
      for (std::size_t k = 0; k < 7; ++k) {
        float& value = samples.view().row(i)[k];
        value += step;
        measure->compare_plainly(bases.view(), x, above.data());
        value -= 2 * step;
        measure->compare_plainly(bases.view(), x, below.data());
        value += step;
        for (std::size_t j = 0; j < 9; ++j)
          CHECK(found.slopes[7 * j + k] ==
                doctest::Approx((above[j] - below[j]) / (2.0 * step)).epsilon(3e-5));
      }
    }
  }
}

TEST_CASE("gradients of sparse rows are those of the same rows with their zeros") {
  for (const Case& one : cases()) {
    CAPTURE(one.id);
    FloatMatrix rows = sparse_rows(12, 40, 0.2, 3);
    for (float& x : rows.values) x = one.histograms ? std::abs(x) : x;
    const FloatMatrix dense = laid_out(rows.view());
    const auto measure = measure_of(one, Layout::sparse(40), rows.view()),
               other = measure_of(one, Layout::vector(40), dense.view());
    for (std::size_t i = 0; i < rows.rows; ++i)
      CHECK(gradients(*measure, rows.view(), rows.view().rows_range(i, 1)) ==
            gradients(*other, dense.view(), dense.view().rows_range(i, 1)));
  }
}

TEST_CASE("a row of zeros and equal rows have finite gradients") {
  for (const Case& one : cases()) {
    CAPTURE(one.id);
    FloatMatrix rows = one.histograms ? histogram_rows(3, 5, 1) : normal_rows(3, 5, 1);
    std::ranges::fill(rows.view().row_span(1), 0.0F);
    const auto measure = measure_of(one, Layout::vector(5), rows.view());
    for (std::size_t i = 0; i < 3; ++i)
      for (const double slope :
           gradients(*measure, rows.view(), rows.view().rows_range(i, 1)).slopes)
        CHECK(std::isfinite(slope));
  }
}

TEST_CASE("in bf16, values and gradients are those of the rounded rows") {
  const FloatMatrix bases = normal_rows(9, 7, 1), samples = normal_rows(5, 7, 2);
  const auto rounded = [](FloatMatrix rows) {
    for (float& x : rows.values) x = to_float(to_bf16(x));
    return rows;
  };
  const FloatMatrix near = rounded(samples), of_bases = rounded(bases);
  const auto bf16 =
      measure_of({"similarity/rbf", {{"gamma", 0.3}, {"precision", std::string("bf16")}}},
                 Layout::vector(7), bases.view());
  const auto fp32 =
      measure_of({"similarity/rbf", {{"gamma", 0.3}}}, Layout::vector(7), bases.view());
  for (std::size_t i = 0; i < samples.rows; ++i)
    CHECK(gradients(*bf16, bases.view(), samples.view().rows_range(i, 1)) ==
          gradients(*fp32, of_bases.view(), near.view().rows_range(i, 1)));
}

TEST_CASE("a measure without a formula has no gradient, and says so") {
  const auto measure = make_component<Similarity>("similarity/rigid");
  CHECK_FALSE(measure->abilities().has_gradient);
  const FloatMatrix rows(1, 1);
  double value = 0, slope = 0;
  CHECK_THROWS_WITH_AS(measure->compare_with_gradient(rows.view(), rows.view(), &value, &slope),
                       "the measure has no gradient", Error);
}

}  // namespace
}  // namespace semblance::vectors::gradients_test
