// SPDX-License-Identifier: MIT
#include <limits>
#include <optional>

#include "histograms/bit_rows.hpp"
#include "products/stored_bases.hpp"
#include "semblance/formula.hpp"
#include "semblance/sparse_testing.hpp"
#include "semblance_numerics/lesser_targets.hpp"
#include "semblance_numerics/sparse_testing.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::tanimoto_test {
namespace {

using namespace testing;

double tanimoto(const float* b, const float* x, std::size_t count) {
  double least = 0, most = 0;
  for (std::size_t k = 0; k < count; ++k) {
    least += std::min(b[k], x[k]);
    most += std::max(b[k], x[k]);
  }
  return most == 0 ? 1 : least / most;
}

std::unique_ptr<Similarity> measure_of(const FloatMatrix& bases) {
  TestContext context;
  auto measure = make_component<Similarity>("similarity/tanimoto");
  measure->bind(bases.view().sparse() ? Layout::sparse(bases.cols) : Layout::vector(bases.cols));
  measure->set_bases(bases.view(), first_indices(bases.rows), context);
  return measure;
}

/// Zeros and ones; every ninth row is empty, every tenth full.
FloatMatrix bit_rows(std::size_t rows, std::size_t cols, double share, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix bits(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (float& x : bits.view().row_span(i))
      x = i % 9 == 4 ? 0.0F : i % 10 == 6 || random.uniform() < share ? 1.0F : 0.0F;
  return bits;
}

FloatMatrix counts(FloatMatrix rows) {
  for (float& x : rows.values) x *= 3;
  return rows;
}

TEST_CASE("tanimoto is the sum of minima over the sum of maxima") {
  const FloatMatrix bases = histogram_rows(21, 67, 1), samples = histogram_rows(30, 67, 2);
  check_pairs(
      *measure_of(bases), bases, samples, 1e-6,
      [](const float* b, const float* x) { return tanimoto(b, x, 67); },
      [](const float*, const float*) { return 1; });
}

TEST_CASE(
    "tanimoto of bits is the rounded quotient of counts, for any length and any SIMD target") {
  TestContext context;
  for (const std::size_t cols : {1u, 31u, 32u, 33u, 166u, 991u, 1024u, 2048u, 5000u}) {
    const FloatMatrix bases = bit_rows(37, cols, 0.3, cols), samples = bit_rows(29, cols, 0.1, 9);
    const auto measure = measure_of(bases);
    const auto check = [&](const char* target) {
      CAPTURE(target);
      CAPTURE(cols);
      const FloatMatrix values = compare(*measure, samples.view(), context);
      for (std::size_t i = 0; i < 29; ++i)
        for (std::size_t j = 0; j < 37; ++j)
          REQUIRE(values.view().row(i)[j] ==
                  float(tanimoto(bases.view().row(j), samples.view().row(i), cols)));
    };
    check("best");
    numerics::on_lesser_targets(check);
  }
}

TEST_CASE("tanimoto of bits has the bits of the general form, dense and sparse") {
  TestContext context;
  for (const double share : {0.02, 0.4}) {
    const FloatMatrix bases = bit_rows(45, 200, share, 1), samples = bit_rows(70, 200, share, 2);
    const FloatMatrix values = compare(*measure_of(bases), samples.view(), context);
    // Counts of three times as many: the same quotients, but no bits.
    CHECK(compare(*measure_of(counts(bases)), counts(samples).view(), context).values ==
          values.values);
    const FloatMatrix b = sparse_of(bases.view()), x = sparse_of(samples.view());
    CHECK(compare(*measure_of(b), x.view(), context).values == values.values);
    CHECK(compare(*measure_of(counts(b)), counts(x).view(), context).values == values.values);
  }
}

TEST_CASE("bits and counts may meet, in any block") {
  const FloatMatrix bases = bit_rows(37, 90, 0.3, 1);
  FloatMatrix samples = bit_rows(256, 90, 0.3, 2);
  for (const std::size_t i : {0u, 6u, 18u, 103u}) samples.view().row(i)[7] = 4;
  check_row_independence(*measure_of(bases), samples);
  check_row_independence(*measure_of(sparse_of(bases.view())), sparse_of(samples.view()));
  check_pairs(
      *measure_of(bases), bases, samples, 1e-7,
      [](const float* b, const float* x) { return tanimoto(b, x, 90); },
      [](const float*, const float*) { return 1; });
}

TEST_CASE("sparse bits in many columns are compared by what they share") {
  TestContext context;
  FloatMatrix bases = sparse_rows(20, 50'000, 0.001, 1),
              samples = sparse_rows(30, 50'000, 0.001, 2);
  for (FloatMatrix* rows : {&bases, &samples})
    for (float& x : rows->values) x = 1;
  const FloatMatrix values = compare(*measure_of(bases), samples.view(), context);
  const FloatMatrix b = dense_of(bases.view()), x = dense_of(samples.view());
  CHECK(values.values == compare(*measure_of(b), x.view(), context).values);
}

TEST_CASE("rows of zeros have similarity 1 with each other and 0 with other rows") {
  TestContext context;
  FloatMatrix rows(3, 5);
  rows.view().row(1)[2] = 1;
  rows.view().row(2)[2] = 0.5;
  const std::vector<float> expected = {1, 0, 0, 0, 1, 0.5, 0, 0.5, 1};
  CHECK(compare(*measure_of(rows), rows.view(), context).values == expected);
  const FloatMatrix sparse = sparse_of(rows.view());
  CHECK(compare(*measure_of(sparse), sparse.view(), context).values == expected);
  std::vector<float> own(3);
  measure_of(rows)->compare_with_itself(rows.view(), own.data());
  CHECK(own == std::vector<float>(3, 1));
}

TEST_CASE("a row and itself have similarity 1, whatever their values") {
  TestContext context;
  const FloatMatrix rows = histogram_rows(50, 301, 3);
  const FloatMatrix values = compare(*measure_of(rows), rows.view(), context);
  for (std::size_t i = 0; i < 50; ++i) CHECK(values.view().row(i)[i] == 1);
}

TEST_CASE("NaN stays NaN, also in the values of its definition") {
  TestContext context;
  FloatMatrix rows(1, 3);
  rows.values = {0, std::numeric_limits<float>::quiet_NaN(), 1};
  const FloatMatrix bases = bit_rows(2, 3, 0.5, 1);
  const auto measure = measure_of(bases);
  for (const float value : compare(*measure, rows.view(), context).values) CHECK(std::isnan(value));
  std::vector<double> values(2), gradients(6);
  measure->compare_plainly(bases.view(), rows.view(), values.data());
  for (const double value : values) CHECK(std::isnan(value));
  measure->compare_with_gradient(bases.view(), rows.view(), values.data(), gradients.data());
  for (const double value : values) CHECK(std::isnan(value));
  measure->compare_plainly(rows.view(), bases.view().rows_range(0, 1), values.data());
  CHECK(std::isnan(values[0]));
  float own = 0;
  measure->compare_with_itself(rows.view(), &own);
  CHECK(std::isnan(own));
}

TEST_CASE("tanimoto names the first negative value by its row and column") {
  TestContext context;
  const FloatMatrix good = bit_rows(2, 3, 0.5, 1);
  FloatMatrix bad = good;
  bad.view().row(1)[2] = -0.25F;
  const std::string message =
      ", column 2 (both counted from 0) is -0.25, but tanimoto compares histograms; use "
      "non-negative features, and no normalizer that can make them negative, as zscore and min_max "
      "can";
  CHECK_THROWS_WITH_AS(measure_of(bad), ("basis 1" + message).c_str(), Error);
  CHECK_THROWS_WITH_AS(compare(*measure_of(good), bad.view(), context),
                       ("row 1 of the block" + message).c_str(), Error);
}

TEST_CASE("tanimoto keeps the contract of similarities, for counts and bits") {
  check_contract("similarity/tanimoto", {}, Layout::vector(29), true);
  const FloatMatrix bases = bit_rows(37, 100, 0.3, 1), samples = bit_rows(256, 100, 0.3, 2);
  const auto measure = measure_of(bases);
  check_row_independence(*measure, samples);
  check_ranges(*measure, samples);
  check_saved(*measure, *make_component<Similarity>("similarity/tanimoto"), Layout::vector(100),
              samples);
  TestContext context;
  context.stop = StopReason::cancelled;
  FloatMatrix out(256, 37);
  CHECK_THROWS_AS(measure->apply(samples.view(), out.view(), context), Cancelled);
}

}  // namespace
}  // namespace semblance::vectors::tanimoto_test
