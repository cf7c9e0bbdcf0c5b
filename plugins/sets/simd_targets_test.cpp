// SPDX-License-Identifier: MIT
#include "chamfer.hpp"
#include "hausdorff.hpp"
#include "semblance_numerics/lesser_targets.hpp"
#include "set_testing.hpp"
#include "sum_match.hpp"
#include "wasserstein.hpp"

namespace semblance {
namespace {

using namespace testing;

template <class Measure>
void check_targets(const Parameters& values, double tolerance) {
  const Layout layout = Layout::set(30, 3);
  const auto bases = random_sets(13, 30, 3, 1), samples = random_sets(7, 30, 3, 2);
  const FloatMatrix best = measured<Measure>(values, layout, bases, samples);
  numerics::on_lesser_targets([&](const char* target) {
    CAPTURE(target);
    const FloatMatrix other = measured<Measure>(values, layout, bases, samples);
    for (std::size_t i = 0; i < best.values.size(); ++i)
      CHECK(std::abs(other.values[i] - best.values[i]) <= tolerance);
  });
}

TEST_CASE("all SIMD targets of the CPU agree") {
  check_targets<Hausdorff>({}, 0);
  check_targets<Chamfer>({}, 0);
  check_targets<Wasserstein>({}, 0);
  check_targets<Wasserstein>({{"method", std::string("sinkhorn")}}, 1e-5);
  check_targets<SumMatch>({}, 1e-6);
  check_targets<SumMatch>({{"best", true}}, 1e-6);
}

}  // namespace
}  // namespace semblance
