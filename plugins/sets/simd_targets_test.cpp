// SPDX-License-Identifier: MIT
#include "semblance_numerics/lesser_targets.hpp"
#include "set_testing.hpp"

namespace semblance::sets::simd_targets_test {
namespace {

using namespace testing;

void check_targets(const std::string& id, const Parameters& values, double tolerance) {
  const Layout layout = Layout::set(30, 3);
  const auto bases = random_sets(13, 30, 3, 1), samples = random_sets(7, 30, 3, 2);
  const FloatMatrix best = measured(id, values, layout, bases, samples);
  numerics::on_lesser_targets([&](const char* target) {
    CAPTURE(target);
    const FloatMatrix other = measured(id, values, layout, bases, samples);
    for (std::size_t i = 0; i < best.values.size(); ++i)
      CHECK(std::abs(other.values[i] - best.values[i]) <= tolerance);
  });
}

TEST_CASE("all SIMD targets of the CPU agree") {
  check_targets("similarity/hausdorff", {}, 0);
  check_targets("similarity/chamfer", {}, 0);
  check_targets("similarity/wasserstein", {}, 0);
  check_targets("similarity/wasserstein", {{"method", std::string("sinkhorn")}}, 1e-5);
  check_targets("similarity/sum_match", {}, 1e-6);
  check_targets("similarity/sum_match", {{"best", true}}, 1e-6);
}

}  // namespace
}  // namespace semblance::sets::simd_targets_test
