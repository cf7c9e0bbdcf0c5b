// SPDX-License-Identifier: MIT
#pragma once

#include "kernel_svm_testing.hpp"
#include "tuning/cost_choice_testing.hpp"

/// Helpers for tests of 'C: automatic' of the kernel machine.
namespace semblance::kernel::testing {

inline const Parameters gaussian = {{"gamma", 0.1}};

/// A learner, and samples for it.
struct Case {
  const char* name;
  Data data;
  const char* kernel = "similarity/rbf";
  Parameters of_kernel = gaussian;
  Parameters parameters = {};
};

inline Data far_away(Data data) {
  for (float& x : data.values.values) x += 2000;
  return data;
}

}  // namespace semblance::kernel::testing
