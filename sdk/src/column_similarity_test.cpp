// SPDX-License-Identifier: MIT
#include "semblance/column_similarity.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "semblance/component_testing.hpp"
#include "semblance/memory_state.hpp"
#include "semblance/plain_check.hpp"

namespace semblance::column_similarity_test {
namespace {

using namespace testing;

/// 1 / (1 + |b - x|^2 / 4).
class Cauchy final : public ColumnSimilarity<Cauchy> {
 public:
  template <class T>
  T term(T b, T x) const {
    return (b - x) * (b - x);
  }
  template <class T>
  T value(T sum) const {
    return static_cast<T>(1 / (1 + sum / 4));
  }
};

/// tanh of the cosine, 0 for rows of zeros.
class Angle final : public ColumnSimilarity<Angle> {
 public:
  template <class T>
  T term(T b, T x) const {
    return b * x;
  }
  template <class T>
  T value(T product, T of_b, T of_x) const {
    using std::sqrt, std::tanh;
    const T both = sqrt(of_b * of_x);
    return if_positive(both, static_cast<T>(tanh(product / both)), static_cast<T>(0));
  }
};

/// prod exp(-2 |b - x|).
class Laplace final : public ColumnSimilarity<Laplace> {
 public:
  template <class T>
  T term(T b, T x) const {
    using std::abs;
    return abs(b - x);
  }
  template <class T>
  T value(T sum) const {
    using std::exp;
    return static_cast<T>(exp(-2 * sum));
  }
  std::optional<PartsMake> parts_make() const override { return PartsMake::product; }
};

/// The number of columns with nearly equal values: of zeros as well.
class Agreement final : public ColumnSimilarity<Agreement> {
 public:
  template <class T>
  T term(T b, T x) const {
    return static_cast<T>(1 / (1 + (b - x) * (b - x)));
  }
  template <class T>
  T value(T sum) const {
    return sum;
  }
};

FloatMatrix random_rows(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix matrix(rows, cols);
  for (float& x : matrix.values)
    x = random.uniform() < 0.6 ? 0.0F : static_cast<float>(random.normal());
  return matrix;
}

FloatMatrix sparse_form(const FloatMatrix& dense) {
  std::vector<std::size_t> sizes(dense.rows);
  for (std::size_t i = 0; i < dense.rows; ++i)
    for (const float x : dense.view().row_span(i)) sizes[i] += x != 0 ? 1 : 0;
  FloatMatrix rows = FloatMatrix::sparse(dense.cols, sizes);
  for (std::size_t i = 0; i < dense.rows; ++i)
    for (std::size_t k = 0, at = 0; k < dense.cols; ++k)
      if (const float x = dense.view().row(i)[k]; x != 0) {
        rows.view().row(i)[at] = x;
        rows.view().columns_of(i)[at++] = static_cast<std::uint32_t>(k);
      }
  return rows;
}

template <class Measure>
void give_bases(Measure& measure, const FloatMatrix& bases) {
  TestContext context;
  measure.bind(bases.is_sparse ? Layout::sparse(bases.cols) : Layout::vector(bases.cols));
  measure.set_bases(bases.view(), {}, context);
}

FloatMatrix compared(const Similarity& measure, const FloatMatrix& samples) {
  TestContext context;
  FloatMatrix result(samples.rows, measure.bases());
  measure.apply(samples.view(), result.view(), context);
  return result;
}

/// Values and gradients of dense and sparse rows against the definition in double.
template <class Measure>
void check_measure(const auto& definition) {
  constexpr std::size_t d = 21;
  const FloatMatrix bases = random_rows(12, d, 1), samples = random_rows(7, d, 2);
  const FloatMatrix few = sparse_form(bases), others = sparse_form(samples);
  Measure dense, sparse;
  give_bases(dense, bases);
  give_bases(sparse, few);
  std::vector<float> kept(d);
  for (const Measure* measure : {&dense, &sparse}) {
    CHECK(measure->abilities().keeps_bases);
    measure->kept_basis(3, kept);
    CHECK(std::ranges::equal(kept, bases.view().row_span(3)));
  }
  const FloatMatrix values = compared(dense, samples);
  CHECK(compared(sparse, others).values == values.values);
  std::vector<double> plain(12), found(12), slopes(12 * d), of_sparse(12 * d);
  for (std::size_t i = 0; i < samples.rows; ++i) {
    const MatrixView x = samples.view().rows_range(i, 1);
    const MatrixView y = others.view().rows_range(i, 1);
    dense.compare_plainly(bases.view(), x, plain.data());
    sparse.compare_plainly(few.view(), y, found.data());
    CHECK(found == plain);
    dense.compare_with_gradient(bases.view(), x, found.data(), slopes.data());
    CHECK(found == plain);
    sparse.compare_with_gradient(few.view(), y, found.data(), of_sparse.data());
    CHECK(of_sparse == slopes);
    for (std::size_t j = 0; j < 12; ++j) {
      std::vector<double> b(bases.view().row(j), bases.view().row(j) + d);
      std::vector<double> moved(x.row(0), x.row(0) + d);
      CHECK(plain[j] == doctest::Approx(definition(b, moved)).epsilon(1e-12));
      CHECK(double{values.view().row(i)[j]} == doctest::Approx(plain[j]).epsilon(1e-5));
      for (std::size_t k = 0; k < d; ++k) {
        if (moved[k] == b[k]) continue;  // a kink of |b - x|
        const double at = moved[k], step = 1e-5;
        moved[k] = at + step;
        const double above = definition(b, moved);
        moved[k] = at - step;
        const double below = definition(b, moved);
        moved[k] = at;
        CHECK(slopes[d * j + k] == doctest::Approx((above - below) / (2 * step)).epsilon(1e-6));
      }
    }
  }
  TestContext context;
  CHECK(check_similarity(dense, bases.view(), samples.view(), context).value() < 1e-5);
  MemoryState state;
  sparse.save(state);
  Measure loaded;
  loaded.bind(Layout::sparse(d));
  loaded.load(state, context);
  CHECK(compared(loaded, others).values == values.values);
}

using Row = std::vector<double>;

double dot(const Row& a, const Row& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace

TEST_CASE("from one formula follow values, dense and sparse, the check and the gradient") {
  check_measure<Cauchy>([](const Row& b, const Row& x) {
    return 1 / (1 + (dot(b, b) - 2 * dot(b, x) + dot(x, x)) / 4);
  });
  check_measure<Angle>([](const Row& b, const Row& x) {
    return std::tanh(dot(b, x) / std::sqrt(dot(b, b) * dot(x, x)));
  });
  check_measure<Laplace>([](const Row& b, const Row& x) {
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) sum += std::abs(b[k] - x[k]);
    return std::exp(-2 * sum);
  });
}

TEST_CASE("rows of zeros are compared as the formula says, with finite gradients") {
  const FloatMatrix zeros(2, 3);
  Angle measure;
  give_bases(measure, zeros);
  CHECK(compared(measure, zeros).values == std::vector<float>(4));
  std::vector<double> values(2, 7), slopes(6, 7);
  measure.compare_with_gradient(zeros.view(), zeros.view().rows_range(0, 1), values.data(),
                                slopes.data());
  CHECK(values == std::vector<double>(2));
  CHECK(slopes == std::vector<double>(6));
}

TEST_CASE("parts multiply to the value") {
  const FloatMatrix rows = random_rows(2, 5, 3);
  Laplace measure;
  give_bases(measure, rows);
  std::vector<double> parts(5);
  measure.compare_parts(rows.view().row_span(0), rows.view().row_span(1), parts);
  double product = 1, value = 0;
  for (const double part : parts) product *= part;
  measure.compare_plainly(rows.view().rows_range(0, 1), rows.view().rows_range(1, 1), &value);
  CHECK(product == doctest::Approx(value));
  CHECK_THROWS_AS(Angle().compare_parts(rows.view().row_span(0), rows.view().row_span(1), parts),
                  Error);
}

TEST_CASE("differences keep their digits far from 0; products lose them, which the check finds") {
  FloatMatrix rows = random_rows(40, 3, 1);
  for (float& x : rows.values) x = 5000 + x / 16;
  TestContext context;
  Cauchy cauchy;
  give_bases(cauchy, rows);
  CHECK(check_similarity(cauchy, rows.view(), rows.view(), context).value() < 1e-5);
  Angle angle;
  give_bases(angle, rows);
  CHECK_THROWS_AS(
      check_differences(angle, rows.view(), rows.view(), Differences::of_samples, context), Error);
}

TEST_CASE("sparse rows are refused if columns of zeros add to the sum") {
  CHECK_THROWS_WITH_AS(Agreement().bind(Layout::sparse(4)),
                       doctest::Contains("have no values where they are 0"), Error);
  CHECK(Agreement().bind(Layout::vector(4)) == Layout::vector(0));
}

TEST_CASE("a value of a sparse row that is not finite is named by its column") {
  FloatMatrix bases(1, 6), samples(1, 6);
  bases.values[2] = 1;
  Cauchy measure;
  give_bases(measure, sparse_form(bases));
  samples.values[4] = NAN;
  CHECK_THROWS_WITH_AS(compared(measure, sparse_form(samples)),
                       doctest::Contains("value 4 of the row is not a number"), Error);
}

}  // namespace semblance::column_similarity_test
