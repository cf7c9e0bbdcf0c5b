// SPDX-License-Identifier: MIT

#include "products/stored_bases.hpp"
#include "semblance/formula.hpp"
#include "semblance/learns_from_samples.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::rbf_test {
namespace {

using namespace testing;

TEST_CASE("rbf is the Gaussian of the distance") {
  FloatMatrix bases = normal_rows(21, 67, 1), samples = normal_rows(30, 67, 2);
  for (float& x : samples.values) x *= 0.1f;
  for (float& x : bases.values) x *= 0.1f;
  auto measure = make_component<Similarity>("similarity/rbf", {{"gamma", 0.7}});
  TestContext context;
  measure->bind(Layout::vector(67));
  measure->set_bases(bases.view(), first_indices(21), context);
  check_pairs(
      *measure, bases, samples, 2e-6,
      [](const float* b, const float* x) {
        double distance = 0;
        for (int k = 0; k < 67; ++k) distance += (double(b[k]) - x[k]) * (double(b[k]) - x[k]);
        return std::exp(-0.7 * distance);
      },
      [](const float*, const float*) { return 1.0; });
}

TEST_CASE("rbf of a sample with itself is exactly one") {
  const FloatMatrix rows = normal_rows(40, 500, 3);
  auto measure = make_component<Similarity>("similarity/rbf", {{"gamma", 100.0}});
  TestContext context;
  measure->bind(Layout::vector(500));
  measure->set_bases(rows.view(), first_indices(40), context);
  const FloatMatrix result = compare(*measure, rows.view(), context);
  for (std::size_t i = 0; i < 40; ++i) CHECK(result.view().row(i)[i] == 1.0f);
}

double gaussian(double gamma, const float* b, const float* x, std::size_t cols) {
  double distance = 0;
  for (std::size_t k = 0; k < cols; ++k) distance += (double(b[k]) - x[k]) * (double(b[k]) - x[k]);
  return std::exp(-gamma * distance);
}

/// Every second row far from the others, one column far from the rest, or all columns.
FloatMatrix far_rows(std::size_t rows, std::size_t cols, std::uint64_t seed, float shift,
                     const std::string& where) {
  FloatMatrix matrix = normal_rows(rows, cols, seed);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < cols; ++k) {
      if (where == "all") matrix.view().row(i)[k] += shift;
      if (where == "column" && k == 2)
        matrix.view().row(i)[k] = shift + 2 * matrix.view().row(i)[k];
      if (where == "clusters" && i % 2 == 1) matrix.view().row(i)[k] += shift;
    }
  return matrix;
}

TEST_CASE("rbf is as exact far from 0 as near it") {
  for (const std::string where : {"all", "column", "clusters"})
    for (const float shift : {10.0F, 1e2F, 1e3F, 1e4F, 1e5F, 1e25F}) {
      CAPTURE(where);
      CAPTURE(shift);
      const FloatMatrix bases = far_rows(70, 6, 1, shift, where),
                        samples = far_rows(90, 6, 2, shift, where);
      auto measure = make_component<Similarity>("similarity/rbf", {{"gamma", 0.5}});
      TestContext context;
      measure->bind(Layout::vector(6));
      measure->set_bases(bases.view(), first_indices(70), context);
      check_pairs(
          *measure, bases, samples, 1e-4,
          [](const float* b, const float* x) { return gaussian(0.5, b, x, 6); },
          [](const float*, const float*) { return 1.0; });
      check_ranges(*measure, samples);
      check_row_independence(*measure, samples);
    }
}

TEST_CASE("rbf between places of one town, in degrees") {
  Random random(3);
  FloatMatrix places(200, 2);
  for (std::size_t i = 0; i < 200; ++i) {
    places.view().row(i)[0] = static_cast<float>(47.37 + 0.01 * random.normal());
    places.view().row(i)[1] = static_cast<float>(8.54 + 0.01 * random.normal());
  }
  auto measure = make_component<Similarity>("similarity/rbf", {{"gamma", 1e4}});
  TestContext context;
  measure->bind(Layout::vector(2));
  measure->set_bases(places.view(), first_indices(200), context);
  check_pairs(
      *measure, places, places, 1e-6,
      [](const float* b, const float* x) { return gaussian(1e4, b, x, 2); },
      [](const float*, const float*) { return 1.0; });
}

TEST_CASE("rbf of values that are no numbers is none") {
  FloatMatrix bases = normal_rows(20, 3, 1);
  auto measure = make_component<Similarity>("similarity/rbf", {{"gamma", 1.0}});
  TestContext context;
  measure->bind(Layout::vector(3));
  measure->set_bases(bases.view(), first_indices(20), context);
  FloatMatrix sample(1, 3);
  sample.values[1] = std::numeric_limits<float>::quiet_NaN();
  for (const float value : compare(*measure, sample.view(), context).values)
    CHECK(std::isnan(value));
}

TEST_CASE("rbf in bf16 refuses bases whose differences it rounds away") {
  const FloatMatrix years = far_rows(50, 3, 1, 2000, "column");
  auto measure = make_component<Similarity>("similarity/rbf",
                                            {{"gamma", 1.0}, {"precision", std::string("bf16")}});
  TestContext context;
  measure->bind(Layout::vector(3));
  CHECK_THROWS_WITH_AS(
      measure->set_bases(years.view(), first_indices(50), context),
      "'precision: bf16' rounds away what distinguishes the bases, most of it in column 2 (counted "
      "from 0), whose values are far from 0 beside their spread; use precision: fp32, or subtract "
      "the columns' means before it (normalizer/zscore)",
      Error);
}

/// 1 / (columns * variance of all values), as scikit-learn's "scale".
double scale_of(const FloatMatrix& rows) {
  double mean = 0, squares = 0;
  const auto n = static_cast<double>(rows.values.size());
  for (const float x : rows.values) mean += x / n;
  for (const float x : rows.values) squares += (x - mean) * (x - mean) / n;
  return 1 / (static_cast<double>(rows.cols) * squares);
}

void check_gamma(const Similarity& measure, const FloatMatrix& bases, double gamma) {
  check_pairs(
      measure, bases, normal_rows(30, bases.cols, 2), 2e-6,
      [&](const float* b, const float* x) { return gaussian(gamma, b, x, bases.cols); },
      [](const float*, const float*) { return 1.0; });
}

TEST_CASE("rbf learns the scale from its bases") {
  FloatMatrix bases = normal_rows(21, 9, 1);
  for (float& x : bases.values) x = 3 * x + 1;
  const auto measure = make_component<Similarity>("similarity/rbf");
  TestContext context;
  measure->bind(Layout::vector(9));
  CHECK(measure->learns_from_bases());
  CHECK(needs_all_bases(*measure) == false);
  measure->set_bases(bases.view(), first_indices(21), context);
  check_gamma(*measure, bases, scale_of(bases));
}

TEST_CASE("rbf that has learned from samples compares with any bases alike") {
  FloatMatrix samples = normal_rows(90, 9, 1);
  for (float& x : samples.values) x = 3 * x + 1;
  const FloatMatrix bases = normal_rows(5, 9, 3);
  const auto measure = make_component<Similarity>("similarity/rbf"),
             loaded = make_component<Similarity>("similarity/rbf");
  TestContext context;
  measure->bind(Layout::vector(9));
  learn_from_samples(*measure, MatrixRows(std::as_const(samples).view()), {}, context);
  CHECK_FALSE(measure->learns_from_bases());
  measure->set_bases(bases.view(), first_indices(5), context);
  check_gamma(*measure, bases, scale_of(samples));
  check_saved(*measure, *loaded, Layout::vector(9), normal_rows(12, 9, 4));
  check_gamma(*loaded, bases, scale_of(samples));
}

TEST_CASE("rbf with gamma auto divides by the columns, and learns nothing") {
  const FloatMatrix bases = normal_rows(5, 9, 3);
  const auto measure =
      make_component<Similarity>("similarity/rbf", {{"gamma", std::string("auto")}});
  TestContext context;
  measure->bind(Layout::vector(9));
  CHECK_FALSE(measure->learns_from_bases());
  measure->set_bases(bases.view(), first_indices(5), context);
  check_gamma(*measure, bases, 1.0 / 9);
}

TEST_CASE("rbf on equal values has gamma 1, as scikit-learn's") {
  FloatMatrix bases(4, 3);
  for (float& x : bases.values) x = 0.1F;
  const auto measure = make_component<Similarity>("similarity/rbf");
  TestContext context;
  measure->bind(Layout::vector(3));
  measure->set_bases(bases.view(), first_indices(4), context);
  check_gamma(*measure, bases, 1);
}

TEST_CASE("rbf refuses a scale beyond float32, and a damaged one") {
  FloatMatrix bases = normal_rows(4, 3, 1);
  for (float& x : bases.values) x *= 1e25F;
  const auto measure = make_component<Similarity>("similarity/rbf");
  TestContext context;
  measure->bind(Layout::vector(3));
  std::string message;
  try {
    measure->set_bases(bases.view(), first_indices(4), context);
  } catch (const Error& error) {
    message = error.what();
  }
  CHECK(message.starts_with("'scale' is 1 / (3 columns * the variance "));
  CHECK(
      message.ends_with(" of all values), which float32 cannot hold; scale the samples "
                        "(normalizer/zscore), or give a number instead"));
  MemoryState state;
  state.floats("bases", normal_rows(4, 3, 1).view());
  state.number("scale", -2);
  CHECK_THROWS_WITH_AS(measure->load(state, context),
                       "the saved scale is -2, not a number above 0; train the model again", Error);
}

TEST_CASE("rbf with a given gamma saves its bases only") {
  const auto measure = make_component<Similarity>("similarity/rbf", {{"gamma", 0.5}});
  TestContext context;
  measure->bind(Layout::vector(3));
  measure->set_bases(normal_rows(4, 3, 1).view(), first_indices(4), context);
  MemoryState state;
  measure->save(state);
  CHECK_THROWS_AS(state.number("scale"), Error);
}

TEST_CASE("rbf keeps the contract of similarities") {
  check_contract("similarity/rbf", {}, Layout::vector(29));
  check_contract("similarity/rbf", {{"gamma", 0.01}}, Layout::vector(29));
}

}  // namespace
}  // namespace semblance::vectors::rbf_test
