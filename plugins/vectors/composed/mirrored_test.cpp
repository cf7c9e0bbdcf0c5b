// SPDX-License-Identifier: MIT

#include "composed/mirror_places.hpp"
#include "grids/correlation_plan.hpp"
#include "grids/deformable_kernel.hpp"
#include "grids/shifts.hpp"
#include "hog_cells.hpp"
#include "products/stored_bases.hpp"
#include "semblance/formula.hpp"
#include "semblance/learns_from_samples.hpp"
#include "semblance/similarity.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::mirrored_test {
namespace {

using namespace testing;

std::vector<float> mirror_image(const float* x, std::size_t height, std::size_t width,
                                std::size_t channels) {
  std::vector<float> mirrored(height * width * channels);
  for (std::size_t r = 0; r < height * channels; ++r)
    for (std::size_t c = 0; c < width; ++c) mirrored[r * width + c] = x[r * width + width - 1 - c];
  return mirrored;
}

std::unique_ptr<Similarity> make_mirrored(const std::string& combine, const std::string& cells,
                                          const std::function<std::unique_ptr<Component>()>& kernel,
                                          const Layout& layout) {
  auto measure = make_component<Similarity>(
      "similarity/mirrored", {{"combine", combine}, {"cells", cells}}, {{"kernel", kernel}});
  measure->bind(layout);
  return measure;
}

}  // namespace

TEST_CASE("mirrored combines a kernel's values of a sample and of its mirror image") {
  TestContext context;
  const Layout image = Layout::image(3, 5, 2);
  const FloatMatrix bases = normal_rows(4, image.size(), 1), x = normal_rows(6, image.size(), 2);
  for (const std::string combine : {"mean", "largest"}) {
    auto measure = make_mirrored(combine, "plain", part("similarity/linear"), image);
    measure->set_bases(bases.view(), first_indices(4), context);
    const FloatMatrix s = compare(*measure, x.view(), context);
    for (std::size_t i = 0; i < x.rows; ++i)
      for (std::size_t b = 0; b < bases.rows; ++b) {
        const auto other = mirror_image(x.view().row(i), 3, 5, 2);
        const double one = dot(bases.view().row(b), x.view().row(i), image.size());
        const double two = dot(bases.view().row(b), other.data(), image.size());
        CHECK(s.view().row(i)[b] ==
              doctest::Approx(combine == "mean" ? (one + two) / 2 : std::max(one, two))
                  .epsilon(1e-5));
      }
  }
}

TEST_CASE("the mirrored cells of HOG are the cells of the mirror image") {
  for (const std::size_t cell : {8UL, 4UL})
    for (const bool bilinear : {true, false}) {
      features::HogCells hog({32, 32, 3, cell, bilinear});
      const Layout grid = Layout::grid(32 / cell, 32 / cell, features::HogCells::depth);
      const FloatMatrix image = normal_rows(1, std::size_t{3} * 32 * 32, 3);
      std::vector<float> cells(grid.size()), mirrored(grid.size());
      hog.describe(image.view().row(0), cells.data());
      hog.describe(mirror_image(image.view().row(0), 32, 32, 3).data(), mirrored.data());
      const std::vector<std::size_t> from = mirror_places(grid, true);
      for (std::size_t j = 0; j < grid.size(); ++j)
        REQUIRE(mirrored[j] == doctest::Approx(cells[from[j]]).epsilon(1e-3));
    }
}

TEST_CASE("an image and its mirror image have the same values, whatever the kernel") {
  TestContext context;
  const Layout grid = Layout::grid(4, 4, 31);
  const FloatMatrix bases = normal_rows(5, grid.size(), 4), x = normal_rows(3, grid.size(), 5);
  const std::vector<std::size_t> from = mirror_places(grid, true);
  FloatMatrix other(3, grid.size());
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < grid.size(); ++j) other.view().row(i)[j] = x.view().row(i)[from[j]];
  for (const auto& kernel :
       {part("similarity/rbf", {{"gamma", 0.001}}),
        part("similarity/rigid", {{"shift", std::int64_t{1}}}),
        part("similarity/deformable", {{"shift", std::int64_t{0}}, {"local", std::int64_t{1}}})})
    for (const std::string combine : {"mean", "largest"}) {
      auto measure = make_mirrored(combine, "automatic", kernel, grid);
      measure->set_bases(bases.view(), first_indices(5), context);
      CHECK(compare(*measure, x.view(), context).values ==
            compare(*measure, other.view(), context).values);
    }
}

TEST_CASE("a mirrored kernel has the same values after it was saved") {
  TestContext context;
  const Layout grid = Layout::grid(2, 3, 4);
  const FloatMatrix bases = normal_rows(5, grid.size(), 4), x = normal_rows(3, grid.size(), 5);
  auto measure = make_mirrored("mean", "plain", part("similarity/rbf", {{"gamma", 0.1}}), grid);
  measure->set_bases(bases.view(), first_indices(5), context);
  MemoryState state;
  measure->save(state);
  auto loaded = make_mirrored("mean", "plain", part("similarity/rbf", {{"gamma", 0.1}}), grid);
  loaded->load(state, context);
  CHECK(compare(*measure, x.view(), context).values == compare(*loaded, x.view(), context).values);
}

TEST_CASE("cells of 31 values are mirrored as HOG unless they are said to be plain") {
  TestContext context;
  const Layout grid = Layout::grid(1, 2, 31);
  const FloatMatrix bases = normal_rows(1, grid.size(), 4), x = normal_rows(1, grid.size(), 5);
  for (const bool hog : {true, false}) {
    auto measure =
        make_mirrored("mean", hog ? "automatic" : "plain", part("similarity/linear"), grid);
    measure->set_bases(bases.view(), first_indices(1), context);
    const std::vector<std::size_t> from = mirror_places(grid, hog);
    double expected = 0;
    for (std::size_t j = 0; j < grid.size(); ++j)
      expected += bases.values[j] * (double{x.values[j]} + x.values[from[j]]) / 2;
    CHECK(compare(*measure, x.view(), context).values[0] ==
          doctest::Approx(expected).epsilon(1e-4));
  }
}

TEST_CASE("a mirrored or jittered kernel learns from samples, whatever the bases") {
  const Layout grid = Layout::grid(2, 3, 4);
  const FloatMatrix samples = normal_rows(50, 24, 1), bases = normal_rows(4, 24, 2);
  TestContext context;
  const auto values = [&](const char* id, const Parameters& of_kernel) {
    auto measure =
        make_component<Similarity>(id, {}, {{"kernel", part("similarity/rbf", of_kernel)}});
    measure->bind(grid);
    learn_from_samples(*measure, MatrixRows(samples.view()), {}, context);
    CHECK_FALSE(measure->learns_from_bases());
    measure->set_bases(bases.view(), first_indices(4), context);
    return compare(*measure, samples.view(), context).values;
  };
  const double gamma = 1 / (24 * variance_of_values(MatrixRows(samples.view()), {}, context));
  for (const char* id : {"similarity/mirrored", "similarity/jittered"})
    CHECK(values(id, {}) == values(id, {{"gamma", gamma}}));
}

}  // namespace semblance::vectors::mirrored_test
