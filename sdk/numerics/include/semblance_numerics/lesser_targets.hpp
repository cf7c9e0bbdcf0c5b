// SPDX-License-Identifier: MIT
#pragma once

#include <hwy/targets.h>

#include <cstdint>

namespace semblance::numerics {

/// During its lifetime, kernels compiled for several SIMD targets run on this one. For tests;
/// nothing else may call such kernels meanwhile.
class OnTarget {
 public:
  explicit OnTarget(std::int64_t target) { choose(target); }
  ~OnTarget() { choose(0); }
  OnTarget(const OnTarget&) = delete;
  OnTarget& operator=(const OnTarget&) = delete;

 private:
  /// 0: the best that the CPU has.
  static void choose(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

/// Calls body(name of the target) on each target that this CPU supports besides its best. For
/// tests.
template <class Body>
void on_lesser_targets(const Body& body) {
  const std::int64_t supported = hwy::SupportedTargets();
  for (const std::int64_t target :
       {std::int64_t{HWY_AVX3}, std::int64_t{HWY_AVX2}, std::int64_t{HWY_STATIC_TARGET}}) {
    if ((supported & target) == 0) continue;
    const OnTarget chosen(target);
    body(hwy::TargetName(target));
  }
}

}  // namespace semblance::numerics
