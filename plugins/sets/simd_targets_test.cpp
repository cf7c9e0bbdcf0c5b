// SPDX-License-Identifier: MIT
#include <hwy/targets.h>

#include "chamfer.hpp"
#include "hausdorff.hpp"
#include "set_testing.hpp"
#include "sum_match.hpp"
#include "wasserstein.hpp"

namespace semblance {
namespace {

using namespace testing;

// Kernels are compiled once a SIMD target; this runs them on one of the CPU's lesser targets.
class OnTarget {
 public:
  explicit OnTarget(std::int64_t target) { choose(target); }
  ~OnTarget() { choose(0); }
  OnTarget(const OnTarget&) = delete;
  OnTarget& operator=(const OnTarget&) = delete;

 private:
  static void choose(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

template <class Measure>
void check_targets(const Parameters& values, double tolerance) {
  const Layout layout = Layout::set(30, 3);
  const auto bases = random_sets(13, 30, 3, 1), samples = random_sets(7, 30, 3, 2);
  const FloatMatrix best = measured<Measure>(values, layout, bases, samples);
  for (const std::int64_t target :
       {std::int64_t{HWY_AVX2}, std::int64_t{HWY_SSE4}, std::int64_t{HWY_STATIC_TARGET}}) {
    if ((hwy::SupportedTargets() & target) == 0) continue;
    CAPTURE(hwy::TargetName(target));
    const OnTarget lesser(target);
    const FloatMatrix other = measured<Measure>(values, layout, bases, samples);
    for (std::size_t i = 0; i < best.values.size(); ++i)
      CHECK(std::abs(other.values[i] - best.values[i]) <= tolerance);
  }
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
