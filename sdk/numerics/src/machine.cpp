// SPDX-License-Identifier: MIT
#include "semblance_numerics/machine.hpp"

#include <string>

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace semblance::numerics::HWY_NAMESPACE {

/// Compiled once per target like every kernel, so it returns the target chosen at run time.
const char* target_name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace semblance::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::numerics {

HWY_EXPORT(target_name);

const char* machine_diagnostics() {
  static const std::string text =
      std::string("SIMD level of the kernels: ") + HWY_DYNAMIC_DISPATCH(target_name)() + "\n";
  return text.c_str();
}

}  // namespace semblance::numerics
#endif
