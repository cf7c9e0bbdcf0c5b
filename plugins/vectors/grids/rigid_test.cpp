// SPDX-License-Identifier: MIT

#include "grids/correlation_plan.hpp"
#include "grids/shifts.hpp"
#include "products/stored_bases.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::rigid_test {
namespace {

using namespace testing;

// Eq. (11) literally, with zero cells outside of the grid.
double brute_force(const CellGrid& g, int shift, double penalty, const float* b, const float* x) {
  double best = -INFINITY;
  const int height = int(g.height), width = int(g.width);
  for (int zy = -shift; zy <= shift; ++zy)
    for (int zx = -shift; zx <= shift; ++zx) {
      double sum = -penalty * (zy * zy + zx * zx);
      for (int y = 0; y < height; ++y)
        for (int c = 0; c < width; ++c)
          if (y + zy >= 0 && y + zy < height && c + zx >= 0 && c + zx < width)
            sum += dot(b + (y * width + c) * g.depth, x + ((y + zy) * width + c + zx) * g.depth,
                       g.depth);
      best = std::max(best, sum);
    }
  return best;
}

void check(const CellGrid& grid, std::int64_t shift, double penalty, const std::string& method) {
  CAPTURE(grid.height);
  CAPTURE(grid.width);
  CAPTURE(grid.depth);
  CAPTURE(shift);
  const Layout layout = Layout::grid(grid.height, grid.width, grid.depth);
  const FloatMatrix bases = normal_rows(19, layout.size(), 1);
  const FloatMatrix samples = normal_rows(8, layout.size(), 2);
  CAPTURE(method);
  auto measure = make_component<Similarity>(
      "similarity/rigid", {{"shift", shift}, {"penalty", penalty}, {"method", method}});
  TestContext context;
  measure->bind(layout);
  measure->set_bases(bases.view(), first_indices(bases.rows), context);
  check_pairs(
      *measure, bases, samples, 1e-5,
      [&](const float* b, const float* x) { return brute_force(grid, int(shift), penalty, b, x); },
      [&](const float* b, const float* x) {
        return std::sqrt(dot(b, b, layout.size()) * dot(x, x, layout.size()));
      });
}

TEST_CASE("rigid equals eq. (11) written out") {
  for (const CellGrid& grid : {CellGrid(8, 8, 31), CellGrid(4, 4, 31), CellGrid(1, 1, 3),
                               CellGrid(3, 5, 1), CellGrid(6, 2, 7), CellGrid(1, 9, 40)})
    for (std::int64_t shift : {0, 1, 2, 3})
      for (const char* method : {"direct", "transform", "auto"}) {
        check(grid, shift, 0, method);
        check(grid, shift, 0.75 * double(grid.depth), method);
      }
}

TEST_CASE("rigid is symmetric") {
  const Layout layout = Layout::grid(4, 5, 3);
  const FloatMatrix rows = normal_rows(20, layout.size(), 1);
  auto measure = make_component<Similarity>("similarity/rigid",
                                            {{"shift", std::int64_t{2}}, {"penalty", 0.1}});
  TestContext context;
  measure->bind(layout);
  measure->set_bases(rows.view(), first_indices(20), context);
  const FloatMatrix s = compare(*measure, rows.view(), context);
  for (std::size_t i = 0; i < 20; ++i)
    for (std::size_t j = 0; j < i; ++j)
      CHECK(s.view().row(i)[j] == doctest::Approx(s.view().row(j)[i]).epsilon(1e-5));
}

TEST_CASE("rigid finds a displaced copy") {
  const Layout layout = Layout::grid(5, 5, 2);
  FloatMatrix base(1, layout.size()), moved(1, layout.size());
  base.values[(2 * 5 + 2) * 2] = 3;   // cell (2, 2)
  moved.values[(1 * 5 + 3) * 2] = 4;  // cell (1, 3)
  TestContext context;
  for (const auto& [shift, expected] : {std::pair{0, 0.0f}, {1, 12.0f}}) {
    auto measure = make_component<Similarity>("similarity/rigid", {{"shift", std::int64_t{shift}}});
    measure->bind(layout);
    measure->set_bases(base.view(), first_indices(1), context);
    CHECK(compare(*measure, moved.view(), context).values[0] == doctest::Approx(expected));
  }
}

TEST_CASE("rigid keeps the contract of similarities") {
  for (const char* method : {"direct", "transform"})
    check_contract("similarity/rigid",
                   {{"shift", std::int64_t{2}}, {"method", std::string(method)}},
                   Layout::grid(4, 3, 5));
}

TEST_CASE("rigid wants grids") {
  auto measure = make_component<Similarity>("similarity/rigid");
  CHECK_THROWS_WITH_AS(measure->bind(Layout::vector(12)),
                       "the cells to displace must be a grid, not a vector of 12; use features "
                       "that are grids of cells, such as feature/hog",
                       Error);
}

}  // namespace
}  // namespace semblance::vectors::rigid_test
