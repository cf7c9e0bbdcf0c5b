// SPDX-License-Identifier: MIT
#include "grids/correlation_plan.hpp"
#include "grids/deformable_kernel.hpp"
#include "grids/shifts.hpp"
#include "products/stored_bases.hpp"
#include "semblance/formula.hpp"
#include "similarity_testing.hpp"
#include "tiles/tile_unit.hpp"

namespace semblance::vectors::precision_test {
namespace {

using namespace testing;

Parameters with(Parameters values, const char* precision) {
  values.emplace_back("precision", std::string(precision));
  return values;
}

// The same measure on rounded rows, in float32: the only effect of bf16 except the order of sums.
FloatMatrix rounded(FloatMatrix rows) {
  for (float& x : rows.values) x = to_float(to_bf16(x));
  return rows;
}

FloatMatrix results(const std::string& id, const Parameters& values, const Layout& layout,
                    const FloatMatrix& bases, const FloatMatrix& samples) {
  TestContext context;
  auto measure = make_component<Similarity>(id, values);
  measure->bind(layout);
  measure->set_bases(bases.view(), first_indices(bases.rows), context);
  return compare(*measure, samples.view(), context);
}

double norm(std::span<const float> row) {
  return std::sqrt(dot(row.data(), row.data(), row.size()));
}

// Largest difference in units of |b||x|.
double distance(const FloatMatrix& a, const FloatMatrix& b, const FloatMatrix& bases,
                const FloatMatrix& samples) {
  double worst = 0;
  for (std::size_t i = 0; i < samples.rows; ++i)
    for (std::size_t j = 0; j < bases.rows; ++j)
      worst =
          std::max(worst, std::abs(double(a.view().row(i)[j]) - b.view().row(i)[j]) /
                              (norm(bases.view().row_span(j)) * norm(samples.view().row_span(i))));
  return worst;
}

void check_rounding(const std::string& id, const Parameters& values, const Layout& layout) {
  CAPTURE(describe(layout));
  const FloatMatrix bases = normal_rows(70, layout.size(), 1);
  const FloatMatrix samples = normal_rows(45, layout.size(), 2);
  const FloatMatrix bf16 = results(id, with(values, "bf16"), layout, bases, samples);
  const FloatMatrix exact =
      results(id, with(values, "fp32"), layout, rounded(bases), rounded(samples));
  const FloatMatrix fp32 = results(id, with(values, "fp32"), layout, bases, samples);
  CHECK(distance(bf16, exact, bases, samples) < 1e-6);
  // A relative rounding of 2^-8 on either side; and the rounding must show.
  const double error = distance(bf16, fp32, bases, samples);
  CHECK(error < 0x1p-7);
  CHECK(error > 1e-5);
}

TEST_CASE("bf16 products are float32 products of the rounded values") {
  for (const std::size_t d : {5u, 31u, 32u, 33u, 496u})
    check_rounding("similarity/linear", {}, Layout::vector(d));
  check_rounding("similarity/polynomial", {{"degree", std::int64_t{1}}}, Layout::vector(100));
}

TEST_CASE("bf16 rigid is rigid on the rounded values") {
  for (const CellGrid& g : {CellGrid(8, 8, 31), CellGrid(3, 5, 1), CellGrid(6, 2, 7),
                            CellGrid(1, 9, 40), CellGrid(4, 4, 64)})
    for (const std::int64_t shift : {0, 1, 2, 7})
      for (const double penalty : {0.0, 0.5 * double(g.depth)})
        check_rounding("similarity/rigid", {{"shift", shift}, {"penalty", penalty}},
                       Layout::grid(g.height, g.width, g.depth));
}

TEST_CASE("bf16 deformable is deformable on the rounded values") {
  for (const CellGrid& g :
       {CellGrid(4, 4, 31), CellGrid(3, 5, 1), CellGrid(6, 2, 7), CellGrid(1, 9, 40)})
    for (const std::int64_t shift : {0, 1, 3})
      for (const std::int64_t local : {0, 1, 2})
        for (const char* order : {"sample_moves", "basis_moves"})
          for (const double penalty : {0.0, 1.5})
            check_rounding("similarity/deformable",
                           {{"shift", shift},
                            {"local", local},
                            {"penalty", penalty},
                            {"local_penalty", penalty / 3},
                            {"order", std::string(order)}},
                           Layout::grid(g.height, g.width, g.depth));
}

TEST_CASE("pixels lose nothing in bf16") {
  Random random(1);
  FloatMatrix bases(40, 784), samples(50, 784);
  for (FloatMatrix* m : {&bases, &samples})
    for (float& x : m->values) x = std::floor(static_cast<float>(random.uniform(0, 256)));
  const FloatMatrix bf16 = results("similarity/linear", {{"precision", std::string("bf16")}},
                                   Layout::vector(784), bases, samples);
  for (std::size_t i = 0; i < 50; ++i)
    for (std::size_t j = 0; j < 40; ++j) {
      const double product = dot(bases.view().row(j), samples.view().row(i), 784);
      // Sums above 2^24 are rounded, as in fp32.
      CHECK(bf16.view().row(i)[j] == doctest::Approx(product).epsilon(1e-6));
    }
}

TEST_CASE("bf16 rbf of a sample with itself is exactly one and never more") {
  // Far from the origin, so that a distance is a small difference of large norms.
  FloatMatrix rows = normal_rows(90, 500, 3);
  for (float& x : rows.values) x = 3 + 0.3f * x;
  const FloatMatrix result =
      results("similarity/rbf", {{"gamma", 100.0}, {"precision", std::string("bf16")}},
              Layout::vector(500), rows, rows);
  for (std::size_t i = 0; i < 90; ++i) {
    CHECK(result.view().row(i)[i] == 1.0f);
    for (const float s : result.view().row_span(i)) CHECK((s >= 0.0f && s <= 1.0f));
  }
}

TEST_CASE("bf16 rbf is the rbf of the rounded values") {
  const FloatMatrix bases = normal_rows(40, 67, 1), samples = normal_rows(50, 67, 2);
  const Parameters values = {{"gamma", 0.01}};
  const FloatMatrix bf16 =
      results("similarity/rbf", with(values, "bf16"), Layout::vector(67), bases, samples);
  const FloatMatrix exact =
      results("similarity/rbf", values, Layout::vector(67), rounded(bases), rounded(samples));
  for (std::size_t i = 0; i < bf16.values.size(); ++i)
    CHECK(bf16.values[i] == doctest::Approx(exact.values[i]).epsilon(2e-6));
}

TEST_CASE("measures in bf16 keep the contract of similarities") {
  const Parameters bf16 = {{"precision", std::string("bf16")}};
  check_contract("similarity/linear", bf16, Layout::vector(29));
  check_contract("similarity/polynomial", bf16, Layout::vector(29));
  check_contract("similarity/rbf", bf16, Layout::vector(29));
  check_contract("similarity/rigid", bf16, Layout::grid(4, 3, 5));
  check_contract("similarity/deformable", bf16, Layout::grid(4, 3, 5));
}

TEST_CASE("a measure knows its own value in bf16") {
  const FloatMatrix rows = normal_rows(33, 100, 1);
  for (auto measure :
       {make_component<Similarity>("similarity/linear", {{"precision", std::string("bf16")}})
            .release(),
        make_component<Similarity>("similarity/polynomial", {{"precision", std::string("bf16")}})
            .release(),
        make_component<Similarity>("similarity/rbf", {{"precision", std::string("bf16")}})
            .release()}) {
    const std::unique_ptr<Similarity> owner(measure);
    TestContext context;
    measure->bind(Layout::vector(100));
    measure->set_bases(rows.view(), first_indices(33), context);
    const FloatMatrix all = compare(*measure, rows.view(), context);
    std::vector<float> own(33);
    measure->compare_with_itself(rows.view(), own.data());
    for (std::size_t i = 0; i < 33; ++i) CHECK(own[i] == all.view().row(i)[i]);
  }
}

TEST_CASE("an emulation is announced") {
  auto measure =
      make_component<Similarity>("similarity/linear", {{"precision", std::string("bf16")}});
  TestContext context;
  measure->bind(Layout::vector(4));
  measure->set_bases(normal_rows(2, 4, 1).view(), first_indices(2), context);
  CHECK(context.lines.size() == (amx_available() ? 0 : 1));
}

TEST_CASE("the rigid similarity's transform is float32 only") {
  CHECK_THROWS_WITH_AS(
      make_component<Similarity>("similarity/rigid", {{"method", std::string("transform")},
                                                      {"precision", std::string("bf16")}}),
      "method: transform computes in float32 only; use method: direct with "
      "precision: bf16, or precision: fp32",
      Error);
}

}  // namespace
}  // namespace semblance::vectors::precision_test
