// SPDX-License-Identifier: MIT

#include "composed/displaced_rows.hpp"
#include "grids/correlation_plan.hpp"
#include "grids/deformable_kernel.hpp"
#include "grids/shifts.hpp"
#include "products/stored_bases.hpp"
#include "semblance/formula.hpp"
#include "semblance/similarity.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::jittered_test {
namespace {

using namespace testing;

using Kernel = double (*)(const float* a, const float* b, std::size_t count);

double gaussian(const float* a, const float* b, std::size_t count) {
  double distance = 0;
  for (std::size_t k = 0; k < count; ++k) distance += std::pow(double(a[k]) - b[k], 2);
  return std::exp(-0.02 * distance);
}

double quadratic(const float* a, const float* b, std::size_t count) {
  return std::pow(0.1 * dot(a, b, count) + 1, 2);
}

struct Tested {
  Kernel formula;
  std::function<std::unique_ptr<Similarity>()> component;
};
const Tested rbf = {gaussian, part<Similarity>("similarity/rbf", {{"gamma", 0.02}})};
const Tested polynomial = {quadratic, part<Similarity>("similarity/polynomial", {{"scale", 0.1}})};

// Value (row, column, k) of the sample displaced by (zy, zx): the one at row + zy, column + zx.
std::vector<float> displaced(const float* x, const Layout& layout, int zy, int zx) {
  const int height = int(layout.height), width = int(layout.width), depth = int(layout.depth);
  const auto at = [&](int row, int column, int k) {
    return std::size_t(layout.kind == LayoutKind::image ? (k * height + row) * width + column
                                                        : (row * width + column) * depth + k);
  };
  std::vector<float> moved(layout.size());
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column)
      for (int k = 0; k < depth; ++k) {
        const int y = row + zy, c = column + zx;
        const bool inside = y >= 0 && y < height && c >= 0 && c < width;
        moved[at(row, column, k)] = inside ? x[at(y, c, k)] : 0.0f;
      }
  return moved;
}

struct Jitter {
  int shift = 1;
  double penalty = 0;
  bool basis_moves = false;
};

// Eq. (7) written out.
double brute_force(const Jitter& jitter, Kernel k, const Layout& layout, const float* b,
                   const float* x) {
  const std::size_t d = layout.size();
  const float* stays = jitter.basis_moves ? x : b;
  double best = -INFINITY;
  for (int zy = -jitter.shift; zy <= jitter.shift; ++zy)
    for (int zx = -jitter.shift; zx <= jitter.shift; ++zx) {
      const auto moves = displaced(jitter.basis_moves ? b : x, layout, zy, zx);
      best = std::max(best, k(stays, moves.data(), d) - jitter.penalty * (zy * zy + zx * zx));
    }
  return best;
}

std::unique_ptr<Similarity> make_jittered(const Jitter& jitter, const Tested& kernel) {
  return make_component<Similarity>(
      "similarity/jittered",
      {{"shift", std::int64_t(jitter.shift)},
       {"penalty", jitter.penalty},
       {"order", std::string(jitter.basis_moves ? "basis_moves" : "sample_moves")}},
      {{"kernel", kernel.component}});
}

void check(const Jitter& jitter, const Tested& kernel, const Layout& layout) {
  CAPTURE(describe(layout));
  CAPTURE(jitter.shift);
  CAPTURE(jitter.penalty);
  CAPTURE(jitter.basis_moves);
  const FloatMatrix bases = normal_rows(6, layout.size(), 1);
  const FloatMatrix samples = normal_rows(7, layout.size(), 2);
  auto measure = make_jittered(jitter, kernel);
  TestContext context;
  measure->bind(layout);
  measure->set_bases(bases.view(), first_indices(bases.rows), context);
  check_pairs(
      *measure, bases, samples, 1e-5,
      [&](const float* b, const float* x) {
        return brute_force(jitter, kernel.formula, layout, b, x);
      },
      [&](const float* b, const float* x) {
        const std::size_t d = layout.size();
        return 1 + std::sqrt(kernel.formula(b, b, d) * kernel.formula(x, x, d));
      });
}

TEST_CASE("jittered equals eq. (7) written out") {
  for (const Tested& kernel : {rbf, polynomial})
    for (const Layout& layout : {Layout::grid(4, 3, 2), Layout::grid(1, 5, 3),
                                 Layout::image(3, 4, 3), Layout::image(5, 1, 1)})
      for (const int shift : {0, 1, 2, 4})
        for (const bool basis_moves : {false, true})
          for (const double penalty : {0.0, 0.03})
            check({shift, penalty, basis_moves}, kernel, layout);
}

TEST_CASE("jittered without displacements has the kernel's bits") {
  const Layout layout = Layout::grid(4, 4, 5);
  const FloatMatrix bases = normal_rows(21, layout.size(), 1);
  const FloatMatrix samples = normal_rows(300, layout.size(), 2);
  TestContext context;
  auto kernel = rbf.component();
  kernel->bind(layout);
  kernel->set_bases(bases.view(), first_indices(21), context);
  const FloatMatrix expected = compare(*kernel, samples.view(), context);
  for (const bool basis_moves : {false, true}) {
    auto measure = make_jittered({0, 0.5, basis_moves}, rbf);
    measure->bind(layout);
    measure->set_bases(bases.view(), first_indices(21), context);
    CHECK(compare(*measure, samples.view(), context).values == expected.values);
  }
}

TEST_CASE("jittered with the linear kernel is rigid") {
  for (const Layout& layout : {Layout::grid(4, 4, 31), Layout::grid(3, 6, 2)})
    for (const std::int64_t shift : {1, 2, 3})
      for (const double penalty : {0.0, 2.5})
        for (const char* order : {"sample_moves", "basis_moves"}) {
          const FloatMatrix bases = normal_rows(21, layout.size(), 1);
          const FloatMatrix samples = normal_rows(30, layout.size(), 2);
          TestContext context;
          auto rigid = make_component<Similarity>("similarity/rigid",
                                                  {{"shift", shift}, {"penalty", penalty}});
          auto jittered = make_component<Similarity>(
              "similarity/jittered",
              {{"shift", shift}, {"penalty", penalty}, {"order", std::string(order)}},
              {{"kernel", part("similarity/linear")}});
          for (Similarity* measure : {rigid.get(), jittered.get()}) {
            measure->bind(layout);
            measure->set_bases(bases.view(), first_indices(21), context);
          }
          const FloatMatrix expected = compare(*rigid, samples.view(), context);
          const FloatMatrix result = compare(*jittered, samples.view(), context);
          const double scale = double(layout.size());
          for (std::size_t i = 0; i < result.values.size(); ++i)
            CHECK(std::abs(result.values[i] - expected.values[i]) < 1e-5 * scale);
        }
}

TEST_CASE("any similarity on the same layout can be jittered") {
  const Layout layout = Layout::grid(4, 4, 2);
  auto measure = make_component<Similarity>("similarity/jittered", {},
                                            {{"kernel", part("similarity/deformable")}});
  TestContext context;
  measure->bind(layout);
  const FloatMatrix bases = normal_rows(3, layout.size(), 1);
  measure->set_bases(bases.view(), first_indices(3), context);
  auto moving = make_component<Similarity>("similarity/deformable", {{"shift", std::int64_t{1}}});
  moving->bind(layout);
  moving->set_bases(bases.view(), first_indices(3), context);
  // Both move the grid by one cell and each cell by one more; but here what a displacement pushes
  // out is lost to the cells.
  const FloatMatrix samples = normal_rows(5, layout.size(), 2);
  const FloatMatrix lossy = compare(*measure, samples.view(), context);
  const FloatMatrix whole = compare(*moving, samples.view(), context);
  for (std::size_t i = 0; i < lossy.values.size(); ++i)
    CHECK(lossy.values[i] <= whole.values[i] + 1e-4f);
}

TEST_CASE("jittered keeps the contract of similarities") {
  for (const bool basis_moves : {false, true})
    check_contract(
        [&] {
          return make_jittered({1, 0.1, basis_moves}, polynomial);
        },
        Layout::grid(3, 4, 3));
  check_contract(
      [] {
        return make_component<Similarity>("similarity/jittered", {},
                                          {{"kernel", part("similarity/intersection")}});
      },
      Layout::image(3, 4, 3), true);
}

TEST_CASE("jittered says what it cannot do") {
  auto measure = make_jittered({}, rbf);
  CHECK_THROWS_WITH_AS(measure->bind(Layout::vector(12)),
                       "a vector of 12 has nothing to displace; use grids of cells, such as those "
                       "of feature/hog, or images",
                       Error);
}

TEST_CASE("a state made with another displacement is refused") {
  const Layout layout = Layout::grid(3, 3, 2);
  TestContext context;
  MemoryState state;
  auto measure = make_jittered({1, 0, true}, rbf);
  measure->bind(layout);
  measure->set_bases(normal_rows(3, layout.size(), 1).view(), first_indices(3), context);
  measure->save(state);
  auto other = make_jittered({2, 0, true}, rbf);
  other->bind(layout);
  CHECK_THROWS_AS(other->load(state, context), Error);
}

}  // namespace
}  // namespace semblance::vectors::jittered_test
