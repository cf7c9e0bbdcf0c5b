// SPDX-License-Identifier: MIT
#pragma once

#include "model_device_testing.hpp"
#include "row_pairs.cu"

namespace semblance::gpu {

/// Lets the model compute what row_pairs.cu defines.
inline void add_row_pairs(ModelDevice& device) {
  device.add("products", products);
  device.add("squared_distances", squared_distances);
}

}  // namespace semblance::gpu
