// SPDX-License-Identifier: MIT
#include "tall_matrix.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "real_device_testing.hpp"
#include "semblance/random.hpp"
#include "tall_matrix_testing.hpp"

namespace semblance::gpu::tall_matrix_test {
namespace {

struct Problem {
  FloatMatrix x;
  std::size_t count, stride;
  std::vector<double> v, z;

  Problem(std::size_t rows, std::size_t cols, std::size_t vectors)
      : x(rows, cols), count(vectors), stride((cols + 15) / 16 * 16), v(vectors * stride) {
    Random random(rows + cols);
    for (float& value : x.values) value = static_cast<float>(random.normal());
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t j = 0; j < cols; ++j) v[a * stride + j] = random.normal();
    for (std::size_t i = 0; i < rows * count; ++i) z.push_back(random.normal());
  }
};

template <class T>
std::vector<T> as(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

template <class T>
void check(const Problem& p, const TallMatrix& x, double tolerance) {
  const std::vector<T> v = as<T>(p.v), factors = as<T>(p.z);
  std::vector<T> z(p.x.rows * p.count);
  x.multiply(v.data(), p.stride, p.count, z.data());
  double worst = 0;
  for (std::size_t r = 0; r < p.x.rows; ++r)
    for (std::size_t a = 0; a < p.count; ++a) {
      double right = 0, size = 0;
      for (std::size_t j = 0; j < p.x.cols; ++j) {
        const double term = double{p.x.view().row(r)[j]} * double{v[a * p.stride + j]};
        right += term;
        size += std::abs(term);
      }
      const double error = std::abs(double{z[r * p.count + a]} - right) / size;
      worst = error <= worst ? worst : error;
    }
  CHECK(worst < tolerance);
  std::vector<double> out(p.count * p.stride, -7);
  x.sum(factors.data(), p.count, out.data(), p.stride);
  worst = 0;
  for (std::size_t a = 0; a < p.count; ++a) {
    for (std::size_t j = 0; j < p.x.cols; ++j) {
      double right = 0, size = 0;
      for (std::size_t r = 0; r < p.x.rows; ++r) {
        const double term = double{p.x.view().row(r)[j]} * double{factors[r * p.count + a]};
        right += term;
        size += std::abs(term);
      }
      const double error = std::abs(out[a * p.stride + j] - right) / size;
      worst = error <= worst ? worst : error;
    }
    for (std::size_t j = p.x.cols; j < p.stride; ++j) CHECK(out[a * p.stride + j] == -7);
  }
  CHECK(worst < tolerance);
}

TEST_CASE("products and sums of a tall matrix, in float32 and double") {
  ModelDevice device;
  add_tall_matrix(device);
  DeviceContext context(device);
  for (const auto& [rows, cols, vectors] : std::vector<std::array<std::size_t, 3>>{
           {12000, 351, 10}, {70000, 61, 1}, {5000, 1027, 19}}) {
    const Problem p(rows, cols, vectors);
    const MatrixRows all(p.x.view());
    const auto x = TallMatrix::of(all, context);
    REQUIRE(x);
    check<float>(p, *x, 1e-6);
    check<double>(p, *x, 1e-15);
  }
}

TEST_CASE("few rows, no device or a small one leave it to the CPU") {
  const Problem small(100, 100, 2), large(5000, 1000, 2);
  ModelDevice device, tiny(std::size_t{30} << 20);
  DeviceContext context(device), in_tiny(tiny);
  testing::TestContext without;
  const MatrixRows few(small.x.view()), many(large.x.view());
  CHECK(!TallMatrix::of(few, context));
  CHECK(!TallMatrix::of(many, without));
  CHECK(!TallMatrix::of(many, in_tiny));
  CHECK(in_tiny.lines.size() == 1);
  CHECK(TallMatrix::of(many, context));
}

TEST_CASE("a GPU computes the model's bits of a tall matrix") {
  Device* const device = real_device();
  if (!device) return;
  ModelDevice model;
  add_tall_matrix(model);
  DeviceContext on_model(model), on_gpu(*device);
  const Problem p(5003, 1027, 19);
  const MatrixRows all(p.x.view());
  const auto a = TallMatrix::of(all, on_model), b = TallMatrix::of(all, on_gpu);
  REQUIRE(a);
  REQUIRE(b);
  const auto same = [&]<class T>(T) {
    const std::vector<T> v = as<T>(p.v), factors = as<T>(p.z);
    std::vector<T> one(p.x.rows * p.count), two(one.size());
    a->multiply(v.data(), p.stride, p.count, one.data());
    b->multiply(v.data(), p.stride, p.count, two.data());
    CHECK(std::memcmp(one.data(), two.data(), one.size() * sizeof(T)) == 0);
    std::vector<double> sum_one(p.count * p.stride), sum_two(sum_one.size());
    a->sum(factors.data(), p.count, sum_one.data(), p.stride);
    b->sum(factors.data(), p.count, sum_two.data(), p.stride);
    CHECK(sum_one == sum_two);
  };
  same(float{});
  same(double{});
}

}  // namespace
}  // namespace semblance::gpu::tall_matrix_test
