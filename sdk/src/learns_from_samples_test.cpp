// SPDX-License-Identifier: MIT
#include "semblance/learns_from_samples.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "semblance/ranks_testing.hpp"
#include "semblance/testing.hpp"

namespace learns_from_samples_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

FloatMatrix shifted(std::size_t rows, std::size_t cols, float shift) {
  FloatMatrix values(rows, cols);
  for (std::size_t i = 0; i < values.values.size(); ++i)
    values.values[i] = shift + std::sin(static_cast<float>(i) * 1.7F);
  return values;
}

double variance(const std::vector<float>& values) {
  long double mean = 0, sum = 0;
  for (const float x : values) mean += x;
  mean /= static_cast<long double>(values.size());
  for (const float x : values) sum += (x - mean) * (x - mean);
  return static_cast<double>(sum / static_cast<long double>(values.size()));
}

double of_all(MatrixView rows, std::span<const std::uint32_t> chosen = {}) {
  TestContext context;
  return variance_of_values(MatrixRows(rows), chosen, context);
}

}  // namespace

TEST_CASE("the variance of all values is that of its definition") {
  for (const float shift : {0.0F, 3.0F, 1e4F}) {
    const FloatMatrix rows = shifted(1000, 13, shift);
    CHECK(of_all(rows.view()) == doctest::Approx(variance(rows.values)).epsilon(1e-10));
  }
}

TEST_CASE("only the chosen rows count, whatever their order") {
  const FloatMatrix rows = shifted(600, 5, 1);
  const std::vector<std::uint32_t> chosen = {599, 3, 300, 301};
  std::vector<float> values;
  for (const std::uint32_t row : chosen)
    values.insert(values.end(), rows.view().row(row), rows.view().row(row) + 5);
  CHECK(of_all(rows.view(), chosen) == doctest::Approx(variance(values)).epsilon(1e-12));
}

TEST_CASE("the zeros of sparse rows count") {
  const std::vector<std::size_t> sizes = {2, 0, 1};
  FloatMatrix sparse = FloatMatrix::sparse(4, sizes);
  sparse.values = {5, -1, 2};
  sparse.columns = {0, 3, 2};
  CHECK(of_all(std::as_const(sparse).view()) ==
        doctest::Approx(variance({5, 0, 0, -1, 0, 0, 0, 0, 0, 0, 2, 0})).epsilon(1e-12));
}

TEST_CASE("sparse rows have the bits of the same rows laid out densely") {
  FloatMatrix dense = shifted(70, 45, 3), sparse;
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < 70; ++i) {
    std::size_t size = 0;
    for (std::size_t k = 0; k < 45; ++k) {
      float& x = dense.view().row(i)[k];
      if ((i * 7 + k * 5) % 3 != 0) x = 0;
      size += x != 0;
    }
    sizes.push_back(size);
  }
  sparse = FloatMatrix::sparse(45, sizes);
  for (std::size_t i = 0, at = 0; i < 70; ++i)
    for (std::size_t k = 0; k < 45; ++k)
      if (const float x = dense.view().row(i)[k]; x != 0) {
        sparse.columns[at] = static_cast<std::uint32_t>(k);
        sparse.values[at++] = x;
      }
  CHECK(of_all(std::as_const(sparse).view()) == of_all(std::as_const(dense).view()));
}

TEST_CASE("equal values have the variance 0 exactly") {
  for (const float value : {0.0F, 0.1F, 1e30F, -3.3F}) {
    FloatMatrix rows(777, 7);
    for (float& x : rows.values) x = value;
    CHECK(of_all(rows.view()) == 0);
  }
}

TEST_CASE("the variance has the same bits on any number of ranks and threads") {
  check_same_on_ranks(shifted(3000, 11, 2), {2, 3, 8}, [](const Rows& rows, Context& context) {
    const double found = variance_of_values(rows, {}, context);
    std::string bits(sizeof found, ' ');
    std::memcpy(bits.data(), &found, sizeof found);
    return bits;
  });
}

}  // namespace learns_from_samples_test
