// SPDX-License-Identifier: MIT
#include "grids/correlation_plan.hpp"
#include "grids/deformable_kernel.hpp"
#include "grids/shifts.hpp"
#include "products/stored_bases.hpp"
#include "semblance/formula.hpp"
#include "semblance_numerics/lesser_targets.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::simd_targets_test {
namespace {

using namespace testing;

FloatMatrix results(const std::string& id, const Parameters& values) {
  const Layout layout = Layout::grid(4, 5, 7);
  TestContext context;
  auto measure = make_component<Similarity>(id, values);
  measure->bind(layout);
  measure->set_bases(histogram_rows(37, layout.size(), 1).view(), first_indices(37), context);
  return compare(*measure, histogram_rows(29, layout.size(), 2).view(), context);
}

void check_targets(const std::string& id, const Parameters& values) {
  const FloatMatrix best = results(id, values);
  numerics::on_lesser_targets([&](const char* target) {
    CAPTURE(target);
    const FloatMatrix other = results(id, values);
    for (std::size_t i = 0; i < best.values.size(); ++i)
      CHECK(other.values[i] == doctest::Approx(best.values[i]).epsilon(1e-5));
  });
}

TEST_CASE("all SIMD targets of the CPU agree") {
  check_targets("similarity/rbf", {{"gamma", 0.1}});
  check_targets("similarity/polynomial", {});
  check_targets("similarity/chi_square", {{"gamma", 0.1}});
  check_targets("similarity/tanimoto", {});
  check_targets("similarity/laplacian", {{"gamma", 0.1}});
  check_targets("similarity/deformable", {{"shift", std::int64_t{1}}});
  check_targets("similarity/deformable",
                {{"shift", std::int64_t{1}}, {"precision", std::string("bf16")}});
  check_targets("similarity/rigid",
                {{"shift", std::int64_t{2}}, {"precision", std::string("bf16")}});
  for (const char* method : {"direct", "transform"})
    check_targets("similarity/rigid",
                  {{"shift", std::int64_t{2}}, {"method", std::string(method)}});
}

}  // namespace
}  // namespace semblance::vectors::simd_targets_test
