// SPDX-License-Identifier: MIT

#include "grids/deformable_kernel.hpp"
#include "products/stored_bases.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::deformable_test {
namespace {

using namespace testing;

// Eq. (12) literally: the cells of x move; cells outside of the grid are zero.
double brute_force(const Deformation& d, const float* b, const float* x) {
  const int height = int(d.grid.height), width = int(d.grid.width);
  const int rigid = int(d.rigid), local = int(d.local);
  const std::size_t depth = d.grid.depth;
  double best = -INFINITY;
  for (int ry = -rigid; ry <= rigid; ++ry)
    for (int rx = -rigid; rx <= rigid; ++rx) {
      double sum = -double(d.penalty) * (ry * ry + rx * rx);
      for (int row = 0; row < height; ++row)
        for (int col = 0; col < width; ++col) {
          double nearby = -INFINITY;
          for (int ly = -local; ly <= local; ++ly)
            for (int lx = -local; lx <= local; ++lx) {
              const int y = row + ry + ly, c = col + rx + lx;
              const bool inside = y >= 0 && y < height && c >= 0 && c < width;
              const double product =
                  inside ? dot(b + (row * width + col) * depth, x + (y * width + c) * depth, depth)
                         : 0.0;
              nearby = std::max(nearby, product - double(d.local_penalty) * (ly * ly + lx * lx));
            }
          sum += nearby;
        }
      best = std::max(best, sum);
    }
  return best;
}

void check(const Deformation& d) {
  CAPTURE(d.grid.height);
  CAPTURE(d.grid.width);
  CAPTURE(d.grid.depth);
  CAPTURE(d.rigid);
  CAPTURE(d.local);
  CAPTURE(d.basis_moves);
  const Layout layout = Layout::grid(d.grid.height, d.grid.width, d.grid.depth);
  const FloatMatrix bases = normal_rows(19, layout.size(), 1);
  const FloatMatrix samples = normal_rows(7, layout.size(), 2);
  auto measure = make_component<Similarity>(
      "similarity/deformable",
      {{"shift", std::int64_t(d.rigid)},
       {"local", std::int64_t(d.local)},
       {"penalty", double(d.penalty)},
       {"local_penalty", double(d.local_penalty)},
       {"order", std::string(d.basis_moves ? "basis_moves" : "sample_moves")}});
  TestContext context;
  measure->bind(layout);
  measure->set_bases(bases.view(), first_indices(bases.rows), context);
  check_pairs(
      *measure, bases, samples, 1e-5,
      [&](const float* b, const float* x) {
        return d.basis_moves ? brute_force(d, x, b) : brute_force(d, b, x);
      },
      [&](const float* b, const float* x) {
        return std::sqrt(dot(b, b, layout.size()) * dot(x, x, layout.size()));
      });
}

TEST_CASE("deformable equals eq. (12) written out") {
  for (const CellGrid& grid : {CellGrid(4, 4, 31), CellGrid(1, 1, 3), CellGrid(3, 5, 1),
                               CellGrid(6, 2, 7), CellGrid(1, 9, 40)})
    for (std::size_t rigid : {0, 1, 2, 3})
      for (std::size_t local : {0, 1, 2})
        for (const bool basis_moves : {false, true}) {
          check({grid, rigid, local, 0, 0, basis_moves});
          check({grid, rigid, local, 1.5f, 0.25f, basis_moves});
        }
}

TEST_CASE("deformable equals eq. (12) on the paper's grids") {
  const CellGrid grid(8, 8, 31);
  check({grid, 0, 1, 0, 0, false});
  check({grid, 1, 1, 0, 0, true});
  check({grid, 2, 1, 0.5f, 2.0f, false});
}

TEST_CASE("deformable lets each cell find its own place") {
  const Layout layout = Layout::grid(1, 6, 1);
  const FloatMatrix base = [] {
    FloatMatrix m(1, 6);
    m.values = {0, 2, 0, 0, 3, 0};
    return m;
  }();
  FloatMatrix sample(1, 6);
  sample.values = {5, 0, 0, 0, 0, 7};  // one to the left, one to the right
  TestContext context;
  auto measure = make_component<Similarity>("similarity/deformable");
  measure->bind(layout);
  measure->set_bases(base.view(), first_indices(1), context);
  CHECK(compare(*measure, sample.view(), context).values[0] == 31.0f);
}

TEST_CASE("a product of zero outside of the grid beats a negative one inside") {
  TestContext context;
  const FloatMatrix base = [] {
    FloatMatrix m(1, 1);
    m.values = {1};
    return m;
  }();
  FloatMatrix sample(1, 1);
  sample.values = {-2};
  auto measure = make_component<Similarity>("similarity/deformable");
  measure->bind(Layout::grid(1, 1, 1));
  measure->set_bases(base.view(), first_indices(1), context);
  CHECK(compare(*measure, sample.view(), context).values[0] == 0.0f);
}

TEST_CASE("deformable keeps the contract of similarities") {
  check_contract("similarity/deformable", {}, Layout::grid(4, 3, 5));
  check_contract("similarity/deformable",
                 {{"shift", std::int64_t{1}}, {"order", std::string("basis_moves")}},
                 Layout::grid(3, 4, 6));
}

TEST_CASE("deformable wants grids") {
  auto measure = make_component<Similarity>("similarity/deformable");
  CHECK_THROWS_AS(measure->bind(Layout::image(4, 4, 3)), Error);
}

}  // namespace
}  // namespace semblance::vectors::deformable_test
