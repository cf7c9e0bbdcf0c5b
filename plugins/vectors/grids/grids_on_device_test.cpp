// SPDX-License-Identifier: MIT
#include <functional>
#include <memory>

#include "grid_pairs_testing.hpp"
#include "grids/correlation_plan.hpp"
#include "row_pairs_testing.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::grids_on_device_test {
namespace {

using namespace testing;

struct Measured {
  FloatMatrix values;
  std::size_t started = 0;  ///< kernels of the device
};

const Layout layout = Layout::grid(3, 4, 23);

using Make = std::function<std::unique_ptr<Similarity>()>;

/// Makes the measure, which may keep memory of the device until it is destroyed.
Measured on_device(const Make& make, const FloatMatrix& bases, const FloatMatrix& samples) {
  gpu::ModelDevice device;
  gpu::add_grid_pairs(device);
  gpu::add_row_pairs(device);
  gpu::DeviceContext context(device);
  const auto measure = make();
  measure->bind(layout);
  measure->set_bases(bases.view(), first_indices(bases.rows), context);
  const std::size_t before = device.started;
  FloatMatrix values = compare(*measure, samples.view(), context);
  const std::size_t started = device.started - before;
  FloatMatrix some(samples.rows, 7);
  measure->apply_range(samples.view(), 3, some.view(), context);
  for (std::size_t i = 0; i < samples.rows; ++i)
    CHECK(std::equal(some.view().row(i), some.view().row(i) + 7, values.view().row(i) + 3));
  return {std::move(values), started};
}

FloatMatrix on_cpu(Similarity& measure, const FloatMatrix& bases, const FloatMatrix& samples) {
  TestContext context;
  measure.bind(layout);
  measure.set_bases(bases.view(), first_indices(bases.rows), context);
  return compare(measure, samples.view(), context);
}

/// In units of |b||x|.
double largest_difference(const FloatMatrix& a, const FloatMatrix& b, const FloatMatrix& bases,
                          const FloatMatrix& samples) {
  const std::size_t d = layout.size();
  double worst = 0;
  for (std::size_t i = 0; i < samples.rows; ++i)
    for (std::size_t j = 0; j < bases.rows; ++j) {
      const float *x = samples.view().row(i), *y = bases.view().row(j);
      const double size = std::sqrt(dot(x, x, d) * dot(y, y, d));
      const double error = std::abs(double{a.view().row(i)[j]} - b.view().row(i)[j]) / size;
      worst = error <= worst ? worst : error;
    }
  return worst;
}

void check(const std::string& id, const Parameters& values, std::size_t count, bool used) {
  const FloatMatrix bases = normal_rows(count, layout.size(), 1);
  const FloatMatrix samples = normal_rows(9, layout.size(), 2);
  const Make make = [&] { return make_component<Similarity>(id, values); };
  const Measured measured = on_device(make, bases, samples);
  const FloatMatrix expected = on_cpu(*make(), bases, samples);
  CHECK((measured.started > 0) == used);
  CHECK(largest_difference(measured.values, expected, bases, samples) <= (used ? 1e-6 : 0));
}

TEST_CASE("rigid and deformable compute on a device, with the CPU's values") {
  for (const double penalty : {0.0, 2.5}) {
    for (const std::int64_t shift : {0, 1, 5})
      check("similarity/rigid", {{"shift", shift}, {"penalty", penalty}}, 70, true);
    for (const char* order : {"sample_moves", "basis_moves"})
      for (const std::int64_t local : {0, 1})
        check("similarity/deformable",
              {{"shift", std::int64_t{1}},
               {"local", local},
               {"penalty", penalty},
               {"local_penalty", penalty / 2},
               {"order", std::string(order)}},
              70, true);
  }
}

TEST_CASE("bfloat16, the transform and few bases stay on the CPU") {
  check("similarity/rigid", {{"precision", std::string("bf16")}}, 70, false);
  check("similarity/deformable", {{"precision", std::string("bf16")}}, 70, false);
  check("similarity/rigid", {{"method", std::string("transform")}}, 70, false);
  check("similarity/rigid", {}, 63, false);
}

TEST_CASE("jittered and mirrored compute on a device what their kernel does") {
  const FloatMatrix bases = normal_rows(70, layout.size(), 1);
  const FloatMatrix samples = normal_rows(9, layout.size(), 2);
  for (const char* id : {"similarity/jittered", "similarity/mirrored"})
    for (const char* kernel : {"similarity/rbf", "similarity/rigid"}) {
      const Parameters of_kernel =
          std::string(kernel) == "similarity/rbf" ? Parameters{{"gamma", 0.002}} : Parameters{};
      const Make make = [&] {
        return make_component<Similarity>(id, {},
                                          {{"kernel", part<Similarity>(kernel, of_kernel)}});
      };
      const Measured measured = on_device(make, bases, samples);
      const FloatMatrix expected = on_cpu(*make(), bases, samples);
      CHECK(measured.started > 0);
      CHECK(largest_difference(measured.values, expected, bases, samples) <= 1e-6);
    }
}

}  // namespace
}  // namespace semblance::vectors::grids_on_device_test
