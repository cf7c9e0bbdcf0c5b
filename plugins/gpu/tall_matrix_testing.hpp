// SPDX-License-Identifier: MIT
#pragma once

#include "model_device_testing.hpp"
#include "tall_matrix.cu"

namespace semblance::gpu {

/// Lets the model compute what tall_matrix.cu defines.
inline void add_tall_matrix(ModelDevice& device) {
  device.add("tall_products_float", tall_products_float);
  device.add("tall_products_double", tall_products_double);
  device.add("tall_sums_float", tall_sums_float);
  device.add("tall_sums_double", tall_sums_double);
  device.add("tall_totals_float", tall_totals_float);
  device.add("tall_totals_double", tall_totals_double);
}

}  // namespace semblance::gpu
